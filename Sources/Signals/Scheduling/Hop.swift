public import DequeModule
public import Synchronization

/// Carries an operator's events to a scheduler: everything below the operator runs there, one event at a time, in order (law 14).
///
/// Events are left in a queue, under a lock that is held for a few instructions. Whoever leaves one asks the scheduler for a job, unless a
/// job is on its way; the job hands down what waits when it begins, up to ``largestBatch``, and asks for another one for the rest. So a burst
/// takes one job, a fast sender holds up a slow scheduler's other work for no longer than one batch, and the sender never runs what is below.
///
/// The junction's gate is entered by work of the scheduler only. Where two pieces of it meet, on a scheduler that runs several at once or runs
/// work inside `schedule`, the one that is inside does the other's work too: calls neither overlap nor nest. The hop's own gate is for what
/// is above: there an operator decides, when a value comes or a timer fires, what to leave in the queue. An operator that has much of its own to
/// keep inherits from it.
// Safe: `waiting`, `left`, `isRequested`, `isFull` and `isOver` are touched only under `lock`, in stretches that call nothing else;
// `delivering` and `keepsBurst` are touched only inside the junction's gate, and `delivering` under `lock` too where it is swapped; `job` and
// `virtualJob` are read by whoever requests a job, which is one at a time, and written by them under `lock`; others read them under `lock`. So it is with `actorScheduler`.
// Unchecked exclusivity: no access overlaps another, as none of them is being changed while anything is called.
@usableFromInline
class Hop<Value: Sendable>: Gate, Disposable, @unchecked Sendable {
  @usableFromInline final let junction: Junction<Value>
  @usableFromInline final let scheduler: any Scheduler
  @usableFromInline final let overflow: OverflowPolicy
  /// How many values may wait.
  @usableFromInline final let limit: Int
  @usableFromInline final let recording: QueueRecording
  @exclusivity(unchecked) @usableFromInline final var waiting = Deque<Event<Value>>()
  /// What a job has left to the next one. It comes before what waits.
  @exclusivity(unchecked) @usableFromInline final var left = Deque<Event<Value>>()
  /// Whether a job is on its way, or somebody is about to request one.
  @exclusivity(unchecked) @usableFromInline final var isRequested = false
  /// Whether too many values waited: nothing is taken any more.
  @exclusivity(unchecked) @usableFromInline final var isFull = false
  @exclusivity(unchecked) @usableFromInline final var isOver = false
  /// What is being handed down.
  @exclusivity(unchecked) @usableFromInline final var delivering = Deque<Event<Value>>()
  /// Whether there is memory of a burst to be freed.
  @exclusivity(unchecked) @usableFromInline final var keepsBurst = false
  /// Made once, when it is needed. It may stay in the scheduler after the end, so it keeps nothing.
  @exclusivity(unchecked) @usableFromInline final var job: (@Sendable () -> Void)?
  /// The scheduler, if it is that of an actor, which may go.
  @exclusivity(unchecked) private final var actorScheduler: ActorScheduler?
  /// The job on a virtual-time scheduler.
  @exclusivity(unchecked) private final var virtualJob: VirtualHopJob?

  /// Makes a hop to what is below a junction that nothing else enters. It is over when the junction is.
  ///
  /// - Parameters:
  ///   - overflow: What becomes of values that are handed to ``take(_:)`` while too many wait. As each waits for its job, one at least may wait.
  ///   - interval: How long the operator waits each time, for who looks at it.
  ///   - leadTime: How long it waits the first time, if that is something else.
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

  /// Has an event delivered on the scheduler, however many wait. From any thread, one call at a time where the order matters.
  @inlinable
  final func send(_ event: Event<Value>) {
    if add(event, requesting: true) { requestFirst() }
  }

  /// Has a value delivered on the scheduler, unless too many wait. From any thread, one call at a time where the order matters.
  ///
  /// - Returns: Whether there is room for further ones; if not, the failure is on its way.
  @inlinable
  final func take(_ value: Value) -> Bool {
    if limit != .max { return takeWithLimit(value) }
    send(.value(value))
    return true
  }

