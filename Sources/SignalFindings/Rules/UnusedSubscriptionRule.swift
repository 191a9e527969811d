import SignalGraph

/// Subscriptions that all ended at once, before a value arrived, because their token or bag was released.
///
/// A location is reported if at least one subscription was created there, all were released within ten milliseconds
/// without a value, and none is alive. Explicit disposals do not count as releases. A subscription that is bound to an
/// object counts if the object was deallocated before the first value, or at that time. A loop is not reported: it has
/// no token, and an operator of asynchronous sequences may release an iterator that it no longer needs. In a test
/// everything ends that soon. There each subscription must have been released before its source sent a value, and the
/// source must send values at another time.
struct UnusedSubscriptionRule: Rule {
  static let name = "unused-subscription"
  static let summary = "a subscription that is disposed as soon as it is made"

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let alive = Set(graph.snapshot.nodes.filter { $0.state == .live }.map(\.definition))
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard let ends = definition.ends, !alive.contains(definition.id), definition.isSubscription,
        definition.isLoop != true
      else { return nil }
      let count = observation.time == .real ? ends.unused : ends.released
      let nodes = graph.nodesByDefinition[definition.id, default: []]
      guard count > 0, count == ends.total,
        observation.time == .real || nodes.contains(where: { graph.hasSourceThatSent(above: $0) })
      else { return nil }
      let owner = nodes.allSatisfy { $0.ownerID != nil } ? nodes.first?.owner : nil
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: owner.map { Self.message(count, endingWith: $0) } ?? Self.message(count),
        remedy: owner == nil
          ? "keep the token that `subscribe` returns: store it in a property, or in a `DisposeBag` that is stored in one; a subscription ends with its token, and with its bag"
          : "retain the bag and the owner while values must arrive: a subscription ends with either; a bag in a local variable is released when the "
            + "function returns",
        nodes: nodes.map(\.id))
    }.sorted { $0.place < $1.place }
  }

  private static func message(_ count: UInt64) -> String {
    count == 1
      ? "this subscription was disposed as soon as it was made, before a value came"
      : "each of the \(count) subscriptions made here was disposed as soon as it was made, before a value came"
  }

  private static func message(_ count: UInt64, endingWith owner: String) -> String {
    count == 1
      ? "this subscription ended before the first value, because its owner, `\(owner)`, or its bag was released"
      : "each of the \(count) subscriptions made here ended before the first value, because its owner, `\(owner)`, or its bag was released"
  }
}
