import ArgumentParser
import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// The copies of the graphs of programs that were killed or trapped.
struct DeadPrograms: Encodable {
  struct Entry: Encodable {
    var name: String?
    var pid: Int32
    var startedAt: Double
    /// The time at which the copy was made, in seconds since 1970.
    var lastSeenAt: Double?
    var nodes: Int?
    var liveNodes: Int?
    var subscriptions: Int?
    var file: String
  }

  var version = 1
  var programs: [Entry]
  var problems: [String]
  private var isAnyDirectoryRead = false

  private enum CodingKeys: String, CodingKey {
    case version, programs, problems
  }

  /// Prints the programs, the one last seen most recently first.
  static func list(json: Bool) throws {
    let list = try DeadPrograms()
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try Terminal.write(json: encoder.encode(list) + Data("\n".utf8))
    } else {
      for problem in list.problems { Terminal.note(problem) }
      if !list.programs.isEmpty {
        try Terminal.write(line: list.text)
      } else if list.problems.isEmpty {
        Terminal.note("No saved graph. Run a program with \(keepKey)=1 to save its graph when it is killed or traps.")
      }
    }
    guard list.isAnyDirectoryRead else { throw ExitCode(1) }
  }

  private static let keepKey = "SIGNALS_KEEP_GRAPH"

  private init() throws {
    (programs, problems) = ([], [])
    for directory in try SocketDirectory.searchList() {
      do {
        for file in try directory.keptGraphs() where try file.isLeft() { add(file) }
        isAnyDirectoryRead = true
      } catch {
        problems.append("\(error)".withVisibleControls)
      }
    }
    programs.sort { ($0.lastSeenAt ?? 0) > ($1.lastSeenAt ?? 0) }
  }

  private mutating func add(_ file: KeptGraphFile) {
    let socket = file.socket
    var entry = Entry(pid: socket.pid, startedAt: Double(socket.startedAtMilliseconds) / 1_000, file: file.path)
    do {
      let graph = try SnapshotFile.read(file.path, focus: GraphFocus())
      let summary = GraphSummary(of: graph)
      entry.name = graph.process.displayable.name
      (entry.lastSeenAt, entry.nodes, entry.liveNodes) = (graph.takenAt, summary.nodeCount, summary.liveNodeCount)
      entry.subscriptions = summary.subscriptionCount
    } catch {
      problems.append("\(error)".withVisibleControls)
    }
    programs.append(entry)
  }

  private var text: String {
    TextTable(
      columns: [
        .init(title: "NAME"), .init(title: "PID", isNumber: true), .init(title: "NODES", isNumber: true),
        .init(title: "ENDED", isNumber: true),
        .init(title: "SUBSCRIPTIONS", isNumber: true), .init(title: "SINCE"), .init(title: "LAST SEEN"),
        .init(title: "FILE"),
      ],
      rows: programs.map { entry in
        [
          entry.name ?? "-", "\(entry.pid)", ListedPrograms.words(entry.liveNodes),
          ListedPrograms.words(entry.liveNodes.flatMap { live in entry.nodes.map { $0 - live } }),
          ListedPrograms.words(entry.subscriptions), Self.words(entry.startedAt),
          entry.lastSeenAt.map(Self.words) ?? "-", entry.file,
        ]
      }
    ).lines.joined(separator: "\n")
  }

  private static func words(_ time: Double) -> String { Date(timeIntervalSince1970: time).formatted(.iso8601) }
}
