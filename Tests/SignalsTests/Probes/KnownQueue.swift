import Dispatch
import Probes
import Signals

/// A serial queue that can be asked whether the caller runs on it. The answer is that of the system, not of the library.
final class KnownQueue: Sendable {
  let queue = DispatchQueue(label: "known")
  private let key = DispatchSpecificKey<Bool>()

  init() { queue.setSpecific(key: key, value: true) }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  /// Returns once everything has run that is on the queue now.
  func settle() { queue.sync {} }
}

/// Runs work on a queue and returns once it has run: whoever schedules is still where they were while the work runs.
struct WaitingScheduler: Scheduler {
  let known: KnownQueue

  var now: SchedulerInstant { SchedulerInstant(sinceOrigin: .zero) }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    // On the queue itself the work has to wait for its turn.
    if known.isCurrent { return known.queue.async(execute: work) }
    let done = DispatchSemaphore(value: 0)
    known.queue.async {
      work()
      done.signal()
    }
    done.wait()
  }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    let cancellation = Cancellation()
    schedule { if !cancellation.isDisposed { work() } }
    return cancellation
  }
}

/// Runs every work item on whatever thread there is, several at once: nothing of it is in order.
struct ScatteringScheduler: Scheduler {
  private let queue = DispatchQueue(label: "scattering", attributes: .concurrent)

  var now: SchedulerInstant { SchedulerInstant(sinceOrigin: .zero) }

  func schedule(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    let cancellation = Cancellation()
    queue.async { if !cancellation.isDisposed { work() } }
    return cancellation
  }
}

/// Remembers that it was disposed. Releasing it does nothing.
final class Cancellation: Disposable {
  private let isOver = Box(false)

  func dispose() { isOver.value = true }

  var isDisposed: Bool { isOver.value }
}

/// What came, and how much of it came anywhere but on a queue.
final class PlaceLog<Value: Sendable>: Sendable {
  private let known: KnownQueue
  private let astray = Box(0)
  private let ended = DispatchSemaphore(value: 0)
  let log = EventLog<Value>()
  let check = GrammarCheck<Value>()

  init(_ known: KnownQueue) { self.known = known }

  /// How many events came somewhere else.
  var astrayCount: Int { astray.value }

  func take(_ event: Event<Value>) {
    if !known.isCurrent { astray.withLock { $0 += 1 } }
    check.take(event) { log.append(event) }
    if case .value = event { return }
    ended.signal()
  }

  /// Waits until the end has come.
  ///
  /// - Returns: Whether it came.
  func waitForEnd() -> Bool { ended.wait(timeout: .now() + 60) == .success }
}
