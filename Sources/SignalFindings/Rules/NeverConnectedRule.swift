import SignalGraph

/// Signals of `multicast` that have subscribers, but were never connected.
///
/// A subscriber must have waited for 10 seconds. The signal must have emitted no value, and must have no live input in
/// either snapshot.
struct NeverConnectedRule: Rule {
  static let name = "never-connected"
  static let summary = "a `multicast` that has subscribers and was never connected"

  /// The minimum time that a subscriber has waited, in seconds.
  var patience = 10.0

  func findings(in observation: Observation) -> [Finding] {
    // The arbitrary duration of a test means nothing.
    guard observation.time != .none else { return [] }
    let graph = observation.now
    let sources = graph.snapshot.nodes.filter { node in
      node.state == .live && node.valueCount == 0 && node.since == nil
        && graph.behavior(of: node).contains(.waitsForConnection)
        && !isConnected(node, in: graph) && !(observation.before.map { isConnected(node, in: $0) } ?? false)
        && waiting(below: node, in: graph).contains { $0 >= patience }
    }
    return Dictionary(grouping: sources, by: \.definition).compactMap { number, nodes -> Finding? in
      guard let definition = graph.definitions[number],
        let longest = nodes.flatMap({ waiting(below: $0, in: graph) }).max()
      else { return nil }
      let count = nodes.map { waiting(below: $0, in: graph).count }.max() ?? 0
      let wasConnected = nodes.contains { graph.inputs[$0.id] != nil }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "a subscriber has waited for \(GrowthRule.text(longest)) at this `multicast`, "
          + (wasConnected ? "whose connection ended without a value" : "which was never connected"),
        remedy:
          "call `connect()` after all have subscribed, and retain its result; or use `autoconnect()` or `share()`, which connect by themselves"
          + (wasConnected ? "" : Self.hint(subscribers: count)),
        related: nodes.flatMap { graph.outputs[$0.id] ?? [] }.prefix(3).compactMap { edge in
          graph.nodes[edge.target].flatMap { graph.definition(of: $0) }.map {
            .init("this `\($0.kind)` waits", at: Place($0))
          }
        },
        nodes: nodes.map(\.id))
    }.sorted { $0.place < $1.place }
  }

  /// The hint for a signal that waits for more subscribers.
  private static func hint(subscribers count: Int) -> String {
    "; if it has an `autoconnect(after:)`, lower its number: only \(count) \(count == 1 ? "subscriber has" : "subscribers have") come"
  }

  private func isConnected(_ node: Node, in graph: GraphView) -> Bool {
    (graph.inputs[node.id] ?? []).contains { graph.nodes[$0.source]?.state == .live }
  }

  /// The times for which live nodes directly below a node have waited, in seconds.
  private func waiting(below node: Node, in graph: GraphView) -> [Double] {
    (graph.outputs[node.id] ?? []).compactMap { edge in
      guard let next = graph.nodes[edge.target], next.state == .live, let since = next.since else { return nil }
      return graph.snapshot.takenAt - since
    }
  }
}
