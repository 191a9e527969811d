import SignalGraph

/// Finds one kind of fault in a graph. It is a pure function: the same observation gives the same findings.
package protocol Rule: Sendable {
  /// Its name, of lower-case words with hyphens: what a finding, `--only` and `--ignore` name.
  static var name: String { get }
  /// What it finds, in a few words that begin a line of a list.
  static var summary: String { get }

  /// Makes it with the thresholds that its documentation tells.
  init()

  /// What it finds.
  ///
  /// - Parameter observation: One or two snapshots of a graph.
  /// - Returns: The findings, in the order of their places.
  func findings(in observation: Observation) -> [Finding]
}

/// All rules, and what they find together.
package enum Rules {
  /// The names of rules that find what a loop may cause below it.
  private static let ofLoops: Set = [BacklogRule.name, GlitchRule.name, StarvedRule.name]
  /// The names of rules that judge steps of other pipelines too.
  private static let ofReported: Set = [BacklogRule.name, BusyMainRule.name, GrowthRule.name, LeakRule.name]

  /// The rules, in the order in which documents list them.
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

  /// Whether later looks can show that a finding was a burst of values, which is worked off a moment later.
  package static func mayBeBurst(_ finding: Finding) -> Bool { finding.rule == BacklogRule.name }

  /// What all rules find, or some.
  ///
  /// - Parameters:
  ///   - observation: One or two snapshots of a graph.
  ///   - isWanted: Whether the rule of a name is asked; by default each is.
  /// - Returns: The findings: errors first, then those whose nodes most values have passed meanwhile, then by place.
  package static func findings(in observation: Observation, where isWanted: (String) -> Bool = { _ in true })
    -> [Finding]
  {
    var found = all.filter { isWanted($0.name) }.flatMap { $0.init().findings(in: observation) }
    // Steps of other pipelines declare nothing of themselves: few rules judge them.
    let reported = Set(observation.now.snapshot.definitions.filter { $0.isReported == true }.map(Place.init))
    found.removeAll { reported.contains($0.place) && !Self.ofReported.contains($0.rule) }
    // That an owner subscribes again says more than that there are more and more.
    let duplicates = Set(found.filter { $0.rule == DuplicateRule.name }.map(\.place))
    found.removeAll { $0.rule == GrowthRule.name && duplicates.contains($0.place) }
    // That a `catch` repeats itself says why its signals grow, and that all fail.
    let storms = Set(found.filter { $0.rule == RetryStormRule.name }.map(\.place))
    found.removeAll { [GrowthRule.name, SwallowedFailureRule.name].contains($0.rule) && storms.contains($0.place) }
    // Why values wait says more than that more and more do.
    let stalled = Set(found.filter { $0.rule == StalledRule.name }.flatMap(\.nodes))
    found.removeAll { $0.rule == BacklogRule.name && stalled.isSuperset(of: $0.nodes) }
    foldConsequences(of: &found, in: observation.now)
    // What a loop costs is told with the loop.
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

  /// Tells of what a loop causes below it in the loop's finding.
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

  /// How much of what the program does a finding concerns: how many values passed its nodes while the graph was watched.
  private static func cost(of finding: Finding, in observation: Observation) -> UInt64 {
    guard observation.before != nil else { return 0 }
    return finding.nodes.reduce(UInt64(0)) { sum, id in
      let values = observation.now.nodes[id].map(observation.values(of:)) ?? 0
      return sum > .max - values ? .max : sum + values
    }
  }
}
