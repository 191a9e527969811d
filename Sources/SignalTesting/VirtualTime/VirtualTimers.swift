import CTaskHooks
import Signals
import Synchronization

/// The timer sources of one virtual time.
///
/// The system's source exists as well, so that it can be resumed and released, but it never fires.
// Safe: everything is under the mutex, except `system`, which is written by the initialiser only.
final class VirtualTimers: @unchecked Sendable {
  private let state = Mutex<[UInt: Timer]>([:])
  // Weak, as another thread may use a source while the virtual time is being freed.
  private weak var system: VirtualSystem?

  init(_ system: VirtualSystem) { self.system = system }

  deinit {
    let timers = state.withLock { timers in
      defer { timers = [:] }
      return timers
    }
    Self.owners.withLock { owners in
      for source in timers.keys { owners[source] = nil }
    }
    task_hooks_count_timer(-Int32(timers.count))
  }

  /// The queue of a source, which is retained: its other owners may release it.
  private final class QueueReference: Sendable {
    let address: UInt

    /// - Parameter address: That of a queue that the caller has retained for this.
    init(retained address: UInt) { self.address = address }

    deinit { task_hooks_release_queue(UnsafeMutableRawPointer(bitPattern: address)) }
  }

  private struct Timer {
    let queue: QueueReference
    var handler: DispatchedWork?
    var cancelHandler: DispatchedWork?
    /// The pending expiry.
    var expiry: (any Disposable)?
    /// The nanoseconds between two expiries; nil if there is one.
    var interval: Int64?
    /// It is inactive at first.
    var suspensionCount = 1
    var isActive = false
    var isCancelled = false
    var referenceCount = 1
    /// The expiries since the handler last began.
    var count = 0
    /// Whether the handler waits for its queue.
    var isWaiting = false
    /// The expiries of the running handler.
    var handledCount = 1

    var canFire: Bool { count > 0 && suspensionCount == 0 && !isCancelled }
  }

  /// The virtual times of sources. Any thread may use a source.
  private static let owners = ProcessMutex<[UInt: Weak]>([:])

  private struct Weak { weak var timers: VirtualTimers? }

  /// Handles a call of libdispatch for an object that may be a timer source.
  ///
  /// - Returns: The address of its queue, or the number of expiries; -1 if it is not in virtual time.
  static func handle(
    _ event: task_hooks_timer_event, _ source: UInt, _ work: DispatchedWork?, _ first: Int64, _ second: Int64
  ) -> Int {
    if event == task_hooks_timer_created {
      guard !RealTimeWatch.isOfOthers, let system = VirtualWorld.system else { return -1 }
      system.timers.create(source, queue: UInt(bitPattern: Int(first)))
      return 0
    }
    guard let timers = owners.withLock({ $0[source]?.timers }) else { return -1 }
    return timers.handle(event, source, work, first, second)
  }

  private func create(_ source: UInt, queue: UInt) {
    let queue = QueueReference(retained: queue)
    state.withLock { $0[source] = Timer(queue: queue) }
    Self.owners.withLock { $0[source] = Weak(timers: self) }
    task_hooks_count_timer(1)
  }

  private func handle(
    _ event: task_hooks_timer_event, _ source: UInt, _ work: DispatchedWork?, _ first: Int64, _ second: Int64
  ) -> Int {
    switch event {
    case task_hooks_timer_set: set(source, delay: first, interval: second)
    case task_hooks_timer_handled: replace(source, \.handler, with: work)
    case task_hooks_timer_cancel_handled: replace(source, \.cancelHandler, with: work)
    case task_hooks_timer_activated: resume(source, isActivation: true)
    case task_hooks_timer_resumed: resume(source, isActivation: false)
    case task_hooks_timer_suspended: state.withLock { $0[source]?.suspensionCount += 1 }
    case task_hooks_timer_cancelled: cancel(source)
    case task_hooks_timer_counted: return state.withLock { $0[source]?.handledCount ?? -1 }
    case task_hooks_timer_retained: state.withLock { $0[source]?.referenceCount += 1 }
    case task_hooks_timer_released: release(source)
    default: return state.withLock { $0[source].map { Int(bitPattern: $0.queue.address) } ?? -1 }
    }
    return 0
  }

