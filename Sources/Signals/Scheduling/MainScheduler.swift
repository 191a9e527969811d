import Dispatch
import Foundation
import Synchronization

/// Runs work on the main queue. There are two forms (law 14).
///
/// - ``Scheduler/main`` never runs work before `schedule` returns.
/// - ``Scheduler/mainImmediate`` runs it at once when it is called on the main thread and nothing that was scheduled earlier is still
///   waiting; otherwise it queues. So the order is kept in both forms.
///
/// The main queue has to be served: by a run loop, `dispatchMain()`, or an `async` main function.
public struct MainScheduler: Scheduler {
  private let isImmediate: Bool
  private static let waiting = Atomic<Int>(0)

  fileprivate init(isImmediate: Bool) { self.isImmediate = isImmediate }

  /// The system's uptime.
  public var now: SchedulerInstant { .uptime }

  /// Runs work on the main queue.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    if isImmediate, Thread.isMainThread, Self.waiting.load(ordering: .acquiring) == 0 { return WorkAuthor.leave(work) }
    Self.waiting.add(1, ordering: .relaxed)
    DispatchQueue.main.runSoon(recorder: nil) {
      // Counted down after the work, so that what the work schedules at once does not overtake what waits.
      defer { Self.waiting.subtract(1, ordering: .releasing) }
      work()
    }
  }

  /// Runs work on the main queue after a delay.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    DispatchQueue.main.run(after: delay, tolerance: tolerance, recorder: nil, work)
  }
}

extension Scheduler where Self == MainScheduler {
  /// The main queue, always asynchronously.
  public static var main: MainScheduler { MainScheduler(isImmediate: false) }
  /// The main queue, at once when already there and nothing waits.
  public static var mainImmediate: MainScheduler { MainScheduler(isImmediate: true) }
}
