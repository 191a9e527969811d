import SignalFindings
import SignalGraph
import Signals

/// One scope that is checked for faults of any kind: leaks, unhandled failures, and findings of the rules.
struct HealthCheck: Sendable {
  let recorder: GraphRecorder
  private let leakCheck: LeakCheck
  private let failures: FailureLog
  private let watch: HealthWatch
  private let allowance: HealthAllowance

  /// The rules that SignalTesting checks itself.
  private static let ownRules: Set = [leakRule, growthRule, failureRule]
  private static let leakRule = "leak"
  private static let growthRule = "growth"
  private static let failureRule = "unhandled-failure"

  init(_ allowance: HealthAllowance) {
    self.allowance = allowance
    failures = FailureLog()
    leakCheck = LeakCheck(
      ignoring: allowance.ignoredNames, allowing: allowance.allowedNames, failures: failures)
    recorder = leakCheck.recorder
    watch = HealthWatch(recorder)
  }

  // MARK: Running

  /// Runs the body.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try failures.collect { try leakCheck.record(body) }
  }

  /// Runs an asynchronous body.
  func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await failures.collect { try await leakCheck.record(body) }
  }

  /// Runs one of several rounds: growth is judged, and not which objects are alive.
  func runRound(_ body: () throws -> Void) rethrows {
    try failures.collect { try recorder.record(body) }
  }

  /// Runs one of several asynchronous rounds.
  func runRound(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void) async rethrows {
    try await failures.collect { try await recorder.record(body) }
  }

  /// Discards the recording: the body has thrown.
  func abandon() {
    _ = watch.end()
    recorder.close()
  }

  // MARK: Judging

  /// The reports at the end, and the allowances that were used.
  struct Verdict: Sendable {
    var failures: [(message: String, source: MarbleSource)] = []
    /// Findings of lower weight.
    var warnings: [(message: String, source: MarbleSource)] = []
    var leaks: LeakReport?
    var used: Set<HealthAllowance.Needed> = []
  }

  /// The leaks after one run; waits on this thread.
  ///
  /// - Parameter names: Names of chains that were allowed later.
  func leaks(allowing names: Set<String> = []) -> [Leak] { leakCheck.leaks(allowing: names) }

  /// The leaks after one run; waits without blocking the thread.
  func leaks() async -> [Leak] { await leakCheck.leaks() }

  /// The number of live objects after a round.
  func census(after earlier: GrowthCensus?) -> GrowthCensus { leakCheck.census(after: earlier) }

  /// The number of live objects after a round.
  func census(after earlier: GrowthCensus?) async -> GrowthCensus { await leakCheck.census(after: earlier) }

  /// Judges one run.
  ///
  /// - Parameters:
  ///   - late: Allowances that were added in the meantime.
  ///   - holders: Possible owners of the leaked objects.
  ///   - locate: Returns the location of the test, if the call site does not contain it; called only if there is
  ///     something to report.
  func verdict(
    _ leaks: [Leak], at place: MarbleSource, allowing late: HealthAllowance? = nil, holders: [PropertyPath.Holder] = [],
    locate: () -> MarbleSource? = { nil }
  ) -> Verdict {
    let allowance = allowance.joined(with: late)
    var verdict = Verdict()
    let names = Set(leakCheck.unusedAllowances(late?.allowedNames ?? []))
    verdict.used = Set(allowance.allowedNames.subtracting(names).map(HealthAllowance.Needed.chain))
    let findings = findings(allowance, &verdict.used)
    let isLeakTold = allowance.tells(Self.leakRule, leaks.isEmpty ? 0 : leaks.count, &verdict.used)
    // It discards the recording, so it comes last.
    let report = leakCheck.conclude(
      isLeakTold ? leaks : [], at: place, allowing: late?.namesThatMayStay ?? [], holders: holders)
    let told = Set(isLeakTold ? leaks.compactMap { $0.site.map { Place($0) } } : [])
    verdict.leaks = report
    verdict.failures = failures(allowance, at: place, &verdict.used)
    let news = findings.filter { !told.contains($0.place) }
    let neighbour = news.isEmpty ? nil : locate()
    verdict.add(news, at: place, near: neighbour ?? place)
    return verdict
  }

  /// Judges several rounds.
  func verdict(_ growth: GrowthCheck, at place: MarbleSource) -> Verdict {
    var verdict = Verdict()
    let allowed = allowance.allowedNames
    verdict.used = Set(allowed.subtracting(growth.unused(allowed)).map(HealthAllowance.Needed.chain))
    let findings = findings(allowance, &verdict.used)
    let grown = growth.failures(recorder, ignoring: allowance.namesThatMayStay, at: place)
    recorder.close()
    verdict.failures = failures(allowance, at: place, &verdict.used)
    if allowance.tells(Self.growthRule, grown.count, &verdict.used) {
      verdict.failures += grown.map { ("\(Self.growthRule): \($0.message)", $0.source) }
    }
    verdict.add(findings, at: place, near: place)
    return verdict
  }

  /// The findings of the rules, without the allowed ones.
  private func findings(_ allowance: HealthAllowance, _ used: inout Set<HealthAllowance.Needed>) -> [Finding] {
    var sights = watch.end()
    let now = recorder.snapshot()
    sights.append(HealthSight(now: now, findings: Rules.findings(in: Observation(now, time: .none))))
    var told: Set<HealthFault> = []
    var result: [Finding] = []
    for sight in sights {
      let chains = ChainNames(sight.now)
      for finding in sight.findings where !Self.ownRules.subtracting([Self.leakRule]).contains(finding.rule) {
        // SignalTesting's own subscriptions are no fault of the test.
        guard !finding.place.isInKit, !told.contains(HealthFault(finding)) else { continue }
        let names = finding.nodes.map { chains.names(of: $0) }
        if !names.isEmpty, names.allSatisfy({ !$0.isDisjoint(with: allowance.namesThatMayStay) }) {
          let needed = names.reduce(into: Set()) { $0.formUnion($1) }.intersection(allowance.allowedNames)
          used.formUnion(needed.map(HealthAllowance.Needed.chain))
          // Later the same place may be at fault in a chain that has none of these names.
          continue
        }
        told.insert(HealthFault(finding))
        if allowance.tells(finding.rule, 1, &used) { result.append(finding) }
      }
    }
    return result
  }

  /// The unhandled failures.
  private func failures(
    _ allowance: HealthAllowance, at place: MarbleSource, _ used: inout Set<HealthAllowance.Needed>
  ) -> [(message: String, source: MarbleSource)] {
    let found = failures.conclude(at: place)
    guard allowance.tells(Self.failureRule, found.count, &used) else { return [] }
    return found.map { failure in
      let lines = ["\(Self.failureRule): \(failure.message)", HealthReport.words(for: place)].compactMap { $0 }
      return (lines.joined(separator: "\n  "), failure.source)
    }
  }
}

