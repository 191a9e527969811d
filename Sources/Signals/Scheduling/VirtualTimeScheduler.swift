import Synchronization

/// A scheduler whose time passes only when it is told to: tests of timing become exact and instant.
///
/// ```swift
/// let bag = DisposeBag()
/// let scheduler = VirtualTimeScheduler()
/// let keystrokes = Emitter<String>()
/// keystrokes.signal
///   .debounce(for: .milliseconds(300), on: scheduler)
///   .subscribe { print("searching for \($0)") }
///   .store(in: bag)
///
/// keystrokes.send("marble")
/// try scheduler.advance(by: .milliseconds(299))  // Nothing yet.
/// try scheduler.advance(by: .milliseconds(1))  // Prints "searching for marble".
/// ```
///
/// It is also a Swift `Clock` and a task executor: code that awaits `sleep` on it, or that consumes asynchronous sequences, runs under the same
/// virtual time as operators, when its task was started with ``task(_:)`` or `Task(executorPreference:)`; child tasks follow. Detached tasks, the
/// main actor and actors with executors of their own are not captured.
///
/// Work runs on the thread that calls ``advance(by:)``, ``advance(to:)`` or ``run(until:)``. Scheduling is thread-safe. Only one thread
/// may advance at a time; a call inside another, or beside it, throws.
///
/// - Complexity: scheduling and running take O(log *n*) in the number of waiting pieces of work, also with a chooser.
public final class VirtualTimeScheduler: Scheduler, Clock, TaskExecutor {
  /// Which of several things that are due at the same moment comes first. Lower comes first.
  public enum Phase: Int, Comparable, Sendable {
    /// What the test itself does: subscribing and disposing.
    case test
    /// Events of sources that run independently of their subscribers.
    case hotSource
    /// Everything else: timers, cold sources, tasks.
    case work

    /// Whether one phase comes before the other.
    ///
    /// - Parameters:
    ///   - left: A phase.
    ///   - right: Another phase.
    public static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// Picks the next among pieces of work that are ready at the same moment in the same phase.
  ///
  /// It gets how many there are (at least 2), in scheduling order, and returns an index; an index that does not exist counts as 0. What was
  /// scheduled for that moment meanwhile is among them; what was cancelled or put off is not. It is called without a lock, on the thread that
  /// advances time.
  ///
  /// ```swift
  /// let newestFirst = VirtualTimeScheduler { ready in ready - 1 }
  /// newestFirst.schedule { print("scheduled first") }
  /// newestFirst.schedule { print("scheduled last") }
  /// try newestFirst.advance()  // The last comes first.
  /// ```
  public typealias Chooser = @Sendable (_ ready: Int) -> Int

  struct State {
    var now: Int128 = 0
    var sequence: UInt64 = 0
    var queue = WorkQueue()
    var isAdvancing = false
    var ranCount = 0
    var chooser: Chooser?
    var director: Director?
    /// What the chooser may choose from, by phase: all that was in the queue for ``readyDeadline``. Empty while there is no chooser.
    var ready = [ReadyWork(), ReadyWork(), ReadyWork()]
    var readyCount = 0
    var readyDeadline: Int128 = 0
    let departures = Departures()

    /// The moment a delay after now, or the last one that there is.
    func moment(after delay: Duration) -> Int128 {
      let (moment, isTooLate) = now.addingReportingOverflow(max(0, delay.attoseconds))
      return isTooLate ? .max : moment
    }

    /// The next place in scheduling order, at a moment or, if that is over, now.
    mutating func nextKey(_ deadline: Int128, _ phase: Phase) -> QueuedWork.Key {
      sequence += 1
      return QueuedWork.Key(deadline: max(now, deadline), phase: phase, sequence: sequence)
    }

    /// Takes out the first work that is due, and moves time to it.
    mutating func claimNext(until target: Int128, forgotten: inout WorkQueue.Forgotten) -> QueuedWork? {
      while let first = queue.first, first.key.deadline <= target {
        switch first.claim() {
        case .over:
          queue.removeFirst()
          forgotten.append(first.work.takeRetainedValue())
        case .later(let key):
          queue.replaceFirst(with: WorkQueue.Entry(key: key, work: first.work))
        case .due:
          queue.removeFirst()
          return started(first)
        }
      }
      return nil
    }