  /// Leaves an event.
  ///
  /// - Returns: Whether a job has to be requested, if the caller wants one.
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
    // Released after the lock: that may run any code.
    var dropped: Event<Value>?
    var hasRoom = true
    let isRequesting = lock.withLock {
      hasRoom = !isFull
      guard !isOver, !isFull else { return false }
      if waiting.count >= limit {
        switch overflow {
        case .fail:
          isFull = true
          hasRoom = false
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
    return hasRoom
  }

  /// Asks the scheduler for a job, after making one if there is none.
  @inlinable
  final func requestFirst() {
    if job == nil { prepare { [weak self] in self?.deliver(isJob: true) } }
    request()
  }

  @usableFromInline
  final func prepare(_ job: @escaping @Sendable () -> Void) {
    let virtualJob = (scheduler as? VirtualTimeScheduler).map { VirtualHopJob($0, job) }
    lock.withLock {
      // One that is over is not cancelled any more.
      guard !isOver else { return }
      self.job = job
      self.virtualJob = virtualJob
      self.actorScheduler = scheduler as? ActorScheduler
    }
  }

  /// Asks the scheduler for a job.
  ///
  /// - Parameter isFurther: Whether it is for what another job has left: then other work on the scheduler has its turn first.
  @usableFromInline
  final func request(isFurther: Bool = false) {
    if let virtualJob { return virtualJob.request(by: junction.node) }
    guard let job else { return }
    junction.node.asAuthor {
      if let actorScheduler {
        // What waits for an actor that has gone would wait for ever.
        actorScheduler.schedule(job) { [weak self] in self?.junction.abandon() }
      } else if isFurther, let main = scheduler as? MainScheduler {
        main.scheduleLater(job)
      } else {
        scheduler.schedule(job)
      }
    }
  }

  /// Hands down what waits. Only in work of the scheduler.
  @inlinable
  final func deliver(isJob: Bool = false) {
    if junction.enter() {
      deliverWaiting(isJob: isJob)
      junction.leave()
    } else {
      junction.perform { self.deliverWaiting(isJob: isJob) }
    }
  }

  /// Hands down what waits now; what comes meanwhile, and what is more than ``largestBatch``, has a job of its own. Inside the junction's gate.
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
      // The memory of a burst is not kept.
      if keepsBurst { freeDelivering() }
    } else {
      lock.withLock { if !isOver { swap(&left, &delivering) } }
      // Of a hop that is over.
      if !delivering.isEmpty { freeDelivering() }
    }
    if isMore { requestNext() }
  }

  @inlinable
  final func freeDelivering() {
    delivering = Deque()
    keepsBurst = false
  }

  /// As ``deliverWaiting(isJob:)``, but what is to be handed down waits until it is its turn, and may still be dropped.
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

  /// Whether the caller is the one to request a job, if it is wanted. Under the lock.
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

  /// How many events one job hands down at most; and how many the memory that is kept between batches has room for, about.
  @inlinable static var largestBatch: Int { 1_024 }

  // MARK: Timers

  /// A timer on the scheduler. Its action runs inside the hop's own gate, which senders enter too: so it may happen to run on a sender's
  /// thread. It decides only, and hands values to ``put(_:by:)``.
  @inlinable
  final func timer(
    tolerance: Duration? = nil, _ action: @escaping @Sendable (OperatorTimer) -> Void
  ) -> OperatorTimer {
    uncheckedTimer(tolerance: tolerance) { timer in
      if !self.junction.isClosed.load(ordering: .relaxed) { action(timer) }
    }
  }

  /// The same where the action asks whether the operator has ended.
  @inlinable
  final func uncheckedTimer(
    tolerance: Duration? = nil, _ action: @escaping @Sendable (OperatorTimer) -> Void
  ) -> OperatorTimer {
    let timer = OperatorTimer.make(
      on: scheduler, tolerance: tolerance, self, junction.node, action, afterwards: { self.deliver() })
    junction.adopt(timer, as: junction.reserveKey())
    return timer
  }

  /// Has an event delivered on the scheduler: by the timer itself, once it has left its gate, or by a job if its action was left to a sender.
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

  /// Drops what waits.
  @usableFromInline
  final func dispose() {
    // Released after the lock: that may run any code.
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
