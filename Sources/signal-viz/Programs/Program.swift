import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// A running program that can be looked at.
struct Program {
  var identity: ProcessIdentity
  var socketPath: String

  static let noneRunning =
    "No program to look at is running. Start one that calls SignalInspector.start(), or one that calls startIfRequested(), with SIGNALS_INSPECT=1."

  /// Every program that answers, and what is to say about those that do not. Removes this user's dead sockets.
  static func running() throws -> (programs: [Program], problems: [String]) {
    var programs: [Program] = []
    var problems: [String] = []
    for directory in try SocketDirectory.searchList() {
      do {
        try directory.removeDeadSockets()
        for socket in try directory.sockets() {
          do {
            let hello = try ProgramConnection(socketPath: socket.path).hello(within: .seconds(3))
            programs.append(Program(identity: hello.process, socketPath: socket.path))
          } catch {
            problems.append("\(error)")
          }
        }
      } catch {
        problems.append("\(error)")
      }
    }
    return (programs, problems)
  }

  /// The one program with this pid or name; without both, the only one that runs.
  static func find(pid: Int32?, name: String?) throws -> Program {
    let found = try running()
    let matches = found.programs.filter { program in
      pid.map { $0 == program.identity.pid } ?? true && name.map { $0 == program.identity.name } ?? true
    }
    if matches.count == 1 { return matches[0] }
    let wanted = pid.map { " with pid \($0)" } ?? name.map { " named `\($0)`" } ?? ""
    if matches.isEmpty {
      let problems = found.problems.map { "\n\($0)" }.joined()
      if found.programs.isEmpty {
        throw Failure(found.problems.isEmpty ? noneRunning : "No program answers." + problems)
      }
      throw Failure("No program\(wanted) can be looked at. Running are:\n\(table(found.programs))\(problems)")
    }
    throw Failure("\(matches.count) programs\(wanted) can be looked at; choose one with --pid:\n\(table(matches))")
  }

  /// The programs as lines of name, pid, start and socket.
  static func table(_ programs: [Program]) -> String {
    let rows =
      [["NAME", "PID", "STARTED", "SOCKET"]]
      + programs.map { program in
        [
          program.identity.name.displayable(), "\(program.identity.pid)",
          Date(timeIntervalSince1970: program.identity.startedAt).formatted(.iso8601), program.socketPath,
        ]
      }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        column < 3 ? cell + String(repeating: " ", count: widths[column] - cell.count) : cell
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
