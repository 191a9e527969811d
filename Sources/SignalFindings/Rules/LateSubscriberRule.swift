import SignalGraph

/// Subscriptions that were made when their source had ended already, so that no value could come. Those that have a closure for the end may wait for that.
struct LateSubscriberRule: Rule {
  static let name = "late-subscriber"
  static let summary = "a subscription to a source that has ended"

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard let ends = definition.ends, ends.late > 0, GraphView.isSubscriber(definition) else { return nil }
      let nodes = graph.nodesByDefinition[definition.id, default: []].filter { $0.state != .live && $0.valueCount == 0 }
      let source = nodes.lazy.map { graph.origin(of: $0) }.first { $0.state == .finished || $0.state == .failed }
      let related = source.flatMap { source in
        graph.definition(of: source).map { definition in
          Finding.Related(
            source.isReleased == true
              ? "nobody kept \(graph.title(of: source)), so it has finished"
              : "\(graph.title(of: source)) has \(source.state == .failed ? "failed" : "finished")",
            at: Place(definition))
        }
      }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: ends.late == 1
          ? "this subscription was made after its source had ended, so it never got a value"
          : "\(ends.late) subscriptions made here came after their source had ended, so they never got a value",
        remedy: source?.isReleased == true
          ? "keep the source for as long as it is to send: a signal does not keep its emitter"
          : "subscribe before the source ends, make a new source, or let it remember: `Emitter(replay: 1)`, `Property`, `share(replay: 1)`",
        related: related.map { [$0] } ?? [], nodes: nodes.map(\.id))
    }.sorted { $0.place < $1.place }
  }
}