    /// Gathers everything that a chooser may choose from; finds the first phase in which something is ready.
    ///
    /// What was gathered before stays. It comes before what came since, in scheduling order, as later work has higher numbers.
    mutating func gatherReady(until target: Int128, forgotten: inout WorkQueue.Forgotten) -> Int? {
      reviewDepartures(forgotten: &forgotten)
      // Until its first work runs, time is before the moment, and something may be scheduled for an earlier one.
      if readyCount > 0, let first = queue.first, first.key.deadline < readyDeadline {
        putReadyBack(forgotten: &forgotten)
      }
      while let next = queue.first, next.key.deadline <= (readyCount > 0 ? readyDeadline : target) {
        if next.moment == nil {
          queue.removeFirst()
          forgotten.append(next.forget())
        } else if next.moment != next.key {
          guard case .later(let key) = next.claim() else { continue }
          queue.replaceFirst(with: WorkQueue.Entry(key: key, work: next.work))
        } else if next.report(to: departures) {
          queue.removeFirst()
          readyDeadline = next.key.deadline
          ready[next.key.phase].append(next)
          readyCount += 1
        }
      }
      return readyCount > 0 && readyDeadline <= target ? ready.firstIndex { $0.count > 0 } : nil
    }

    /// Takes out what was ready and has been cancelled or put off since.
    private mutating func reviewDepartures(forgotten: inout WorkQueue.Forgotten) {
      for work in departures.takeAll() {
        for phase in ready.indices {
          guard let entry = ready[phase][work], entry.moment != entry.key else { continue }
          ready[phase].remove(work)
          readyCount -= 1
          if entry.moment == nil {
            forgotten.append(entry.forget())
          } else if case .later(let key) = entry.claim() {
            queue.insert(WorkQueue.Entry(key: key, work: entry.work), forgotten: &forgotten)
          }
        }
      }
    }

    /// Puts what a chooser might have chosen back into the queue.
    mutating func putReadyBack(forgotten: inout WorkQueue.Forgotten) {
      for phase in ready.indices {
        for entry in ready[phase].removeAll() { queue.insert(entry, forgotten: &forgotten) }
      }
      readyCount = 0
    }

    /// Takes the chosen one among what is ready in a phase; nil if it was cancelled or put off since the chooser was asked.
    mutating func claim(_ index: Int, in phase: Int, forgotten: inout WorkQueue.Forgotten) -> QueuedWork? {
      guard let chosen = ready[phase].remove(at: index) else { return nil }
      readyCount -= 1
      switch chosen.claim() {
      case .over: forgotten.append(chosen.work.takeRetainedValue())
      case .later(let key): queue.insert(WorkQueue.Entry(key: key, work: chosen.work), forgotten: &forgotten)
      case .due: return started(chosen)
      }
      return nil
    }

    /// How many pieces of work wait, cancelled ones not counted.
    var pendingCount: Int { queue.count + ready.reduce(0) { $0 + $1.entries.count { $0.moment != nil } } }

    /// Whether work is due until a moment.
    func isDue(until target: Int128) -> Bool {
      queue.isDue(until: target)
        || ready.contains { $0.entries.contains { $0.moment.map { $0.deadline <= target } ?? false } }
    }

    /// Forgets all work.
    ///
    /// - Returns: What waited, for release once no lock is held.
    mutating func removeAll() -> WorkQueue.Forgotten {
      var forgotten = WorkQueue.Forgotten()
      putReadyBack(forgotten: &forgotten)
      return forgotten + queue.removeAll()
    }

    private mutating func started(_ entry: WorkQueue.Entry) -> QueuedWork {
      // A chooser may have let work for an earlier moment be scheduled.
      now = max(now, entry.key.deadline)
      ranCount += 1
      return entry.work.takeRetainedValue()
    }
  }

  let state = Mutex(State())
  let recorder = Recorder.current
  /// How many pieces of work one call may run before it gives up.
  public let workLimit: Int

  /// Makes a scheduler at the origin of its time.
  ///
  /// - Parameters:
  ///   - workLimit: How many pieces of work one call may run before it gives up.
  ///   - chooser: Picks among work that is ready at the same moment; scheduling order if nil.
  public init(workLimit: Int = 10_000_000, chooser: Chooser? = nil) {
    self.workLimit = workLimit
    state.withLock { $0.chooser = chooser }
  }

  /// Replaces the chooser among work that is ready at the same moment.
  ///
  /// - Parameter chooser: Picks the next piece of work; scheduling order if `nil`.
  public func setChooser(_ chooser: Chooser?) {
    // The one before is released after the lock: that may run any code.
    let old = state.withLock { state in
      defer { state.chooser = chooser }
      return state.chooser
    }
    withExtendedLifetime(old) {}
  }

