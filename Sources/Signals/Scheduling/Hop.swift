public import DequeModule
public import Synchronization

/// Delivers an operator's events on a scheduler: everything below the operator runs there, one event at a time, in
/// order (law 14).
///
/// Events are enqueued under a lock that is held for a few instructions. The thread that enqueues one requests a job
/// from the scheduler, unless one is already requested. The job delivers the events that are queued when it begins, up
/// to ``largestBatch``, and requests another one for the rest, which then delivers only that; with an overflow limit it
/// may deliver newer events too. So a burst takes one job, a fast sender delays a slow scheduler's other work by at most
/// one batch, and the sender runs no downstream code, unless the scheduler runs work inside `schedule`.
///
/// Only work of the scheduler enters the junction's gate. If two work items meet, on a scheduler that runs several at
/// once or runs work inside `schedule`, the one inside does the other's work too: calls neither overlap nor nest. The
/// hop's own gate is for upstream: there an operator decides, when a value comes or a timer fires, what to enqueue. An
/// operator with much state of its own inherits from it.
// Safe: `waiting`, `left`, `isRequested`, `isFull` and `isOver` are touched only under `lock`, in stretches that call
// no user code; `delivering` and `keepsBurst` are touched only inside the junction's gate, and `delivering` under
// `lock` too where it is swapped; `job`, `virtualJob` and `actorScheduler` are read by the thread that requests a job,
// which is one at a time, and written by it under `lock`; others read them under `lock`. Unchecked exclusivity: no
// access overlaps another, as none of them is being changed while anything is called.
@usableFromInline
class Hop<Value: Sendable>: Gate, Disposable, @unchecked Sendable {
  @usableFromInline final let junction: Junction<Value>
  @usableFromInline final let scheduler: any Scheduler
  @usableFromInline final let overflow: OverflowPolicy
  /// The maximum number of waiting values.
  @usableFromInline final let limit: Int
  @usableFromInline final let recording: QueueRecording
  @exclusivity(unchecked) @usableFromInline final var waiting = Deque<Event<Value>>()
  /// What exceeded a job's batch; it comes before the waiting events.
  @exclusivity(unchecked) @usableFromInline final var left = Deque<Event<Value>>()
  /// Whether a job is requested, or is about to be.
  @exclusivity(unchecked) @usableFromInline final var isRequested = false
  /// Whether the limit was exceeded: no more values are taken.
  @exclusivity(unchecked) @usableFromInline final var isFull = false
  @exclusivity(unchecked) @usableFromInline final var isOver = false
  /// The events that are being delivered.
  @exclusivity(unchecked) @usableFromInline final var delivering = Deque<Event<Value>>()
  /// Whether ``delivering`` has the memory of a burst, which is freed once it is empty.
  @exclusivity(unchecked) @usableFromInline final var keepsBurst = false
  /// Created once, on demand. It may stay in the scheduler after the end, so it retains nothing.
  @exclusivity(unchecked) @usableFromInline final var job: (@Sendable () -> Void)?
  /// The scheduler, if it is an actor's, which may be deallocated.
  @exclusivity(unchecked) private final var actorScheduler: ActorScheduler?
  /// The job on a virtual-time scheduler.
  @exclusivity(unchecked) private final var virtualJob: VirtualHopJob?

  /// Creates a hop to the downstream of a junction that nothing else enters. It ends with the junction.
  ///
  /// - Parameters:
  ///   - overflow: What happens to values passed to ``take(_:)`` at the limit. As each waits for its job, the limit is
  ///     at least one.
  ///   - interval: The operator's repeated delay, for the graph.
  ///   - leadTime: The first delay, if it differs.
  @inlinable
  init(
    to junction: Junction<Value>, on scheduler: any Scheduler, overflow: OverflowPolicy = .keepAll,
    interval: Duration? = nil, leadTime: Duration? = nil
  ) {
    self.junction = junction
    self.scheduler = scheduler
    self.overflow = overflow
    limit = overflow.limit.map { max(1, $0) } ?? .max
    recording = QueueRecording(of: junction.node, on: scheduler, interval: interval, leadTime: leadTime)
    super.init()
    junction.adopt(self, as: junction.reserveKey())
  }

