public import DequeModule
public import Synchronization

/// Carries an operator's events to a scheduler: everything below the operator runs there, one event at a time, in order (law 14).
///
/// Events are left in a queue, under a lock that is held for a few instructions. Whoever leaves one asks the scheduler for a job, unless a
/// job is on its way; the job hands down all that waits when it begins. So a burst takes one job, a slow scheduler's work is not held up by a
/// fast sender for longer than one batch, and the sender never runs what is below.
///
/// The junction's gate is entered by work of the scheduler only. Where two pieces of it meet, on a scheduler that runs several at once or runs
/// work inside `schedule`, the one that is inside does the other's work too: calls neither overlap nor nest.
@usableFromInline
final class Hop<Value: Sendable>: Disposable, @unchecked Sendable {
  // Safe: `waiting`, `isRequested` and `isOver` are touched only under `lock`, in stretches that call nothing else; `leaving` is touched only
  // inside the junction's gate, and under `lock` too where it is swapped; `job` and `virtualJob` are written by the initialiser
  // only.

  @usableFromInline let junction: Junction<Value>
  @usableFromInline let scheduler: any Scheduler
  @usableFromInline let lock = Mutex(())
  @exclusivity(unchecked) @usableFromInline var waiting = Deque<Event<Value>>()
  /// Whether a job is on its way.
  @exclusivity(unchecked) @usableFromInline var isRequested = false
  @exclusivity(unchecked) @usableFromInline var isOver = false
  /// What is being handed down.
  @exclusivity(unchecked) @usableFromInline var leaving = Deque<Event<Value>>()
  /// Made once. It may stay in the scheduler after the end, so it keeps nothing.
  @exclusivity(unchecked) @usableFromInline var job: @Sendable () -> Void = {}
  /// The job on a virtual-time scheduler.
  @exclusivity(unchecked) private var virtualJob: VirtualHopJob?

  /// Makes a hop to what is below a junction that nothing else enters. It is over when the junction is.
  @inlinable
  init(to junction: Junction<Value>, on scheduler: any Scheduler) {
    self.junction = junction
    self.scheduler = scheduler
    job = { [weak self] in self?.deliver(isJob: true) }
    makeVirtualJob()
    junction.adopt(self, as: junction.reserveKey())
  }

  @usableFromInline
  func makeVirtualJob() {
    if let scheduler = scheduler as? VirtualTimeScheduler { virtualJob = VirtualHopJob(scheduler, job) }
  }

  /// Has an event delivered on the scheduler. From any thread, one call at a time where the order matters.
  @inlinable
  func send(_ event: Event<Value>) {
    if add(event, requesting: true) { request() }
  }

  /// Leaves an event.
  ///
  /// - Returns: Whether a job has to be requested, if the caller wants one.
  @inlinable
  @discardableResult
  func add(_ event: Event<Value>, requesting isWanted: Bool) -> Bool {
    lock.withLock { _ in
      guard !isOver else { return false }
      waiting.append(event)
      guard isWanted, !isRequested else { return false }
      isRequested = true
      return true
    }
  }

  /// Asks the scheduler for a job.
  @usableFromInline
  func request() {
    if let virtualJob { return virtualJob.request(by: junction.trace) }
    guard let trace = junction.trace else { return scheduler.schedule(job) }
    WorkAuthor.by(trace) { scheduler.schedule(job) }
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
    lock.withLock { _ in
      if isJob { isRequested = false }
      swap(&waiting, &leaving)
    }
    let isBurst = leaving.count > Self.largestKept
    while let event = leaving.popFirst() {
      if junction.isClosed.load(ordering: .relaxed) { break }
      switch event {
      case .value(let value): junction.attempt { try junction.emit(value) }
      case .failed(let error): junction.end(.failed(error))
      case .finished: junction.end(.finished)
      }
    }
    // The memory of a burst is not kept.
    if isBurst || !leaving.isEmpty { leaving = Deque() }
  }

  /// How many events the memory that is kept between batches has room for, about.
  @inlinable static var largestKept: Int { 1_024 }

  // MARK: Timers

  /// A timer on the scheduler. Its action runs inside a gate of the operator's own, which senders enter too: so it may happen to run on a
  /// sender's thread. It decides only, and hands values to ``put(_:by:)``.
  @inlinable
  func timer(
    inside gate: Gate, tolerance: Duration? = nil, _ action: @escaping @Sendable (OperatorTimer) -> Void
  ) -> OperatorTimer {
    let timer = OperatorTimer.make(
      on: scheduler, tolerance: tolerance, gate, junction.trace,
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
    virtualJob?.cancel()
    // Released after the lock: that may run any code.
    var dropped = Deque<Event<Value>>()
    lock.withLock { _ in
      isOver = true
      swap(&waiting, &dropped)
    }
  }

  @usableFromInline
  var isDisposed: Bool { lock.withLock { _ in isOver } }
}