  /// What is ready, for who decides about every piece of work and tells one from another.
  package struct ReadyPieces: Sendable {
    /// The numbers of the pieces in scheduling order, the earliest first.
    package let numbers: [UInt64]
    /// The number of what was scheduled last.
    package let lastNumber: UInt64
    /// When they are due, after the origin.
    package let deadline: Duration
  }

  /// Picks each piece of work, also where there is only one, as a ``Chooser`` does; nil to be asked again, about what is ready then.
  package typealias Director = @Sendable (_ ready: ReadyPieces) -> Int?

  /// Lets a director pick each piece of work, in the place of a chooser.
  package func setDirector(_ director: @escaping Director) {
    let old = state.withLock { state in
      defer { state.director = director }
      return state.director
    }
    withExtendedLifetime(old) {}
  }

  /// Asks who picks among what is ready in a phase. Without a lock.
  private func choice(_ count: Int, in phase: Int, _ chooser: Chooser?) -> Int? {
    let (director, pieces) = state.withLock { state -> (Director?, ReadyPieces?) in
      guard let director = state.director else { return (nil, nil) }
      let numbers = state.ready[phase].entries.map { $0.key.order & (1 << 62 - 1) }
      return (
        director,
        ReadyPieces(
          numbers: numbers, lastNumber: state.sequence, deadline: Duration(attoseconds: state.readyDeadline))
      )
    }
    if let director, let pieces { return director(pieces) }
    return count > 1 ? chooser?(count) ?? 0 : 0
  }

  // MARK: Scheduler

  /// The virtual time: the origin at first, and inside work the moment at which that is due.
  public var now: SchedulerInstant { SchedulerInstant(sinceOrigin: Duration(attoseconds: state.withLock { $0.now })) }

  /// Runs work at the present moment, after what was scheduled before it, once time is advanced.
  ///
  /// - Parameter work: Called once, on the thread that advances time.
  /// - Complexity: O(log *n*) in the number of waiting pieces of work.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    addNow(ScheduledWork(stage: .queued, recorder: recorder, work))
  }

