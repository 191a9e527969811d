import SignalGraph

/// Subscriptions of which each ended at once, before a value had come, as nobody kept the token, or the bag with it.
///
/// A place is reported when at least one subscription was made there, all of them were let go of within ten milliseconds without a value, and
/// none lives. Those that the program disposed do not count. In a test everything is soon over: there each has to have been let go of before
/// its source sent a value, and the source has to send values at another time. Subscriptions that end with an object were let go of when that was gone
/// before a value came, or with it.
struct UnusedSubscriptionRule: Rule {
  static let name = "unused-subscription"
  static let summary = "a subscription that is disposed as soon as it is made"

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let alive = Set(graph.snapshot.nodes.filter { $0.state == .live }.map(\.definition))
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard let ends = definition.ends, !alive.contains(definition.id), definition.isSubscription else {
        return nil
      }
      let count = observation.time == .real ? ends.unused : ends.released
      let nodes = graph.nodesByDefinition[definition.id, default: []]
      guard count > 0, count == ends.total,
        observation.time == .real || nodes.contains(where: { graph.origin(of: $0).valueCount > 0 })
      else { return nil }
      let owner = nodes.allSatisfy { $0.ownerID != nil } ? nodes.first?.owner : nil
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: owner.map { Self.message(count, endingWith: $0) } ?? Self.message(count),
        remedy: owner == nil
          ? "keep what `subscribe` returns: store it in a property, or in a `DisposeBag` that is kept in one; a subscription ends with its token, and with its bag"
          : "keep the bag and the owner for as long as values are to come: a subscription ends with either; a bag in a local variable is gone when the "
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
      ? "this subscription ended before the first value, as its owner, `\(owner)`, or the bag that kept it was gone"
      : "each of the \(count) subscriptions made here ended before the first value, as its owner, `\(owner)`, or the bag that kept it was gone"
  }
}
