public import DequeModule
public import Synchronization

/// Carries an operator's events to a scheduler: everything below the operator runs there, one event at a time, in order (law 14).
///
/// Events are left in a queue, under a lock that is held for a few instructions. Whoever leaves one asks the scheduler for a job, unless a
/// job is on its way; the job hands down all that waits when it begins. So a burst takes one job, a slow scheduler's other work is not held up
/// by a fast sender for longer than one batch, and the sender never runs what is below.
///
/// The junction's gate is entered by work of the scheduler only. Where two pieces of it meet, on a scheduler that runs several at once or runs
/// work inside `schedule`, the one that is inside does the other's work too: calls neither overlap nor nest. The hop's own gate is for what
/// is above: there an operator decides, when a value comes or a timer fires, what to leave in the queue.
@usableFromInline
final class Hop<Value: Sendable>: Gate, Disposable, @unchecked Sendable {
  // Safe: `waiting`, `isRequested` and `isOver` are touched only under `lock`, in stretches that call nothing else; `delivering` is touched only
  // inside the junction's gate, and under `lock` too where it is swapped; `job` and `virtualJob` are read by whoever requests a job, which is
  // one at a time, and written by them under `lock`; others read them under `lock`. Unchecked exclusivity: no access overlaps another, as none
  // of them is being changed while anything is called.

  @usableFromInline let junction: Junction<Value>
  @usableFromInline let scheduler: any Scheduler
  @exclusivity(unchecked) @usableFromInline var waiting = Deque<Event<Value>>()
  /// Whether a job is on its way, or somebody is about to request one.
  @exclusivity(unchecked) @usableFromInline var isRequested = false
  @exclusivity(unchecked) @usableFromInline var isOver = false
  /// What is being handed down.
  @exclusivity(unchecked) @usableFromInline var delivering = Deque<Event<Value>>()
  /// Made once, when it is needed. It may stay in the scheduler after the end, so it keeps nothing.
  @exclusivity(unchecked) @usableFromInline var job: (@Sendable () -> Void)?
  /// The job on a virtual-time scheduler.
  @exclusivity(unchecked) private var virtualJob: VirtualHopJob?

  /// Makes a hop to what is below a junction that nothing else enters. It is over when the junction is.
  @inlinable
  init(to junction: Junction<Value>, on scheduler: any Scheduler) {
    self.junction = junction
    self.scheduler = scheduler
    super.init()
    junction.adopt(self, as: junction.reserveKey())
  }

  /// Has an event delivered on the scheduler. From any thread, one call at a time where the order matters.
  @inlinable
  func send(_ event: Event<Value>) {
    guard add(event, requesting: true) else { return }
    if job == nil { prepare { [weak self] in self?.deliver(isJob: true) } }
    request()
  }

  /// Leaves an event.
  ///
  /// - Returns: Whether a job has to be requested, if the caller wants one.
  @inlinable
  @discardableResult
  func add(_ event: Event<Value>, requesting isWanted: Bool) -> Bool {
    lock.withLock {
      guard !isOver else { return false }
      waiting.append(event)
      guard isWanted, !isRequested else { return false }
      isRequested = true
      return true
    }
  }

  @usableFromInline
  func prepare(_ job: @escaping @Sendable () -> Void) {
    let virtualJob = (scheduler as? VirtualTimeScheduler).map { VirtualHopJob($0, job) }
    lock.withLock {
      // One that is over is not cancelled any more.
      guard !isOver else { return }
      self.job = job
      self.virtualJob = virtualJob
    }
  }

  /// Asks the scheduler for a job.
  @usableFromInline
  func request() {
    if let virtualJob { return virtualJob.request(by: junction.node) }
    guard let job else { return }
    junction.node.asAuthor { scheduler.schedule(job) }
  }

  /// Hands down what waits. Only in work of the scheduler.
  @inlinable
  func deliver(isJob: Bool = false) {
    if junction.enter() {
      deliverWaiting(isJob: isJob)
      junction.leave()
    } else {
      junction.perform { self.deliverWaiting(isJob: isJob) }
    }
  }

  /// Hands down what waits now; what comes meanwhile has a job of its own. Inside the junction's gate.
  @inlinable
  func deliverWaiting(isJob: Bool) {
    junction.assertInside()
    lock.withLock {
      if isJob { isRequested = false }
      swap(&waiting, &delivering)
    }
    let isBurst = delivering.count > Self.largestKept
    while let event = delivering.popFirst() {
      if junction.isClosed.load(ordering: .relaxed) { break }
      switch event {
      case .value(let value): junction.attempt { try junction.emit(value) }
      case .failed(let error): junction.end(.failed(error))
      case .finished: junction.end(.finished)
      }
    }
    // The memory of a burst is not kept.
    if isBurst || !delivering.isEmpty { delivering = Deque() }
  }

  /// How many events the memory that is kept between batches has room for, about.
  @inlinable static var largestKept: Int { 1_024 }

  // MARK: Timers

  /// A timer on the scheduler. Its action runs inside the hop's own gate, which senders enter too: so it may happen to run on a sender's
  /// thread. It decides only, and hands values to ``put(_:by:)``.
  @inlinable
  func timer(
    tolerance: Duration? = nil, _ action: @escaping @Sendable (OperatorTimer) -> Void
  ) -> OperatorTimer {
    let timer = OperatorTimer.make(
      on: scheduler, tolerance: tolerance, self, junction.node,
      { timer in
        if !self.junction.isClosed.load(ordering: .relaxed) { action(timer) }
      },
      afterwards: { self.deliver() })
    junction.adopt(timer, as: junction.reserveKey())
    return timer
  }

  /// Has an event delivered on the scheduler: by the timer itself, once it has left its gate, or by a job if its action was left to a sender.
  @inlinable
  func put(_ event: Event<Value>, by timer: OperatorTimer) {
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
  func dispose() {
    // Released after the lock: that may run any code.
    var dropped = Deque<Event<Value>>()
    let virtualJob = lock.withLock {
      isOver = true
      swap(&waiting, &dropped)
      return self.virtualJob
    }
    virtualJob?.cancel()
  }

  @usableFromInline
  var isDisposed: Bool { lock.withLock { isOver } }
}
