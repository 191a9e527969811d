import SignalGraph

/// Emitters, and sources made with `Signal { }`, that values are sent to after their end, without a receiver.
///
/// At least 3 values must have been sent to one emitter after its end. For a `Signal { }`, one subscription must have
/// ended before the first of two snapshots, and at least 3 values must have been sent to it between them. Tests are not
/// checked: they send such values on purpose.
struct SentAfterEndRule: Rule {
  static let name = "sent-after-end"
  static let summary = "values that are sent to a source after its end"

  /// The minimum number of values that one emitter dropped.
  var least: UInt64 = 3

  func findings(in observation: Observation) -> [Finding] {
    guard observation.time == .real else { return [] }
    return (emitters(in: observation) + producers(in: observation)).sorted { $0.place < $1.place }
  }

  /// Sources that keep working for subscriptions that have ended.
  private func producers(in observation: Observation) -> [Finding] {
    guard let before = observation.before else { return [] }
    let graph = observation.now
    func late(_ node: Node) -> UInt64 {
      guard node.state != .live, let earlier = before.nodes[node.id], earlier.state != .live,
        graph.behavior(of: node).contains(.startsWork)
      else { return 0 }
      let (count, known) = (node.dropped ?? 0, earlier.dropped ?? 0)
      return count - min(count, known)
    }
    let working = graph.snapshot.nodes.filter { late($0) >= least }
    return Dictionary(grouping: working, by: \.definition).compactMap { number, nodes -> Finding? in
      guard let definition = graph.definitions[number] else { return nil }
      let values = nodes.reduce(UInt64(0)) { $0 + late($1) }
      let (count, seconds) = (nodes.count, GrowthRule.text(observation.seconds))
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "this `\(definition.kind)` sent \(values) values in \(seconds) after \(count == 1 ? "its subscription" : "the subscriptions") had ended: it keeps working",
        remedy:
          "stop the work with the subscription: pass disposables to `producer.own(_:)`, or stop it in `producer.onDisposal { }`",
        nodes: nodes.map(\.id))
    }
  }

  private func emitters(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let ended = graph.snapshot.nodes.filter { node in
      (node.state == .finished || node.state == .failed) && node.dropped ?? 0 >= least
        && graph.isEmitter(node)
    }
    return Dictionary(grouping: ended, by: \.definition).compactMap { number, nodes -> Finding? in
      guard let definition = graph.definitions[number], let first = nodes.first else { return nil }
      let values = nodes.reduce(UInt64(0)) { $0 + ($1.dropped ?? 0) }
      let endings = Array(senders(to: nodes, ended: true, in: graph).prefix(3))
      let end = nodes.contains { $0.state == .failed } ? "failed" : "finished"
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: nodes.count == 1
          ? "\(values) values were sent to \(graph.title(of: first)) after it had \(end): they were dropped"
          : "\(values) values were sent to \(nodes.count) emitters made here after they had \(end): they were dropped",
        remedy: endings.isEmpty
          ? "end it after the last value, or stop the code that sends to it; to continue after an end, create a new emitter"
          : "leave out `includingEnd: true` if several signals are bound to it; or end it after the last value",
        related: endings.map {
          .init("this binding has ended; with `includingEnd: true` it ends \(graph.title(of: first)) too", at: $0)
        }
          + senders(to: nodes, ended: false, in: graph).prefix(3).map { .init("this handler sends to it", at: $0) },
        nodes: nodes.map(\.id))
    }
  }

  /// The locations of handlers that send to one of the nodes, or have done so and ended.
  private func senders(to nodes: [Node], ended isEnded: Bool, in graph: GraphView) -> [Place] {
    let handlers = nodes.flatMap { graph.feedbackInputs[$0.id] ?? [] }.compactMap { graph.nodes[$0.source] }
    return Set(
      handlers.filter { ($0.state == .finished || $0.state == .failed) == isEnded }.compactMap(graph.definition)
        .map { Place($0) }
    ).sorted()
  }
}
