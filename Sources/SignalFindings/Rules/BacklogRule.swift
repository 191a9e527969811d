import SignalGraph

/// Nodes at which more and more values wait.
///
/// Two snapshots at least a second apart are needed. Values must already have waited at the first, and at least 20 more
/// at the second, and more must have arrived than left. In each later snapshot, if there are any, at least 10 more than
/// at the first must still wait, except in a `zip`. So a burst that is soon handled is no fault. Values that
/// a `buffer(while:)` holds back are intended.
///
/// In a `zip`, the values without a counterpart from the other inputs wait. If the number of values since the
/// subscription is unknown, as in older snapshots, at least 100 must have arrived on one input, none ever on another,
/// and none may have left.
struct BacklogRule: Rule {
  static let name = "backlog"
  static let summary = "a place where more and more values wait"

  /// The minimum interval between the snapshots, in seconds.
  var watched = 1.0
  /// The minimum increase of the queue depth.
  var least: UInt64 = 20

  /// A node, with its queue depth and the increase.
  private struct Queue {
    let node: Node
    let waiting: UInt64
    let grown: UInt64
    let arrived: UInt64
    let left: UInt64
  }

  func findings(in observation: Observation) -> [Finding] {
    guard observation.seconds >= watched else { return [] }
    let graph = observation.now
    let queues = graph.snapshot.nodes.compactMap { self.queue($0, in: observation) }
    return Dictionary(grouping: queues, by: \.node.definition).compactMap { number, queues -> Finding? in
      guard let definition = graph.definitions[number], let first = queues.max(by: { $0.grown < $1.grown }) else {
        return nil
      }
      let source = graph.origin(of: first.node)
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "\(first.waiting) values wait at this \(definition.isLoop == true ? "loop" : "`\(definition.kind)`"), \(first.grown) more than "
          + "\(GrowthRule.text(observation.seconds)) before: \(first.arrived) came and \(first.left) went"
          // Values that waited before the watch began have waited longer.
          + (WaitWords.longest(at: first.node, in: observation).map { "; one has waited for at least \($0)" } ?? ""),
        remedy: Self.stoppedScheduler(of: first, definition).map { Self.remedy(stopped: graph.schedulers[$0]) }
          ?? Self.remedy(definition),
        related: source.id == first.node.id
          ? []
          : graph.definition(of: source).map {
            [.init("the values come from \(graph.title(of: source))", at: Place($0))]
          } ?? [],
        nodes: queues.map(\.node.id))
    }.sorted { $0.place < $1.place }
  }

  /// The scheduler of a hop that has delivered nothing; nil otherwise.
  private static func stoppedScheduler(of queue: Queue, _ definition: Definition) -> String? {
    queue.left == 0 && LostValuesRule.isHop(definition) ? queue.node.scheduler : nil
  }

  private static func remedy(stopped scheduler: String) -> String {
    "check that its scheduler, `\(scheduler)`, runs work: it ran nothing in this time, so it may be blocked, or nothing runs it"
  }

  private static func remedy(_ definition: Definition) -> String {
    let fewer = "let fewer come, with `throttle(for:on:latest:)`"
    if definition.isReported == true { return "do less for each value below it, or let fewer come" }
    let behavior = definition.behavior ?? []
    if behavior.contains(.subscribes) {
      return "do less in the loop for each value, set a limit with `values(buffering:)`, or \(fewer) above it"
    } else if behavior.contains(.pairs) {
      return "join latest values with `combineLatest` or `withLatest(from:)`, or \(fewer) above the faster input"
    } else if behavior.contains(.queuesInner) {
      return
        "do less for each value, or \(fewer) above it; if the order does not matter, use `flatMap(maxConcurrent:)`"
    } else if behavior.contains(.hops) {
      return "do less for each value, set a limit with `overflow:`, or \(fewer) above it"
    } else if !behavior.isDisjoint(with: [.runsInner, .runsTasks]) {
      return "raise `maxConcurrent:`, set a limit with `overflow:`, or \(fewer) above it"
    }
    return "do less for each value below it, or \(fewer) above it"
  }

  private func queue(_ node: Node, in observation: Observation) -> Queue? {
    let graph = observation.now
    guard observation.hasStayed(node), let definition = graph.definition(of: node),
      let behavior = definition.behavior, !behavior.contains(.holdsBack)
    else {
      return nil
    }
    if behavior.contains(.pairs) { return queue(inFrontOf: node, in: observation) }
    // The numbers are nil if nothing waits.
    guard let before = observation.before?.nodes[node.id],
      let waiting = node.waiting, let earlier = before.waiting, waiting >= earlier + least
    else { return nil }
    // In each later snapshot at least half of the least increase must remain. A burst is usually gone in one of them.
    guard observation.later.allSatisfy({ graph in (graph.nodes[node.id]?.waiting ?? 0) >= earlier + least / 2 }) else {
      return nil
    }
    let grown = waiting - earlier
    // A loop over `values()` counts the values that arrive, and a source those that are sent; neither counts those that
    // were taken.
    let inputs = (graph.inputs[node.id] ?? []).filter { $0.kind == .data || $0.kind == .hop }
    let passed = observation.values(of: node)
    let countsArrivals = inputs.isEmpty || definition.isSubscription
    let arrived =
      countsArrivals
      ? passed : inputs.compactMap { graph.nodes[$0.source] }.reduce(0) { $0 + observation.values(of: $1) }
    let left = countsArrivals ? arrived - min(arrived, grown) : passed
    guard arrived > left else { return nil }
    return Queue(node: node, waiting: waiting, grown: grown, arrived: arrived, left: left)
  }

  /// The values that wait in a `zip`, which emits one value for one of each input.
  private func queue(inFrontOf zip: Node, in observation: Observation) -> Queue? {
    let graph = observation.now
    let edges = graph.inputs[zip.id] ?? []
    let inputs = edges.compactMap { graph.nodes[$0.source] }
    let left = observation.values(of: zip)
    let queues = edges.compactMap { edge -> Queue? in
      let arrived = observation.values(by: edge)
      guard arrived >= left + least else { return nil }
      let grown = arrived - left
      if let inLife = observation.valuesInLife(by: edge) {
        guard inLife > zip.valueCount + grown else { return nil }
        return Queue(node: zip, waiting: inLife - zip.valueCount, grown: grown, arrived: arrived, left: left)
      }
      // A source may have sent values before it had this subscriber.
      guard grown >= 100, left == 0, inputs.contains(where: { $0.valueCount == 0 }) else { return nil }
      return Queue(node: zip, waiting: grown, grown: grown, arrived: arrived, left: left)
    }
    return queues.max { $0.grown < $1.grown }
  }
}
