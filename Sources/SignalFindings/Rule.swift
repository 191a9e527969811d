import SignalGraph

/// Finds one kind of fault in a graph. It is a pure function: the same observation gives the same findings.
package protocol Rule: Sendable {
  /// Its name, in lower-case words with hyphens, as in a finding, `--only` and `--ignore`.
  static var name: String { get }
  /// A short description of the fault, for a line of a list.
  static var summary: String { get }

  /// Creates it with the thresholds in its documentation.
  init()

  /// Finds the faults of this kind.
  ///
  /// - Parameter observation: One or two snapshots of a graph.
  /// - Returns: The findings, sorted by source location.
  func findings(in observation: Observation) -> [Finding]
}

/// All rules, and their combined findings.
package enum Rules {
  /// The names of the rules whose faults a loop may cause below it.
  private static let ofLoops: Set = [BacklogRule.name, GlitchRule.name, StarvedRule.name]
  /// The names of the rules that apply to steps of other pipelines too.
  private static let ofReported: Set = [BacklogRule.name, BusyMainRule.name, GrowthRule.name, LeakRule.name]

  /// The rules, in the order of the documentation.
  package static let all: [any Rule.Type] = [
    LeakRule.self,
    GrowthRule.self,
    DuplicateRule.self,
    UnhandledFailureRule.self,
    SwallowedFailureRule.self,
    UnusedSubscriptionRule.self,
    NoEffectRule.self,
    LateSubscriberRule.self,
    SentAfterEndRule.self,
    FeedbackLoopRule.self,
    BusyMainRule.self,
    LostValuesRule.self,
    GlitchRule.self,
    OrderDependentRule.self,
    StarvedRule.self,
    StalledRule.self,
    BacklogRule.self,
    RepeatedSourceRule.self,
    RetryStormRule.self,
    TimeoutRule.self,
    NeverConnectedRule.self,
  ]

  /// Whether later snapshots can show that a finding was only a burst of values, which is handled a moment later.
  package static func mayBeBurst(_ finding: Finding) -> Bool { finding.rule == BacklogRule.name }

  /// The findings of all rules, or of some.
  ///
  /// - Parameters:
  ///   - observation: One or two snapshots of a graph.
  ///   - isWanted: Whether to apply the rule with a name; by default all are applied.
  /// - Returns: The findings: errors first, then those whose nodes passed most values while the graph was watched, then
  ///   by source location.
  package static func findings(in observation: Observation, where isWanted: (String) -> Bool = { _ in true })
    -> [Finding]
  {
    var found = all.filter { isWanted($0.name) }.flatMap { $0.init().findings(in: observation) }
    // Steps of other pipelines declare no behaviour, so few rules apply to them.
    let reported = Set(observation.now.snapshot.definitions.filter { $0.isReported == true }.map(Place.init))
    found.removeAll { reported.contains($0.place) && !Self.ofReported.contains($0.rule) }
    // A repeated subscription of an owner explains the growth.
    let duplicates = Set(found.filter { $0.rule == DuplicateRule.name }.map(\.place))
    found.removeAll { $0.rule == GrowthRule.name && duplicates.contains($0.place) }
    // A `catch` that subscribes to the same failing signal again explains why its signals grow, and why all fail.
    let storms = Set(found.filter { $0.rule == RetryStormRule.name }.map(\.place))
    found.removeAll { [GrowthRule.name, SwallowedFailureRule.name].contains($0.rule) && storms.contains($0.place) }
    // A stalled operator explains why values wait. The findings of both rules have nodes.
    let stalled = Set(found.filter { $0.rule == StalledRule.name }.flatMap(\.nodes))
    found.removeAll { $0.rule == BacklogRule.name && stalled.isSuperset(of: $0.nodes) }
    foldConsequences(of: &found, in: observation.now)
    // The finding of a loop includes its cost.
    let loops = Set(found.filter { $0.rule == FeedbackLoopRule.name }.flatMap(\.nodes))
    found.removeAll { $0.rule == BusyMainRule.name && loops.isSuperset(of: $0.nodes) }
    let costs = found.map { cost(of: $0, in: observation) }
    return zip(found, costs).enumerated().sorted { first, second in
      let (one, other) = (first.element.0, second.element.0)
      if one.severity != other.severity { return one.severity == .error }
      if first.element.1 != second.element.1 { return first.element.1 > second.element.1 }
      if one.place != other.place { return one.place < other.place }
      return first.offset < second.offset
    }.map(\.element.0)
  }

  /// Adds the consequences of a loop, below it, to the loop's finding.
  private static func foldConsequences(of found: inout [Finding], in graph: GraphView) {
    for loop in found where loop.rule == FeedbackLoopRule.name {
      let sources = loop.nodes.flatMap { graph.feedbackOutputs[$0, default: []].map(\.target) }
      let below = graph.reachable(from: sources)
      let consequences = found.filter {
        ofLoops.contains($0.rule) && !$0.nodes.isEmpty && below.isSuperset(of: $0.nodes)
      }
      guard !consequences.isEmpty, let index = found.firstIndex(of: loop) else { continue }
      found[index].related += consequences.map { .init("a consequence: \($0.message) (\($0.rule))", at: $0.place) }
      found.removeAll { consequences.contains($0) }
    }
  }

  /// The weight of a finding: the number of values that passed its nodes while the graph was watched.
  private static func cost(of finding: Finding, in observation: Observation) -> UInt64 {
    guard observation.before != nil else { return 0 }
    return finding.nodes.reduce(UInt64(0)) { sum, id in
      let values = observation.now.nodes[id].map(observation.values(of:)) ?? 0
      return sum > .max - values ? .max : sum + values
    }
  }
}
