import Foundation
import SignalAttach
import SignalGraph
import Testing

@testable import SignalInspector

/// A directory of its own, removed afterwards.
final class TemporaryDirectory {
  let path: String
  init() throws {
    path = "/tmp/si-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  var sockets: SocketDirectory { get throws { try SocketDirectory(path: path) } }
}

extension GraphProvider {
  static func fixed(_ nodes: Int, text: String? = nil) -> GraphProvider {
    let graph = GraphSnapshot(
      process: .current, takenAt: 1,
      definitions: [Definition(id: 1, kind: "map", fileID: "App/Feed.swift", line: 42, function: "f()")],
      nodes: (0..<nodes).map { Node(id: UInt64($0), definition: 1, name: "n\($0)", lastValue: text) },
      edges: (1..<max(1, nodes)).map { Edge(source: UInt64($0 - 1), target: UInt64($0)) })
    return GraphProvider(
      snapshot: { graph },
      observe: { id in
        graph.nodes.first { $0.id == id }.map { NodeObservation(node: $0.id, state: .live, valueCount: 1) }
      }
    )
  }
}

/// Runs `body` with an inspector that serves `graph`, and stops it whatever happens.
func withInspector(
  _ graph: GraphProvider = .fixed(3), limits: InspectorLimits = InspectorLimits(),
  clock: InspectorClock = InspectorClock(), _ body: (String, SocketDirectory) throws -> Void
) async throws {
  let directory = try TemporaryDirectory()
  let inspector = try SignalInspector.start(in: directory.sockets, serving: graph, limits: limits, clock: clock)
  let result = Result { try body(inspector.socketPath, try directory.sockets) }
  await inspector.stop()
  #expect(!FileManager.default.fileExists(atPath: inspector.socketPath))
  try result.get()
}

/// Asks again until `condition` holds; records an issue after five minutes.
///
/// A client that is refused while it writes may find its connection reset; so a condition that connects takes an error as "not yet".
func eventually(_ what: String, _ condition: () throws -> Bool) rethrows {
  let end = ContinuousClock.now + .seconds(300)
  while ContinuousClock.now < end { if try condition() { return } }
  Issue.record("never happened: \(what)")
}
