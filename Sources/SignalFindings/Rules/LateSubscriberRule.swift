import SignalGraph

/// Subscriptions that were created after their source had ended, so that no value could arrive. A subscription with a
/// closure for the end may wait for that, and is not reported.
///
/// The first subscription to an emitter that replays no values is late too, if at least 3 values were sent before it
/// (one before a loop or `firstValue()`), and none arrived in at least 10 seconds since, nor while the graph was
/// watched.
struct LateSubscriberRule: Rule {
  static let name = "late-subscriber"
  static let summary = "a subscription to a source that has ended"

  /// The minimum number of values sent before the first subscription.
  var least: UInt64 = 3
  /// The minimum time without a value since, in seconds.
  var silence = 10.0

  func findings(in observation: Observation) -> [Finding] {
    (afterTheEnd(in: observation) + afterAllValues(in: observation)).sorted { $0.place < $1.place }
  }

  /// First subscriptions that were created after the last value.
  private func afterAllValues(in observation: Observation) -> [Finding] {
    guard observation.time == .real, observation.seconds >= 1 else { return [] }
    let graph = observation.now
    // An operator may have rejected the replayed values, which the connection does not count.
    let missed = graph.snapshot.nodes.filter { node in
      node.valueCount > 0 && node.memoryLimit == nil && observation.hasStayed(node) && observation.values(of: node) == 0
        && graph.isEmitter(node) && graph.outputs[node.id]?.count == 1
    }
    return missed.compactMap { source -> Finding? in
      guard let edge = graph.outputs[source.id]?.first, edge.count == 0, var below = graph.nodes[edge.target] else {
        return nil
      }
      var seen: Set<UInt64> = [source.id]
      while seen.insert(below.id).inserted, below.valueCount == 0, let edges = graph.outputs[below.id] {
        guard edges.count == 1, edges[0].kind == .data || edges[0].kind == .hop, let next = graph.nodes[edges[0].target]
        else { return nil }
        below = next
      }
      // The emitter's node is created for the first subscription, after that subscription's own nodes.
      guard let definition = graph.definition(of: below), definition.isSubscription, below.id < source.id,
        below.valueCount == 0, source.valueCount >= (definition.isLoop == true ? 1 : least),
        let since = below.since, graph.snapshot.takenAt - since >= silence
      else { return nil }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "\(source.valueCount == 1 ? "1 value was" : "\(source.valueCount) values were") sent to \(graph.title(of: source)) before this first "
          + "subscription, and none since",
        remedy: "subscribe before the values are sent, or let the source replay them: "
          + Self.replays(of: source.valueCount),
        related: graph.definition(of: source).map { [.init("its values had no subscriber", at: Place($0))] } ?? [],
        nodes: [below.id, source.id])
    }
  }

  /// The sources that replay missed values.
  private static func replays(of count: UInt64) -> String {
    let last = "`Emitter(replay: 1)`, `Property`, `share(replay: 1)`"
    return count <= 1 ? last : last + " for the last one; a larger `replay:` for more of the \(count)"
  }

  /// Subscriptions that were created after the end.
  private func afterTheEnd(in observation: Observation) -> [Finding] {
    let graph = observation.now
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard let ends = definition.ends, ends.late > 0, definition.isSubscription else { return nil }
      let nodes = graph.nodesByDefinition[definition.id, default: []].filter { $0.state != .live && $0.valueCount == 0 }
      let source = nodes.lazy.map { graph.origin(of: $0) }.first { $0.state == .finished || $0.state == .failed }
      let related = source.flatMap { source in
        graph.definition(of: source).map { definition in
          Finding.Related(
            source.isReleased == true
              ? "\(graph.title(of: source)) was released, so it has finished"
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
          ? "retain the source while it must send: a signal does not retain its emitter"
          : "subscribe before the source ends, create a new source, or let it replay values: "
            + Self.replays(of: source?.valueCount ?? 1),
        related: related.map { [$0] } ?? [], nodes: nodes.map(\.id))
    }
  }
}
