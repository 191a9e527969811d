import Dispatch
import Foundation
package import Signals

/// One scope that is checked for leaks: what is made in it, and where the check stands.
package struct LeakCheck: Sendable {
  package let recorder: GraphRecorder
  private let ignored: Set<String>
  private let patience: Patience

  /// How long a check waits for what is about to be over. A check that passes does not wait longer than that takes.
  package struct Patience: Sendable {
    /// For work that is in a real queue without a delay.
    package var forWork = Duration.seconds(10)
    /// For another thread that is about to leave a closure whose subscription is over.
    package var forRelease = Duration.seconds(1)

    package init() {}
  }

  package init(ignoring ignored: Set<String> = [], patience: Patience = Patience()) {
    self.init(ignoring: ignored, patience: patience, failures: nil)
  }

  /// - Parameter failures: Where failures are noted that nobody handled, of subscriptions that are made outside of the scope's task.
  init(ignoring ignored: Set<String>, patience: Patience = Patience(), failures: FailureLog?) {
    var handler: UnhandledFailure.Handler?
    if let failures { handler = { failures.note($0) } }
    recorder = GraphRecorder(endedLimit: 4_096, unhandledFailures: handler)
    self.ignored = ignored
    self.patience = patience
  }

  /// The leaks; waits on this thread for work that is on its way.
  package func leaks() -> [Leak] {
    let change = DispatchSemaphore(value: 0)
    let key = recorder.watch { change.signal() }
    defer { recorder.unwatch(key) }
    let start = ContinuousClock.now
    while true {
      let finder = LeakFinder(recorder, ignoring: ignored)
      let leaks = finder.leaks()
      guard let limit = limit(finder, leaks), case let rest = limit - (.now - start), rest > .zero else { return leaks }
      // The main queue is served by the main thread, so waiting for the queue means to serve it.
      let soon = Date(timeIntervalSinceNow: min(rest / .seconds(1), 0.005))
      if Thread.isMainThread, RunLoop.current.run(mode: .default, before: soon) { continue }
      _ = change.wait(timeout: .now() + (Thread.isMainThread ? 0.005 : rest / .seconds(1)))
    }
  }

  /// The leaks; waits, without blocking the thread, for work that is on its way.
  package func leaks() async -> [Leak] {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let key = recorder.watch { change.yield() }
    defer { recorder.unwatch(key) }
    var limits = changes.makeAsyncIterator()
    let start = ContinuousClock.now
    var isTimed: Set<Duration> = []
    while true {
      let finder = LeakFinder(recorder, ignoring: ignored)
      let leaks = finder.leaks()
      guard let limit = limit(finder, leaks), case let rest = limit - (.now - start), rest > .zero else { return leaks }
      if isTimed.insert(limit).inserted {
        DispatchQueue.global().asyncAfter(deadline: .now() + rest / .seconds(1)) { change.yield() }
      }
      // A cancelled task gets no more changes, and is judged as it stands.
      guard await limits.next(isolation: #isolation) != nil else { return leaks }
    }
  }

  /// How long after the beginning of the check the matter is settled; nil if it is settled now.
  private func limit(_ finder: LeakFinder, _ leaks: [Leak]) -> Duration? {
    if finder.isWorkOnItsWay { return patience.forWork }
    return leaks.contains { $0.kind == .stillRetained } ? patience.forRelease : nil
  }

  /// Forgets everything, and returns the report of what was found, if there is something to report.
  func conclude(_ leaks: [Leak], at place: MarbleSource) -> LeakReport? {
    defer { recorder.close() }
    return leaks.isEmpty ? nil : LeakReport(leaks, recorder, ignoring: ignored, at: place)
  }
}