  /// Runs work after a delay.
  ///
  /// - Parameters:
  ///   - delay: How much later than ``now``; a negative delay counts as zero.
  ///   - tolerance: Ignored: virtual time is exact.
  ///   - work: Called once, on the thread that advances time, unless it is cancelled before.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  /// - Complexity: O(log *n*) in the number of waiting pieces of work.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    let work = ScheduledWork(recorder: recorder, work)
    add(work) { $0.nextKey($0.moment(after: delay), .work) }
    return work
  }

  /// Runs work at a moment, in a phase.
  ///
  /// ```swift
  /// let scheduler = VirtualTimeScheduler()
  /// let noon = SchedulerInstant(sinceOrigin: .seconds(12))
  /// scheduler.schedule(at: noon, phase: .work) { print("second") }
  /// scheduler.schedule(at: noon, phase: .test) { print("first") }
  /// try scheduler.advance(to: noon)
  /// ```
  ///
  /// - Parameters:
  ///   - instant: The moment; now, if that is `nil` or in the past.
  ///   - phase: What it comes before, and after, among other work of that moment.
  ///   - work: Called once, on the thread that advances time, unless it is cancelled before.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  /// - Complexity: O(log *n*) in the number of waiting pieces of work.
  @discardableResult
  public func schedule(
    at instant: SchedulerInstant?, phase: Phase,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    Recorder.attributingWork(to: Site("schedule(at:)", fileID: fileID, line: line, function: function)) {
      add(work, at: instant, phase: phase)
    }
  }

  private func add(
    _ work: @escaping @Sendable () -> Void, at instant: SchedulerInstant?, phase: Phase
  ) -> ScheduledWork {
    let work = ScheduledWork(recorder: recorder, work)
    add(work) { $0.nextKey(instant?.sinceOrigin.attoseconds ?? $0.now, phase) }
    return work
  }

  /// Puts work into the queue that runs at the present moment, after what was scheduled before it.
  func addNow(_ work: QueuedWork) {
    add(work) { $0.nextKey($0.now, .work) }
  }

  /// Notes that work in the queue was cancelled: a chooser is not told of it any more.
  func noteOver(_ work: QueuedWork) {
    state.withLock { if $0.readyCount > 0 { $0.departures.note(work) } }
  }

  @inline(__always)
  private func add(_ work: QueuedWork, _ key: (inout State) -> QueuedWork.Key) {
    var forgotten = WorkQueue.Forgotten()
    state.withLock { state in
      state.queue.insert(WorkQueue.Entry(key: key(&state), work: .passRetained(work)), forgotten: &forgotten)
    }
    withExtendedLifetime(forgotten) {}
  }

  // MARK: Timers of operators

  /// Sets an alarm.
  ///
  /// - Returns: The number of the setting, and a list entry that is not needed any more.
  func set(
    _ alarm: Alarm, after delay: Duration, noting token: WorkToken?
  ) -> (number: UInt64, unused: WorkToken?) {
    var forgotten = WorkQueue.Forgotten()
    let result = state.withLock { state in
      let key = state.nextKey(state.moment(after: delay), .work)
      let (isQueueing, unused) = alarm.set(to: key, noting: token)
      if isQueueing { state.queue.insert(WorkQueue.Entry(key: key, work: .passRetained(alarm)), forgotten: &forgotten) }
      if state.readyCount > 0 { state.departures.note(alarm) }
      return (key.order, unused)
    }
    withExtendedLifetime(forgotten) {}
    return result
  }

  /// Unsets an alarm; if that is for good, it cannot be set any more.
  ///
  /// - Returns: A list entry that is not needed any more.
  func clear(_ alarm: Alarm, forGood: Bool = false) -> WorkToken? {
    state.withLock { state in
      if state.readyCount > 0 { state.departures.note(alarm) }
      return alarm.clear(forGood: forGood)
    }
  }

  func isOver(_ alarm: Alarm) -> Bool { state.withLock { _ in alarm.isOver } }

  // MARK: Clock

  /// The smallest difference between two moments: a nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until the virtual time has come.
  ///
  /// - Parameters:
  ///   - deadline: The moment to wait for. If it is in the past, the task goes on when time is advanced next.
  ///   - tolerance: Ignored: virtual time is exact.
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  public func sleep(until deadline: SchedulerInstant, tolerance: Duration?) async throws {
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard sleeper.begin(continuation) else { return }
        sleeper.keep(add({ sleeper.finish(.success(())) }, at: deadline, phase: .work))
      }
    } onCancel: {
      sleeper.finish(.failure(CancellationError()))
    }
  }

  // MARK: Tasks

  /// Takes a job of a task that prefers this executor; it runs when time is advanced. The runtime calls this.
  ///
  /// - Parameter job: The job.
  public func enqueue(_ job: consuming ExecutorJob) {
    addNow(TaskWork(UnownedJob(job), on: self))
  }

  /// Starts a task under this virtual time. It runs when time is advanced.
  ///
  /// ```swift
  /// let scheduler = VirtualTimeScheduler()
  /// let answer = scheduler.task {
  ///   try await scheduler.sleep(for: .seconds(60))
  ///   return 42
  /// }
  /// try scheduler.run()
  /// print(try await answer.value)
  /// ```
  ///
  /// - Parameter operation: What the task does. Detached tasks that it starts, the main actor and actors with executors of their own run
  ///   outside virtual time.
  /// - Returns: The task, to wait for its result or to cancel it.
  @discardableResult
  public func task<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(executorPreference: self) { try await operation() }
  }

  // MARK: Advancing

  /// Advances by a duration and runs all work that is due on the way, including what that work schedules.
  ///
  /// Without an argument time stands still, and work that is due now runs.
  ///
  /// - Parameter duration: How far; not below zero.
  /// - Throws: ``VirtualTimeError``. After ``VirtualTimeError/workLimit(_:at:)`` a further call goes on with what is left.
  public func advance(by duration: Duration = .zero) throws(VirtualTimeError) {
    try work { now in
      let (target, isTooLate) = now.addingReportingOverflow(duration.attoseconds)
      return Goal(target: isTooLate ? (duration < .zero ? .min : .max) : target, endsThere: true)
    }
  }

  /// Advances to a moment and runs all work that is due until then, including what that work schedules.
  ///
  /// - Parameter instant: The moment; not in the past.
  /// - Throws: ``VirtualTimeError``. After ``VirtualTimeError/workLimit(_:at:)`` a further call goes on with what is left.
  public func advance(to instant: SchedulerInstant) throws(VirtualTimeError) {
    try work { _ in Goal(target: instant.sinceOrigin.attoseconds, endsThere: true) }
  }

  /// Runs all work until none is left; time ends at the last piece of work.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let scheduler = VirtualTimeScheduler()
  /// Signal.timer(after: .seconds(3600), on: scheduler)
  ///   .subscribe { print("an hour later") }
  ///   .store(in: bag)
  /// try scheduler.run()  // Takes no time at all.
  /// ```
  ///
  /// - Parameter limit: A moment that is not passed; a day from now if `nil`.
  /// - Throws: ``VirtualTimeError``: ``VirtualTimeError/timeLimit(_:pending:)`` if work is left after the limit.
  public func run(until limit: SchedulerInstant? = nil) throws(VirtualTimeError) {
    let limit = limit ?? now.advanced(by: .seconds(86_400))
    try work { _ in Goal(target: limit.sinceOrigin.attoseconds, endsThere: false) }
    let pending = pendingCount
    if pending > 0 { throw .timeLimit(limit.sinceOrigin, pending: pending) }
  }

  /// How many pieces of work wait, cancelled ones not counted.
  ///
  /// - Complexity: O(*n*) in the number of waiting pieces of work.
  public var pendingCount: Int { state.withLock { $0.pendingCount } }

  /// How many pieces of work have run since the scheduler was made.
  public var ranCount: Int { state.withLock { $0.ranCount } }

  /// How far a call advances.
  private struct Goal {
    var target: Int128
    /// Whether time is moved to the target at the end, also when the last work was before.
    var endsThere: Bool
  }

  private enum Step {
    case run(QueuedWork)
    case choose(phase: Int, count: Int, Chooser?)
    case done
  }

  /// Does all work until a goal, taking the lock once for each piece of work.
  private func work(_ goal: (_ now: Int128) -> Goal) throws(VirtualTimeError) {
    var forgotten = WorkQueue.Forgotten()
    var (step, goal) = try state.withLock { state throws(VirtualTimeError) in
      let goal = goal(state.now)
      if goal.endsThere, goal.target < state.now {
        throw .intoThePast(from: Duration(attoseconds: state.now), to: Duration(attoseconds: goal.target))
      }
      guard !state.isAdvancing else { throw .alreadyAdvancing }
      return (try next(in: &state, goal, after: 0, forgotten: &forgotten), goal)
    }
    var ran = 0
    while true {
      // Released outside the lock.
      if !forgotten.isEmpty { forgotten.removeAll() }
      switch step {
      case .done: return
      case .run(let work):
        work.runClaimed()
        ran += 1
        step = try state.withLock { state throws(VirtualTimeError) in
          try next(in: &state, goal, after: ran, forgotten: &forgotten)
        }
      case .choose(let phase, let count, let chooser):
        // The chooser is asked outside the lock: it may use the scheduler. Nothing joins or leaves what is ready before this goes on.
        let choice = choice(count, in: phase, chooser)
        let chosen = choice.flatMap { choice in
          state.withLock { state in
            state.claim((0..<count).contains(choice) ? choice : 0, in: phase, forgotten: &forgotten)
          }
        }
        if let chosen {
          step = .run(chosen)
        } else {
          step = try state.withLock { state throws(VirtualTimeError) in
            try next(in: &state, goal, after: ran, forgotten: &forgotten)
          }
        }
      }
    }
  }

  /// What comes next, after so many pieces of work in one call. Under the lock.
  @inline(__always)
  private func next(
    in state: inout State, _ goal: Goal, after ran: Int, forgotten: inout WorkQueue.Forgotten
  ) throws(VirtualTimeError) -> Step {
    state.isAdvancing = false
    // Asked before the work is taken out, so that a later call can go on with it.
    if ran >= workLimit, state.isDue(until: goal.target) {
      throw .workLimit(workLimit, at: Duration(attoseconds: state.now))
    }
    if state.chooser != nil || state.director != nil {
      if let phase = state.gatherReady(until: goal.target, forgotten: &forgotten) {
        state.isAdvancing = true
        return .choose(phase: phase, count: state.ready[phase].count, state.chooser)
      }
    } else {
      if state.readyCount > 0 { state.putReadyBack(forgotten: &forgotten) }
      if let work = state.claimNext(until: goal.target, forgotten: &forgotten) {
        state.isAdvancing = true
        return .run(work)
      }
    }
    if goal.endsThere { state.now = goal.target }
    return .done
  }

  deinit {
    // What is left may be released only once no lock is held.
    let left = state.withLock { $0.removeAll() }
    withExtendedLifetime(left) {}
  }
}
