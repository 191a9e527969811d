import SignalGraph

/// Finds one kind of fault in a graph. It is a pure function: the same observation gives the same findings.
public protocol Rule: Sendable {
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

/// All rules of this room, and what they find together.
public enum Rules {
  /// The names of rules that judge steps of other pipelines too.
  private static let ofReported: Set = [BacklogRule.name, BusyMainRule.name, GrowthRule.name, LeakRule.name]

  /// The rules, in the order in which documents list them.
  public static let all: [any Rule.Type] = [
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

  /// What all rules find, or some.
  ///
  /// - Parameters:
  ///   - observation: One or two snapshots of a graph.
  ///   - isWanted: Whether the rule of a name is asked; by default each is.
  /// - Returns: The findings: errors first, then by place.
  public static func findings(in observation: Observation, where isWanted: (String) -> Bool = { _ in true })
    -> [Finding]
  {
    var found = all.filter { isWanted($0.name) }.flatMap { $0.init().findings(in: observation) }
    // Rules that know operators by their kinds know nothing of steps of other pipelines, whatever those are called.
    let reported = Set(observation.now.snapshot.definitions.filter { $0.isReported == true }.map(Place.init))
    found.removeAll { reported.contains($0.place) && !Self.ofReported.contains($0.rule) }
    // That an owner subscribes again says more than that there are more and more.
    let duplicates = Set(found.filter { $0.rule == DuplicateRule.name }.map(\.place))
    found.removeAll { $0.rule == GrowthRule.name && duplicates.contains($0.place) }
    // Why values wait says more than that more and more do.
    let stalled = Set(found.filter { $0.rule == StalledRule.name }.flatMap(\.nodes))
    found.removeAll { $0.rule == BacklogRule.name && stalled.isSuperset(of: $0.nodes) }
    // What a loop costs is told with the loop.
    let loops = Set(found.filter { $0.rule == FeedbackLoopRule.name }.flatMap(\.nodes))
    found.removeAll { $0.rule == BusyMainRule.name && loops.isSuperset(of: $0.nodes) }
    return found.enumerated().sorted { first, second in
      let (isFirstError, isSecondError) = (first.element.severity == .error, second.element.severity == .error)
      if isFirstError != isSecondError { return isFirstError }
      if first.element.place != second.element.place { return first.element.place < second.element.place }
      return first.offset < second.offset
    }.map(\.element)
  }
}