  private func replace(
    _ source: UInt, _ property: any WritableKeyPath<Timer, DispatchedWork?> & Sendable, with work: DispatchedWork?
  ) {
    let old = state.withLock { timers in
      let old = timers[source]?[keyPath: property]
      timers[source]?[keyPath: property] = work
      return old
    }
    // Released without the lock.
    withExtendedLifetime(old) {}
  }

  private func set(_ source: UInt, delay: Int64, interval: Int64) {
    let isCancelled = state.withLock { timers in
      // As in libdispatch, a cancelled source stays as it is.
      guard timers[source]?.isCancelled == false else { return true }
      timers[source]?.interval = interval == .max ? nil : max(1, interval)
      timers[source]?.count = 0
      return false
    }
    if !isCancelled { expect(source, after: delay) }
  }

  /// Lets a timer expire after a delay, instead of its pending expiry.
  private func expect(_ source: UInt, after delay: Int64) {
    let expiry =
      delay == .max
      ? nil
      : system?.schedule(after: .nanoseconds(delay)) { [weak self] in self?.expire(source) }
    let old = state.withLock { timers in
      // Another thread may have cancelled or released it in the meantime.
      guard timers[source]?.isCancelled == false else { return expiry }
      let old = timers[source]?.expiry
      timers[source]?.expiry = expiry
      return old
    }
    old?.dispose()
  }

  private func expire(_ source: UInt) {
    let interval = state.withLock { timers -> Int64? in
      timers[source]?.count += 1
      timers[source]?.expiry = nil
      return timers[source]?.interval
    }
    if let interval { expect(source, after: interval) }
    fire(source)
  }

  /// Submits the handler, unless it is waiting already.
  private func fire(_ source: UInt) {
    let work = state.withLock { timers -> DispatchedWork? in
      guard let timer = timers[source], timer.canFire, !timer.isWaiting else { return nil }
      guard let work = timer.handler?.copy() else {
        // As in libdispatch, expiries without a handler are lost: a later handler begins with the next one.
        timers[source]?.count = 0
        return nil
      }
      timers[source]?.isWaiting = true
      return work
    }
    guard let work else { return }
    system?.arrive(work) { [weak self] in self?.begin(source) ?? false }
  }

  /// Notes that the handler's turn has come.
  ///
  /// - Returns: Whether it runs.
  private func begin(_ source: UInt) -> Bool {
    state.withLock { timers in
      timers[source]?.isWaiting = false
      guard let timer = timers[source], timer.canFire else { return false }
      timers[source]?.handledCount = timer.count
      timers[source]?.count = 0
      return true
    }
  }

  private func resume(_ source: UInt, isActivation: Bool) {
    state.withLock { timers in
      guard let timer = timers[source], !(isActivation && timer.isActive), timer.suspensionCount > 0 else { return }
      timers[source]?.isActive = true
      timers[source]?.suspensionCount -= 1
    }
    fire(source)
  }

  private func cancel(_ source: UInt) {
    let (handler, old) = state.withLock { timers -> (DispatchedWork?, Timer?) in
      guard let timer = timers[source], !timer.isCancelled else { return (nil, nil) }
      timers[source]?.isCancelled = true
      timers[source]?.expiry = nil
      timers[source]?.handler = nil
      timers[source]?.cancelHandler = nil
      return (timer.cancelHandler, timer)
    }
    old?.expiry?.dispose()
    if let handler { system?.arrive(handler) }
  }

  private func release(_ source: UInt) {
    let old = state.withLock { timers -> Timer? in
      timers[source]?.referenceCount -= 1
      return timers[source]?.referenceCount == 0 ? timers.removeValue(forKey: source) : nil
    }
    guard let old else { return }
    Self.owners.withLock { $0[source] = nil }
    task_hooks_count_timer(-1)
    old.expiry?.dispose()
  }
}
