import SignalGraph

/// Failures that reached a subscriber without a closure for them.
///
/// They are counted for each location, so they are reported however long ago they occurred.
struct UnhandledFailureRule: Rule {
  static let name = "unhandled-failure"
  static let summary = "a failure that reached a subscriber without `onFailure:`"

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard let ends = definition.ends, ends.unhandled > 0 else { return nil }
      let failed = graph.nodesByDefinition[definition.id, default: []].filter { $0.state == .failed }
      let thrower = failed.reversed().lazy.compactMap(graph.thrower).first
      // A timeout is due to a pause, not to a value.
      let isForOneValue =
        thrower.map { !graph.behavior(of: $0).contains(.timesOut) } == true
        && failed.contains(where: graph.hasFailedForOneValue)
      let error = ends.lastUnhandled.map { ": \($0.prefix(200))" } ?? ""
      return Finding(
        rule: Self.name, severity: .error, place: Place(definition),
        message: ends.unhandled == 1
          ? "this subscription ended with an unhandled failure\(error)"
          : "\(ends.unhandled) subscriptions made here ended with an unhandled failure, the last one\(error)",
        remedy: isForOneValue
          ? "\(SwallowedFailureRule.remedyForOneValue); a `subscribe` can have an `onFailure:` too"
          : "recover above it with `catch` or `retry`; a `subscribe` can have an `onFailure:` too",
        related: thrower.flatMap { node in
          graph.definition(of: node).map { [.init("\(graph.title(of: node)) failed", at: Place($0))] }
        } ?? [],
        nodes: failed.map(\.id))
    }.sorted { $0.place < $1.place }
  }
}
