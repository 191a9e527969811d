package import Signals

/// One scope that is checked for leaks: the objects created in it, and the location of the check.
package struct LeakCheck: Sendable {
  package let recorder: GraphRecorder
  private let tracked = TrackedObjects()
  let ignored: Set<String>
  /// Names that may stay alive like those in `ignored`, and that the caller reports if nothing needs them.
  let allowed: Set<String>
  let patience: Patience

  /// The timeouts for objects that are about to be released. A check that passes waits no longer than necessary.
  package struct Patience: Sendable {
    /// For work in a real queue without a delay.
    package var forWork = Duration.seconds(10)
    /// For another thread that is about to leave a closure whose subscription is over.
    package var forRelease: Duration
    /// For the main queue, which may be busy with other tests.
    package var forMain = Duration.seconds(60)

    /// `forRelease` of the checks of this task.
    @TaskLocal package static var forRelease = Duration.seconds(5)

    package init() { forRelease = Self.forRelease }
  }

  package init(ignoring ignored: Set<String> = [], patience: Patience = Patience(), tracesCreation: Bool = false) {
    self.init(ignoring: ignored, patience: patience, failures: nil, tracesCreation: tracesCreation)
  }

  /// - Parameter failures: Collects unhandled failures of subscriptions that are created outside of the scope's task.
  init(
    ignoring ignored: Set<String>, allowing allowed: Set<String> = [], patience: Patience = Patience(),
    failures: FailureLog?, tracesCreation: Bool = CreationTrace.isRequested
  ) {
    var handler: UnhandledFailure.Handler?
    if let failures { handler = { failures.note($0) } }
    var capture: GraphRecorder.Capture?
    if tracesCreation { capture = { CreationTrace.capture() } }
    recorder = GraphRecorder(
      endedLimit: 4_096, unhandledFailures: handler, findsSubscriptions: true, captureCreation: capture)
    self.ignored = ignored.union(allowed)
    self.allowed = allowed
    self.patience = patience
  }

  /// Runs the scope.
  func record<Result>(_ body: () throws -> Result) rethrows -> Result {
    try TrackedObjects.$current.withValue(tracked) { try recorder.record(body) }
  }

  /// Runs an asynchronous scope.
  func record<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await TrackedObjects.$current.withValue(tracked) { try await recorder.record(body) }
  }

  /// The leaks; waits on this thread for pending work.
  ///
  /// - Parameter names: Names that may stay alive in addition to those of the check.
  package func leaks(allowing names: Set<String> = []) -> [Leak] {
    let ignored = ignored.union(names)
    return wait {
      let finder = LeakFinder(recorder, ignoring: ignored)
      let leaks = finder.leaks() + tracked.leaks
      return (leaks, reasonToWait(finder, leaks))
    }
  }

  /// The leaks; waits, without blocking the thread, for pending work, and for tasks that can go on now.
  package func leaks() async -> [Leak] {
    await letTasksGoOn()
    await letMainActorGoOn()
    return await wait {
      let finder = LeakFinder(recorder, ignoring: ignored)
      let leaks = finder.leaks() + tracked.leaks
      return (leaks, reasonToWait(finder, leaks))
    }
  }

  /// The number of live objects of each definition; waits on this thread for pending work.
  ///
  /// - Parameter earlier: The earlier counts: the check also waits for objects that seem to grow only because another
  ///   thread is about to release them.
  package func census(after earlier: GrowthCensus?) -> GrowthCensus {
    wait { census(after: earlier) }
  }

  /// The number of live objects of each definition; waits, without blocking the thread, for pending work.
  ///
  /// - Parameter earlier: The earlier counts: the check also waits for objects that seem to grow only because another
  ///   thread is about to release them.
  package func census(after earlier: GrowthCensus?) async -> GrowthCensus {
    await letTasksGoOn()
    await letMainActorGoOn()
    return await wait { census(after: earlier) }
  }

  private func census(after earlier: GrowthCensus?) -> (GrowthCensus, ReasonToWait?) {
    let finder = LeakFinder(recorder, ignoring: ignored)
    let census = GrowthCensus(finder, allowing: allowed)
    if finder.isWorkOnItsWay(exceptTasksOf: ignored.subtracting(allowed)) { return (census, .forWork) }
    guard let earlier, census.retainedCount > earlier.retainedCount else { return (census, nil) }
    return (census, .forRelease)
  }

  /// Concludes a check whose caller has no actor, on the main actor: what leaked is deallocated by it, and may belong there.
  static func onMainActor<Result: Sendable>(if isNeeded: Bool, _ body: @Sendable () -> Result) async -> Result {
    // In virtual time the main actor's work runs here.
    isNeeded && VirtualWorld.current == nil ? await MainActor.run { body() } : body()
  }

  /// Superfluous names of `allowing:`: no live object has them.
  ///
  /// - Parameter names: Names that were allowed later.
  package func unusedAllowances(_ names: Set<String> = []) -> [String] {
    let allowed = allowed.union(names)
    if allowed.isEmpty { return [] }
    return allowed.subtracting(LeakFinder(recorder).names()).sorted()
  }

  /// Forgets everything, and returns the report, if there is something to report.
  ///
  /// It disposes the leaked subscriptions, to find out whether a chain retains the object that retains it.
  func conclude(
    _ leaks: [Leak], at place: MarbleSource, allowing names: Set<String> = [], holders: [PropertyPath.Holder] = []
  ) -> LeakReport? {
    let ignored = ignored.union(names)
    defer { recorder.close() }
    if leaks.isEmpty { return nil }
    var report = LeakReport(leaks, recorder, ignoring: ignored, at: place)
    report.leaks = tracked.explain(CycleTrial(LeakFinder(recorder, ignoring: ignored), holders: holders).explain(leaks))
    return report
  }
}