extension HealthAllowance {
  /// Names of chains that are not reported.
  var namesThatMayStay: Set<String> { ignoredNames.union(allowedNames) }

  /// Whether to report a number of findings of a rule; an allowance for it is used then.
  fileprivate func tells(_ rule: String, _ count: Int, _ used: inout Set<Needed>) -> Bool {
    guard count > 0 else { return false }
    if allowedRules.contains(rule) {
      used.insert(.rule(rule))
      return false
    }
    return !ignoredRules.contains(rule)
  }

  /// The allowances with those that were added later.
  fileprivate func joined(with late: HealthAllowance?) -> HealthAllowance {
    guard let late else { return self }
    return HealthAllowance(
      ignoredRules: ignoredRules.union(late.ignoredRules), ignoredNames: ignoredNames.union(late.ignoredNames),
      allowedRules: allowedRules.union(late.allowedRules), allowedNames: allowedNames.union(late.allowedNames))
  }

  /// The messages about unknown rules.
  var unknownRules: [String] {
    let known = Rules.all.map { $0.name }
    return ignoredRules.union(allowedRules).subtracting(known).sorted().map { name in
      """
      there is no rule "\(name)"
        The rules are: \(known.joined(separator: ", ")).
        Pass names of chains to ignoringChains: or allowingChains:.
      """
    }
  }
}

extension Place {
  fileprivate init(_ site: Site) {
    self.init(fileID: site.fileID, line: site.line, function: site.function)
  }

  fileprivate var isInKit: Bool { fileID.hasPrefix("SignalTesting/") || fileID.hasPrefix("Signals/") }
}

/// The names in the chains of a snapshot.
private struct ChainNames {
  private let view: GraphView

  init(_ snapshot: GraphSnapshot) { view = GraphView(snapshot) }

  /// The names in the chain of a node: from its lowest node up to the sources.
  func names(of node: UInt64) -> Set<String> {
    var root = node
    var seen: Set<UInt64> = [node]
    // The downstream of a shared source is another chain.
    while view.nodes[root]?.since != nil, let below = view.outputs[root]?.first?.target, seen.insert(below).inserted {
      root = below
    }
    var names: Set<String> = []
    var waiting = [root]
    var reached: Set<UInt64> = [root]
    while let next = waiting.popLast() {
      if let name = view.nodes[next]?.name { names.insert(name) }
      for edge in view.inputs[next] ?? [] where reached.insert(edge.source).inserted { waiting.append(edge.source) }
    }
    return names
  }
}
