import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// A running program that can be inspected.
struct Program {
  var identity: ProcessIdentity
  var socketPath: String

  static let noneRunning = [
    "No inspectable program is running. To make one inspectable:",
    "1. Start the inspector early in it, before its chains are created:",
    "",
    "       import SignalInspector",
    "       try await SignalInspector.startIfRequested()",
    "",
    "2. Run it with SIGNALS_INSPECT=1 in its environment: SIGNALS_INSPECT=1 swift run",
    "SignalInspector.start() does not need the variable. The variable alone does nothing.",
  ].joined(separator: "\n")

  /// Returns every program that responds, and messages about and identities of those that do not. Removes this user's
  /// dead sockets.
  ///
  /// - Parameters:
  ///   - pid: The only program to query, if known: others may be stopped.
  ///   - limit: The time that each may take to respond.
  static func running(
    pid: Int32? = nil, within limit: Duration = .seconds(3)
  ) throws -> (programs: [Program], problems: [String], silent: [String], isAnyDirectoryRead: Bool) {
    var paths: [String] = []
    var problems: [String] = []
    var isAnyDirectoryRead = false
    for directory in try SocketDirectory.searchList() {
      do {
        try directory.removeDeadSockets()
        paths += try directory.sockets().filter { file in pid.map { $0 == file.pid } ?? true }.map(\.path)
        isAnyDirectoryRead = true
      } catch {
        problems.append("\(error)")
      }
    }
    var programs: [Program] = []
    let answers = AtOnce.map(paths) { path in
      Program(
        identity: try ProgramConnection(socketPath: path).hello(within: limit).process, socketPath: path)
    }
    var silent: [String] = []
    for (path, answer) in zip(paths, answers) {
      switch answer {
      case .success(let program): programs.append(program)
      case .failure(let error):
        problems.append("\(error)")
        silent.append(ProcessName(ofSocketAt: path)?.words ?? path)
      }
    }
    return (programs, problems, silent, isAnyDirectoryRead)
  }

  /// The program with this pid or name; without either, the only running one.
  static func find(pid: Int32?, name: String?) throws -> Program {
    if let pid {
      // The names of sockets contain the pids.
      let found = try running(pid: pid)
      if let program = found.programs.first(where: { $0.identity.pid == pid }) { return program }
      guard found.problems.isEmpty else {
        throw Failure("The program with pid \(pid) does not respond." + found.problems.map { "\n\($0)" }.joined())
      }
    }
    let found = try running()
    let matches = found.programs.filter { program in
      pid.map { $0 == program.identity.pid } ?? true && name.map { $0 == program.identity.name } ?? true
    }
    if matches.count == 1 { return matches[0] }
    let wanted = pid.map { " with pid \($0)" } ?? name.map { " named `\($0)`" } ?? ""
    if matches.isEmpty {
      let problems = found.problems.map { "\n\($0)" }.joined()
      if found.programs.isEmpty {
        throw Failure(found.problems.isEmpty ? noneRunning : "No program responds." + problems)
      }
      guard problems.isEmpty else {
        throw Failure("No program\(wanted) responds.\(problems)\nThese respond:\n\(table(found.programs))")
      }
      throw Failure("No program\(wanted) is inspectable. Running programs:\n\(table(found.programs))")
    }
    throw Failure("\(matches.count) programs\(wanted) are inspectable; choose one with --pid:\n\(table(matches))")
  }

  /// The programs as lines of name, pid, start time and socket.
  static func table(_ programs: [Program]) -> String {
    TextTable(
      columns: [.init(title: "NAME"), .init(title: "PID"), .init(title: "SINCE"), .init(title: "SOCKET")],
      rows: programs.map { program in
        [program.identity.name.displayable(), "\(program.identity.pid)", program.since, program.socketPath]
      }
    ).lines.joined(separator: "\n")
  }

  /// The start time.
  var since: String { Date(timeIntervalSince1970: identity.startedAt).formatted(.iso8601) }
}