  /// Delivers an event on the scheduler, regardless of the limit. From any thread, one call at a time where the order
  /// matters.
  @inlinable
  final func send(_ event: Event<Value>) {
    if add(event, requesting: true) { requestFirst() }
  }

  /// Delivers a value on the scheduler, unless the limit is reached. From any thread, one call at a time where the
  /// order matters.
  ///
  /// - Returns: False once the limit has made the hop fail, and that failure has been enqueued.
  @inlinable
  final func take(_ value: Value) -> Bool {
    if limit != .max { return takeWithLimit(value) }
    send(.value(value))
    return true
  }

  /// Enqueues an event.
  ///
  /// - Returns: Whether the caller has to request a job, if it wants one.
  @inlinable
  @discardableResult
  final func add(_ event: Event<Value>, requesting isWanted: Bool) -> Bool {
    lock.withLock {
      guard !isOver, !isFull else { return false }
      if case .value = event { recording.begin() }
      waiting.append(event)
      guard isWanted, !isRequested else { return false }
      isRequested = true
      return true
    }
  }

  @inlinable
  final func takeWithLimit(_ value: Value) -> Bool {
    // Released after the lock: a release may run any code.
    var dropped: Event<Value>?
    var hasCapacity = true
    let isRequesting = lock.withLock {
      hasCapacity = !isFull
      guard !isOver, !isFull else { return false }
      if waiting.count >= limit {
        switch overflow {
        case .fail:
          isFull = true
          hasCapacity = false
          recording.drop()
          waiting.append(.failed(OverflowError(limit: limit)))
        case .newest:
          recording.dropWaiting()
          dropped = waiting.popFirst()
          recording.begin()
          waiting.append(.value(value))
        case .oldest, .keepAll: recording.drop()
        }
      } else {
        recording.begin()
        waiting.append(.value(value))
      }
      if isRequested { return false }
      isRequested = true
      return true
    }
    withExtendedLifetime(dropped) {}
    if isRequesting { requestFirst() }
    return hasCapacity
  }

  /// Requests a job from the scheduler, after creating one if there is none.
  @inlinable
  final func requestFirst() {
    if job == nil { prepare { [weak self] in self?.deliver(isJob: true) } }
    request()
  }

  @usableFromInline
  final func prepare(_ job: @escaping @Sendable () -> Void) {
    let virtualJob = (scheduler as? VirtualTimeScheduler).map { VirtualHopJob($0, job) }
    lock.withLock {
      // A job that is over is not cancelled any more.
      guard !isOver else { return }
      self.job = job
      self.virtualJob = virtualJob
      self.actorScheduler = scheduler as? ActorScheduler
    }
  }

  /// Requests a job from the scheduler.
  ///
  /// - Parameter isFurther: Whether it is for the rest of another job's batch: then other work on the scheduler runs
  ///   first.
  @usableFromInline
  final func request(isFurther: Bool = false) {
    if let virtualJob { return virtualJob.request(by: junction.node) }
    guard let job else { return }
    junction.node.asAuthor {
      if let actorScheduler {
        // Work for a deallocated actor would wait for ever.
        actorScheduler.schedule(job) { [weak self] in self?.junction.abandon() }
      } else if isFurther, let main = scheduler as? MainScheduler {
        main.scheduleLater(job)
      } else {
        scheduler.schedule(job)
      }
    }
  }

  /// Delivers the waiting events. Only in work of the scheduler.
  ///
  /// - Parameter isJob: Whether this is the requested job, rather than a timer's work: then another one may be requested.
  @inlinable
  final func deliver(isJob: Bool = false) {
    if junction.enter() {
      deliverWaiting(isJob: isJob)
      junction.leave()
    } else {
      junction.perform { self.deliverWaiting(isJob: isJob) }
    }
  }

