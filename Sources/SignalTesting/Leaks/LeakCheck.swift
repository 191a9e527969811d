import Dispatch
import Foundation
package import Signals

/// One scope that is checked for leaks: the objects created in it, and the location of the check.
package struct LeakCheck: Sendable {
  package let recorder: GraphRecorder
  private let tracked = TrackedObjects()
  private let ignored: Set<String>
  /// Names that may stay alive like those in `ignored`, and that the caller reports if nothing needs them.
  private let allowed: Set<String>
  private let patience: Patience

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
      return (leaks, wait(finder, leaks))
    }
  }

  /// The leaks; waits, without blocking the thread, for pending work, and for tasks that can go on now.
  package func leaks() async -> [Leak] {
    await letTasksGoOn()
    await letMainActorGoOn()
    return await wait {
      let finder = LeakFinder(recorder, ignoring: ignored)
      let leaks = finder.leaks() + tracked.leaks
      return (leaks, wait(finder, leaks))
    }
  }

  /// Under virtual time, lets tasks go on that can do so now: one that has just been cancelled ends.
  private func letTasksGoOn(isolation: isolated (any Actor)? = #isolation) async {
    guard let scheduler = VirtualWorld.current?.scheduler else { return }
    for _ in 0..<Self.mostTurns {
      guard let next = scheduler.nextMoment, next <= scheduler.now,
        recorder.pendingWork.contains(where: { $0.running.map { $0.isVirtual && $0.isOver?() != true } ?? false })
      else { return }
      // After all other work of this instant, in whatever order that runs.
      await withCheckedContinuation { turn in _ = scheduler.scheduleLast(after: .zero) { turn.resume() } }
    }
  }

  /// Lets the main queue end the subscriptions whose owner, an object of the main actor, is gone: only there can that be found out.
  private func letMainActorGoOn(isolation: isolated (any Actor)? = #isolation) async {
    // In virtual time without the system's, the main queue may wait for this task.
    if MainScheduler.isHere || VirtualWorld.current.map({ $0.system == nil }) ?? false { return }
    // It asks the main queue, which then runs what follows.
    let roots = LeakFinder(recorder, ignoring: ignored).neverDisposed.values.joined()
    guard roots.contains(where: { $0.recordedSubscription?.isBoundOnMain == true }) else { return }
    let (turns, turn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    DispatchQueue.main.async { [recorder] in
      // The end of one may free the owner of another.
      _ = recorder.pendingWork
      turn.yield()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience.forMain / .seconds(1)) { turn.yield() }
    var iterator = turns.makeAsyncIterator()
    _ = await iterator.next(isolation: isolation)
  }

  /// How often this instant may go on after all of its work has run.
  private static let mostTurns = 10

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

  /// What a check waits for.
  private enum Wait {
    /// Work that runs by itself, also in virtual time.
    case forWork
    /// Another thread. Virtual time stands still meanwhile: what it would end is a leak.
    case forRelease
  }

  private func census(after earlier: GrowthCensus?) -> (GrowthCensus, Wait?) {
    let finder = LeakFinder(recorder, ignoring: ignored)
    let census = GrowthCensus(finder, allowing: allowed)
    if finder.isWorkOnItsWay { return (census, .forWork) }
    guard let earlier, census.retainedCount > earlier.retainedCount else { return (census, nil) }
    return (census, .forRelease)
  }

  /// Polls on this thread until the result is settled or the timeout is over.
  ///
  /// - Parameter look: Returns what to wait for; nil if the result is settled now.
  private func wait<Seen>(_ look: () -> (Seen, Wait?)) -> Seen {
    let change = DispatchSemaphore(value: 0)
    let key = recorder.watch { change.signal() }
    defer { recorder.unwatch(key) }
    let clock = CheckClock(patience)
    var turns = 0
    while true {
      let (seen, wait) = look()
      guard let wait, case let rest = clock.rest(of: wait), rest > .zero else { return seen }
      if wait == .forRelease, turns < Self.mostTurns, Self.schedulerWithWorkNow != nil {
        turns += 1
        // In virtual time this runs the work of the instant.
        _ = change.wait(timeout: .now() + .nanoseconds(1))
        continue
      }
      if clock.waitsOutside(wait, change, rest) { continue }
      // The main thread runs the main queue, so waiting for the queue means running it.
      let soon = Date(timeIntervalSinceNow: min(rest / .seconds(1), 0.005))
      if Thread.isMainThread, RunLoop.current.run(mode: .default, before: soon) { continue }
      _ = change.wait(timeout: .now() + (Thread.isMainThread ? 0.005 : rest / .seconds(1)))
    }
  }

  private func wait<Seen>(
    isolation: isolated (any Actor)? = #isolation, _ look: () -> (Seen, Wait?)
  ) async -> Seen {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let outsideChange = DispatchSemaphore(value: 0)
    let key = recorder.watch {
      change.yield()
      outsideChange.signal()
    }
    defer { recorder.unwatch(key) }
    var limits = changes.makeAsyncIterator()
    let clock = CheckClock(patience)
    var isTimed: Set<Wait> = []
    var turns = 0
    while true {
      let (seen, wait) = look()
      guard let wait, case let rest = clock.rest(of: wait), rest > .zero else { return seen }
      if wait == .forRelease, let scheduler = Self.schedulerWithWorkNow, turns < Self.mostTurns {
        turns += 1
        await withCheckedContinuation { turn in _ = scheduler.scheduleLast(after: .zero) { turn.resume() } }
        continue
      }
      if clock.waitsOutside(wait, outsideChange, rest) { continue }
      if isTimed.insert(wait).inserted {
        DispatchQueue.global().asyncAfter(deadline: .now() + rest / .seconds(1)) { change.yield() }
      }
      // A cancelled task gets no more changes, and is judged by its current state.
      guard await limits.next(isolation: isolation) != nil else { return seen }
    }
  }

  /// The scheduler of virtual time, if work is due at this instant: that may release what is still alive.
  private static var schedulerWithWorkNow: VirtualTimeScheduler? {
    guard let scheduler = VirtualWorld.current?.scheduler, let next = scheduler.nextMoment, next <= scheduler.now else {
      return nil
    }
    return scheduler
  }

  /// The times of a wait, from its beginning.
  private struct CheckClock {
    private let patience: Patience
    private let start = ContinuousClock.now
    private let realStart = VirtualWorld.outside { ContinuousClock.now }

    init(_ patience: Patience) { self.patience = patience }

    func rest(of wait: Wait) -> Duration {
      switch wait {
      case .forWork: patience.forWork - (.now - start)
      case .forRelease: forRelease - (VirtualWorld.outside { .now } - realStart)
      }
    }

    /// A failing order is run many times, and its threads belong to the scenario.
    private var forRelease: Duration {
      OrderDirector.current == nil ? patience.forRelease : min(patience.forRelease, .milliseconds(100))
    }

    /// Waits for a change on another thread, if virtual time has to stand still meanwhile.
    ///
    /// - Returns: Whether it did.
    func waitsOutside(_ wait: Wait, _ change: DispatchSemaphore, _ rest: Duration) -> Bool {
      guard wait == .forRelease, VirtualWorld.current != nil else { return false }
      VirtualWorld.outside { _ = change.wait(timeout: .now() + rest / .seconds(1)) }
      return true
    }
  }

  /// What to wait for; nil if the result is settled now.
  private func wait(_ finder: LeakFinder, _ leaks: [Leak]) -> Wait? {
    if finder.isWorkOnItsWay { return .forWork }
    return leaks.contains { [.stillRetained, .objectStillAlive].contains($0.kind) } ? .forRelease : nil
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
