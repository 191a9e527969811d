import Dispatch
import Foundation
package import Signals

/// One scope that is checked for leaks: what is made in it, and where the check stands.
package struct LeakCheck: Sendable {
  package let recorder: GraphRecorder
  private let ignored: Set<String>
  /// Names that may stay as those in `ignored` do, and that the caller wants to know of when nothing needs them.
  private let allowed: Set<String>
  private let patience: Patience

  /// How long a check waits for what is about to be over. A check that passes does not wait longer than that takes.
  package struct Patience: Sendable {
    /// For work that is in a real queue without a delay.
    package var forWork = Duration.seconds(10)
    /// For another thread that is about to leave a closure whose subscription is over.
    package var forRelease = Duration.seconds(5)

    package init() {}
  }

  package init(ignoring ignored: Set<String> = [], patience: Patience = Patience(), tracesCreation: Bool = false) {
    self.init(ignoring: ignored, patience: patience, failures: nil, tracesCreation: tracesCreation)
  }

  /// - Parameter failures: Where failures are noted that nobody handled, of subscriptions that are made outside of the scope's task.
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

  /// The leaks; waits on this thread for work that is on its way.
  ///
  /// - Parameter names: Names that may stay alive beside those that the check was made with.
  package func leaks(allowing names: Set<String> = []) -> [Leak] {
    let ignored = ignored.union(names)
    return wait {
      let finder = LeakFinder(recorder, ignoring: ignored)
      let leaks = finder.leaks()
      return (leaks, limit(finder, leaks))
    }
  }

  /// The leaks; waits, without blocking the thread, for work that is on its way.
  package func leaks() async -> [Leak] {
    await wait {
      let finder = LeakFinder(recorder, ignoring: ignored)
      let leaks = finder.leaks()
      return (leaks, limit(finder, leaks))
    }
  }

  /// How much of each definition is alive; waits on this thread for work that is on its way.
  ///
  /// - Parameter earlier: What was alive before: what seems to grow only because another thread is about to let it go is waited for too.
  package func census(after earlier: GrowthCensus?) -> GrowthCensus {
    wait { census(after: earlier) }
  }

  /// How much of each definition is alive; waits, without blocking the thread, for work that is on its way.
  ///
  /// - Parameter earlier: What was alive before: what seems to grow only because another thread is about to let it go is waited for too.
  package func census(after earlier: GrowthCensus?) async -> GrowthCensus {
    await wait { census(after: earlier) }
  }

  private func census(after earlier: GrowthCensus?) -> (GrowthCensus, limit: Duration?) {
    let finder = LeakFinder(recorder, ignoring: ignored)
    let census = GrowthCensus(finder, allowing: allowed)
    if finder.isWorkOnItsWay { return (census, patience.forWork) }
    guard let earlier, census.retainedCount > earlier.retainedCount else { return (census, nil) }
    return (census, patience.forRelease)
  }

  /// Looks again and again, on this thread, until what is seen is settled or the time for that is over.
  ///
  /// - Parameter look: Returns how long after the beginning the matter is settled; nil if it is settled now.
  private func wait<Seen>(_ look: () -> (Seen, limit: Duration?)) -> Seen {
    let change = DispatchSemaphore(value: 0)
    let key = recorder.watch { change.signal() }
    defer { recorder.unwatch(key) }
    let start = ContinuousClock.now
    while true {
      let (seen, limit) = look()
      guard let limit, case let rest = limit - (.now - start), rest > .zero else { return seen }
      // The main queue is served by the main thread, so waiting for the queue means to serve it.
      let soon = Date(timeIntervalSinceNow: min(rest / .seconds(1), 0.005))
      if Thread.isMainThread, RunLoop.current.run(mode: .default, before: soon) { continue }
      _ = change.wait(timeout: .now() + (Thread.isMainThread ? 0.005 : rest / .seconds(1)))
    }
  }

  private func wait<Seen>(
    isolation: isolated (any Actor)? = #isolation, _ look: () -> (Seen, limit: Duration?)
  ) async -> Seen {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let key = recorder.watch { change.yield() }
    defer { recorder.unwatch(key) }
    var limits = changes.makeAsyncIterator()
    let start = ContinuousClock.now
    var isTimed: Set<Duration> = []
    while true {
      let (seen, limit) = look()
      guard let limit, case let rest = limit - (.now - start), rest > .zero else { return seen }
      if isTimed.insert(limit).inserted {
        DispatchQueue.global().asyncAfter(deadline: .now() + rest / .seconds(1)) { change.yield() }
      }
      // A cancelled task gets no more changes, and is judged as it stands.
      guard await limits.next(isolation: isolation) != nil else { return seen }
    }
  }

  /// How long after the beginning of the check the matter is settled; nil if it is settled now.
  private func limit(_ finder: LeakFinder, _ leaks: [Leak]) -> Duration? {
    if finder.isWorkOnItsWay { return patience.forWork }
    return leaks.contains { $0.kind == .stillRetained } ? patience.forRelease : nil
  }

  /// Names of `allowing:` that were not needed: nothing that is named so is alive.
  ///
  /// - Parameter names: Names that were allowed later.
  package func unusedAllowances(_ names: Set<String> = []) -> [String] {
    let allowed = allowed.union(names)
    if allowed.isEmpty { return [] }
    return allowed.subtracting(LeakFinder(recorder).names()).sorted()
  }

  /// Forgets everything, and returns the report of what was found, if there is something to report.
  ///
  /// It disposes what leaked, to learn whether a chain keeps what keeps it.
  func conclude(
    _ leaks: [Leak], at place: MarbleSource, allowing names: Set<String> = [], holders: [PropertyPath.Holder] = []
  ) -> LeakReport? {
    let ignored = ignored.union(names)
    defer { recorder.close() }
    if leaks.isEmpty { return nil }
    var report = LeakReport(leaks, recorder, ignoring: ignored, at: place)
    report.leaks = CycleTrial(LeakFinder(recorder, ignoring: ignored), holders: holders).explain(leaks)
    return report
  }
}