  /// Delivers the waiting events; later ones, and those beyond ``largestBatch``, need another job. Inside the
  /// junction's gate.
  @inlinable
  final func deliverWaiting(isJob: Bool) {
    junction.assertInside()
    if limit != .max { return deliverWithLimit(isJob: isJob) }
    let isMore = lock.withLock {
      if isJob { isRequested = false }
      if left.isEmpty { swap(&waiting, &delivering) } else { swap(&left, &delivering) }
      return mayRequestLocked(delivering.count > Self.largestBatch || !waiting.isEmpty)
    }
    if delivering.count > Self.largestBatch { keepsBurst = true }
    var count = 0
    while count < Self.largestBatch, let event = delivering.popFirst() {
      if junction.isClosed.load(ordering: .relaxed) { break }
      count &+= 1
      handDown(event)
    }
    if delivering.isEmpty {
      // The memory of a burst is not retained.
      if keepsBurst { freeDelivering() }
    } else {
      lock.withLock { if !isOver { swap(&left, &delivering) } }
      // Not empty only if the hop is over: then nothing delivers them.
      if !delivering.isEmpty { freeDelivering() }
    }
    if isMore { requestNext() }
  }

  @inlinable
  final func freeDelivering() {
    delivering = Deque()
    keepsBurst = false
  }

  /// Like ``deliverWaiting(isJob:)``, but events wait for their turn in the queue, where they may still be dropped.
  @inlinable
  final func deliverWithLimit(isJob: Bool) {
    var (count, isMore) = lock.withLock {
      if isJob { isRequested = false }
      return (min(waiting.count, Self.largestBatch), mayRequestLocked(waiting.count > Self.largestBatch))
    }
    while count > 0, let event = lock.withLock({ waiting.popFirst() }) {
      if junction.isClosed.load(ordering: .relaxed) { break }
      count &-= 1
      handDown(event)
    }
    if isMore { requestNext() }
  }

  /// Whether the caller has to request a job, if one is wanted. Under the lock.
  @inlinable
  final func mayRequestLocked(_ isWanted: Bool) -> Bool {
    guard isWanted, !isRequested, !isOver else { return false }
    isRequested = true
    return true
  }

  @inlinable
  final func requestNext() {
    if job == nil { prepare { [weak self] in self?.deliver(isJob: true) } }
    request(isFurther: true)
  }

  @inlinable
  @inline(__always)
  final func handDown(_ event: Event<Value>) {
    switch event {
    case .value(let value):
      recording.end()
      junction.attempt { try junction.emit(value) }
    case .failed(let error): junction.end(.failed(error))
    case .finished: junction.end(.finished)
    }
  }

  /// The maximum number of events that one job delivers, and the approximate capacity that is retained between batches.
  @inlinable static var largestBatch: Int { 1_024 }

  // MARK: Timers

  /// A timer on the scheduler. Its action runs inside the hop's own gate, which senders enter too: so it may run on a
  /// sender's thread. It only decides, and passes values to ``put(_:by:)``.
  @inlinable
  final func timer(
    tolerance: Duration? = nil, _ action: @escaping @Sendable (OperatorTimer) -> Void
  ) -> OperatorTimer {
    uncheckedTimer(tolerance: tolerance) { timer in
      if !self.junction.isClosed.load(ordering: .relaxed) { action(timer) }
    }
  }

  /// The same, for an action that checks whether the operator has ended.
  @inlinable
  final func uncheckedTimer(
    tolerance: Duration? = nil, _ action: @escaping @Sendable (OperatorTimer) -> Void
  ) -> OperatorTimer {
    let timer = OperatorTimer.make(
      on: scheduler, tolerance: tolerance, self, junction.node, action, afterwards: { self.deliver() })
    junction.adopt(timer, as: junction.reserveKey())
    return timer
  }

  /// Delivers an event on the scheduler: by the timer itself, once it has left its gate, or by a job if a sender ran
  /// its action.
  @inlinable
  final func put(_ event: Event<Value>, by timer: OperatorTimer) {
    assertInside()
    if timer.isOnScheduler {
      add(event, requesting: false)
    } else {
      send(event)
    }
  }

  // MARK: Disposable

  /// Drops the waiting events.
  @usableFromInline
  final func dispose() {
    // Released after the lock: a release may run any code.
    var dropped = Deque<Event<Value>>()
    var droppedBefore = Deque<Event<Value>>()
    let virtualJob = lock.withLock {
      isOver = true
      swap(&left, &droppedBefore)
      swap(&waiting, &dropped)
      return self.virtualJob
    }
    virtualJob?.cancel()
  }

  @usableFromInline
  final var isDisposed: Bool { lock.withLock { isOver } }
}

extension Hop: WaitingPlace {}
