import SignalGraph

/// Nodes in which more and more values wait.
///
/// It takes two snapshots, at least a second apart, and further ones if there are any, at each of which about as many must wait. Values have to have waited at the first already, and at least 20 more at the second; and more
/// have to have come than went. So a burst that is worked off is no fault. What a `buffer(while:)` holds back is asked for.
///
/// In a `zip` those values wait that the other inputs have no counterpart for. Where it is not known how many have come from the beginning, as in older
/// snapshots, at least 100 have to have come on one side, none on another one ever, and none may have gone.
struct BacklogRule: Rule {
  static let name = "backlog"
  static let summary = "a place where more and more values wait"

  /// How long it has to be watched, in seconds.
  var watched = 1.0
  /// How many values more have to wait.
  var least: UInt64 = 20

  /// A node, and how many values more wait.
  private struct Queue {
    let node: Node
    let waiting: UInt64
    let grown: UInt64
    let came: UInt64
    let went: UInt64
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
          + "\(GrowthRule.text(observation.seconds)) before: \(first.came) came and \(first.went) went"
          // Those that waited before it was watched have waited for longer.
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

  /// The scheduler that has delivered nothing to a hop, if there is one.
  private static func stoppedScheduler(of queue: Queue, _ definition: Definition) -> String? {
    queue.went == 0 && LostValuesRule.isHop(definition) ? queue.node.scheduler : nil
  }

  private static func remedy(stopped scheduler: String) -> String {
    "see that its scheduler, `\(scheduler)`, runs work: it ran nothing meanwhile, so something on it may be blocked, or nobody serves it"
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
      return "do less for each value, or \(fewer) above it"
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
    guard let before = observation.before?.nodes[node.id],
      let waiting = node.waiting, let earlier = before.waiting, waiting >= earlier + least
    else { return nil }
    // A burst that is worked off has gone, at one of several moments.
    guard observation.later.allSatisfy({ look in (look.nodes[node.id]?.waiting ?? 0) >= earlier + least / 2 }) else {
      return nil
    }
    let grown = waiting - earlier
    // A loop over `values()` counts what comes, and a source what is sent; they do not tell what was taken.
    let inputs = (graph.inputs[node.id] ?? []).filter { $0.kind == .data || $0.kind == .hop }
    let passed = observation.values(of: node)
    let came =
      inputs.isEmpty || definition.isSubscription
      ? passed : inputs.compactMap { graph.nodes[$0.source] }.reduce(0) { $0 + observation.values(of: $1) }
    let went = inputs.isEmpty || definition.isSubscription ? came - min(came, grown) : passed
    guard came > went else { return nil }
    return Queue(node: node, waiting: waiting, grown: grown, came: came, went: went)
  }

  /// What waits in a `zip`: it gives one value for each one of each input.
  private func queue(inFrontOf zip: Node, in observation: Observation) -> Queue? {
    let graph = observation.now
    let edges = graph.inputs[zip.id] ?? []
    let inputs = edges.compactMap { graph.nodes[$0.source] }
    let went = observation.values(of: zip)
    let queues = edges.compactMap { edge -> Queue? in
      let came = observation.values(by: edge)
      guard came >= went + least else { return nil }
      let grown = came - went
      if let inLife = observation.valuesInLife(by: edge) {
        guard inLife > zip.valueCount + grown else { return nil }
        return Queue(node: zip, waiting: inLife - zip.valueCount, grown: grown, came: came, went: went)
      }
      // A source may have sent values before anybody was here.
      guard grown >= 100, went == 0, inputs.contains(where: { $0.valueCount == 0 }) else { return nil }
      return Queue(node: zip, waiting: grown, grown: grown, came: came, went: went)
    }
    return queues.max { $0.grown < $1.grown }
  }
}
