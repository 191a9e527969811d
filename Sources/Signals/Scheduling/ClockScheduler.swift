import Dispatch
import Synchronization

/// Takes its time from any Swift `Clock`, and runs work on another scheduler.
///
/// ```swift
/// let bag = DisposeBag()
/// let keystrokes = Emitter<String>()
///
/// /// Code that is written for clocks hands on the clock that it was given: a test hands it one of its own.
/// func searches(clock: any Clock<Duration>) -> Signal<String> {
///   keystrokes.signal.debounce(for: .milliseconds(300), on: .clock(clock))
/// }
/// searches(clock: ContinuousClock()).subscribe { print($0) }.store(in: bag)
/// ```
///
/// `ContinuousClock` counts the time while the machine is asleep, `SuspendingClock` does not. Queue schedulers count
/// like the latter. A manually advanced test clock works as well; ``VirtualTimeScheduler`` needs no clock, as it is
/// itself a scheduler.
///
/// A second scheduler runs the work, by default on a separate queue, in order and one at a time (law 14). With
/// `.immediate` the task that waited for the clock runs the work: so after advancing a clock that runs waiting tasks
/// first, the work has run.
///
/// If the clock's `sleep` throws, it is called again. After eight consecutive errors, waiting work stays waiting until
/// other work is scheduled or has run.
///
/// - Complexity: scheduling takes O(log *n*) in the number of waiting work items. One task waits for all of them.
public struct ClockScheduler: Scheduler {
  private let timeline: Timeline

  /// Creates a scheduler from a clock.
  ///
  /// - Parameters:
  ///   - clock: Provides the time, and waits. The origin of the scheduler's time is the instant of this call.
  ///   - place: Runs the work. `nil` creates a queue.
  public init(_ clock: some Clock<Duration>, runningOn place: (any Scheduler)? = nil) {
    self.init(clock, runningOn: place ?? .qos(.default), waitingOn: nil)
  }

  /// The same, with an executor for the waiting task.
  init(_ clock: some Clock<Duration>, runningOn place: any Scheduler, waitingOn executor: (any TaskExecutor)?) {
    let origin = clock.now
    timeline = Timeline(
      place: place, executor: executor, isRealTime: clock is ContinuousClock || clock is SuspendingClock,
      now: { origin.duration(to: clock.now) },
      sleep: { time, tolerance in try await clock.sleep(until: origin.advanced(by: time), tolerance: tolerance) })
  }

  /// The time on the clock since the scheduler was created.
  public var now: SchedulerInstant {
    if timeline.isRealTime { RealTimeWatch.noteReading() }
    return SchedulerInstant(sinceOrigin: timeline.now())
  }

  /// Runs work as soon as possible, where the second scheduler runs it.
  ///
  /// - Parameter work: Called once.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    timeline.place.schedule(work)
  }

  /// Runs work after a delay.
  ///
  /// - Parameters:
  ///   - delay: The delay on the clock; a negative one counts as zero.
  ///   - tolerance: The accepted additional delay, which is passed to the clock.
  ///   - work: Called once, where the second scheduler runs it, unless it is cancelled before.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    timeline.schedule(after: delay, tolerance: tolerance, work)
  }
}

extension ClockScheduler {
  /// Identical for copies of one scheduler.
  var identity: ObjectIdentifier { ObjectIdentifier(timeline) }
}

extension Scheduler where Self == ClockScheduler {
  /// Takes the time from a clock, and runs work on a separate queue or on another scheduler.
  ///
  /// - Parameters:
  ///   - clock: Provides the time, and waits.
  ///   - place: Runs the work. `nil` creates a queue.
  public static func clock(
    _ clock: some Clock<Duration>, runningOn place: (any Scheduler)? = nil
  ) -> ClockScheduler {
    ClockScheduler(clock, runningOn: place)
  }
}

/// The work that waits for a clock.
///
/// One task sleeps until the earliest deadline, and then passes due work to the second scheduler, in order. When work
/// with an earlier deadline is scheduled, another task takes over.
private final class Timeline: Sendable {
  private struct State: ~Copyable {
    var queue = WorkQueue()
    var sequence: UInt64 = 0
    /// The number of waiting work items without cancelled ones.
    var waitingCount = 0
    /// The deadline of the sleeping task; nil if there is none.
    var wake: Int128?
    /// The latest instant at which the clock may wake the task: ``wake`` plus the tolerance.
    var latestWake: Int128 = 0
    var task: Task<Void, Never>?
    /// Distinguishes the current task from replaced ones.
    var taskNumber = 0
    /// The instant up to which a task is passing on due work; nil if none is.
    var target: Int128?
  }

  /// A century. Clocks trap on much longer durations, or wake at once; so longer waits sleep repeatedly.
  private static var longestSleep: Duration { .seconds(3_155_760_000) }
  /// The number of consecutive errors of `sleep` that are tolerated.
  private static var failureLimit: Int { 8 }

  let place: any Scheduler
  let now: @Sendable () -> Duration
  private let executor: (any TaskExecutor)?
  /// Whether it is a system clock.
  let isRealTime: Bool
  private let sleep: @Sendable (_ until: Duration, _ tolerance: Duration?) async throws -> Void
  private let recorder = Recorder.current
  private let state = Mutex(State())

  init(
    place: any Scheduler, executor: (any TaskExecutor)?, isRealTime: Bool, now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (_ until: Duration, _ tolerance: Duration?) async throws -> Void
  ) {
    self.place = place
    self.executor = executor
    self.isRealTime = isRealTime
    self.now = now
    self.sleep = sleep
  }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    // A task that already sleeps may run the work too, so the sleep alone would not be noticed.
    if isRealTime { RealTimeWatch.note() }
    let work = ClockWork(ScheduledWork(recorder: recorder, work), tolerance, on: self)
    let deadline = now().addingClamped(max(.zero, delay)).attoseconds
    var forgotten = WorkQueue.Forgotten()
    let replaced: Task<Void, Never>? = state.withLock { state in
      state.sequence += 1
      state.waitingCount += 1
      let key = QueuedWork.Key(deadline: deadline, phase: .work, sequence: state.sequence)
      state.queue.insert(WorkQueue.Entry(key: key, work: .passRetained(work)), forgotten: &forgotten)
      // The tolerance of the work that the task waits for does not apply to this work.
      let latest = Duration(attoseconds: deadline).addingClamped(max(.zero, tolerance ?? .zero)).attoseconds
      if let wake = state.wake, wake <= deadline, state.latestWake <= latest { return nil }
      return nextSleep(&state, &forgotten).flatMap { startTask(&state, $0) }
    }
    replaced?.cancel()
    withExtendedLifetime(forgotten) {}
    return work
  }

  /// Starts another waiting task. Under the lock.
  ///
  /// - Returns: The previous task, to be cancelled.
  private func startTask(
    _ state: inout State, _ sleep: Sleep
  ) -> Task<Void, Never>? {
    let old = state.task
    state.taskNumber += 1
    // Detached: work must not inherit the task-locals and the priority of the first caller.
    state.task = Task.detached(executorPreference: executor) { [number = state.taskNumber] in
      guard self.isRealTime else { return await self.wait(for: sleep, number) }
      await RealTimeWatch.afterNoting { await self.wait(for: sleep, number) }
    }
    return old
  }

  private func wait(for sleep: Sleep, _ number: Int) async {
    var next = sleep
    var target = Int128.min
    var failureCount = 0
    while true {
      // From the end of the last sleep, even if no time passes.
      let start = Duration(attoseconds: max(target, now().attoseconds))
      let end = min(next.deadline, start.addingClamped(Self.longestSleep).attoseconds)
      do {
        try await self.sleep(Duration(attoseconds: end), next.tolerance.map { max(.zero, min($0, Self.longestSleep)) })
      } catch {
        failureCount += 1
        guard failureCount < Self.failureLimit else { return stop(number) }
        // A task that was cancelled because another one waits, or because nothing is left, ends here.
        guard let again = earliest(number) else { return }
        next = again
        continue
      }
      target = end
      failureCount = 0
      noteWaking(number)
      // The awaited work is due, even if the clock woke the task early.
      guard deliver(until: max(target, now().attoseconds), number), let later = earliest(number) else { return }
      next = later
    }
  }

  /// Notes that the sleep is over: its tolerance no longer applies to newly scheduled work.
  private func noteWaking(_ number: Int) {
    state.withLock { state in
      if state.taskNumber == number { state.latestWake = .min }
    }
  }

  /// Passes all due work to the second scheduler, in order: one task at a time, which does it for others that arrive in
  /// the meantime.
  ///
  /// - Returns: Whether it did. If not, the calling task ends: the one that does it starts another one for what is left.
  private func deliver(until target: Int128, _ number: Int) -> Bool {
    let isFirst = state.withLock { state in
      let isFirst = state.target == nil
      state.target = max(state.target ?? target, target)
      if !isFirst, state.taskNumber == number {
        state.wake = nil
        state.task = nil
      }
      return isFirst
    }
    guard isFirst else { return false }
    while let work = takeDue() { work.runClaimed() }
    return true
  }

  private func takeDue() -> QueuedWork? {
    var forgotten = WorkQueue.Forgotten()
    defer { withExtendedLifetime(forgotten) {} }
    return state.withLock { state in
      while let first = state.queue.first, let target = state.target, first.key.deadline <= target {
        state.queue.removeFirst()
        let work = first.work.takeRetainedValue()
        guard case .due = work.claim(queuedFor: first.key) else {
          forgotten.append(work)
          continue
        }
        state.waitingCount -= 1
        return work
      }
      state.target = nil
      return nil
    }
  }

  /// The next sleep; nil if nothing waits, or if another task sleeps. One is started if a later task ended because this
  /// one was delivering.
  private func earliest(_ number: Int) -> Sleep? {
    var forgotten = WorkQueue.Forgotten()
    defer { withExtendedLifetime(forgotten) {} }
    return state.withLock { state in
      guard state.taskNumber == number else {
        if state.wake == nil, let next = nextSleep(&state, &forgotten) { _ = startTask(&state, next) }
        return nil
      }
      if let next = nextSleep(&state, &forgotten) { return next }
      state.wake = nil
      state.task = nil
      return nil
    }
  }

  /// The length of a sleep and its tolerance.
  private struct Sleep: Sendable {
    let deadline: Int128
    let tolerance: Duration?
  }

  /// The next sleep; nil if nothing waits. Its tolerance ends with the deadline of the second work item. Under the
  /// lock.
  private func nextSleep(_ state: inout State, _ forgotten: inout WorkQueue.Forgotten) -> Sleep? {
    while let first = state.queue.first {
      guard first.moment != nil else {
        state.queue.removeFirst()
        forgotten.append(first.work.takeRetainedValue())
        continue
      }
      let deadline = first.key.deadline
      var tolerance = first.work._withUnsafeGuaranteedRef { ($0 as? ClockWork)?.tolerance }
      if let wished = tolerance, wished > .zero, let second = state.queue.second {
        tolerance = min(wished, Duration(attoseconds: second.key.deadline - deadline))
      }
      state.wake = deadline
      state.latestWake = Duration(attoseconds: deadline).addingClamped(max(.zero, tolerance ?? .zero)).attoseconds
      return Sleep(deadline: deadline, tolerance: tolerance)
    }
    return nil
  }

  /// Notes that a task no longer waits.
  private func stop(_ number: Int) {
    state.withLock { state in
      guard state.taskNumber == number else { return }
      state.wake = nil
      state.task = nil
    }
  }

  /// Notes that a work item was cancelled. The last waiting one cancels the task.
  func cancelled() {
    let (forgotten, task): (WorkQueue.Forgotten, Task<Void, Never>?) = state.withLock { state in
      state.waitingCount -= 1
      guard state.waitingCount == 0 else { return ([], nil) }
      state.taskNumber += 1
      state.wake = nil
      defer { state.task = nil }
      return (state.queue.removeAll(), state.task)
    }
    task?.cancel()
    withExtendedLifetime(forgotten) {}
  }

  deinit {
    // No task is waiting: a task would retain this.
    let forgotten = state.withLock { $0.queue.removeAll() }
    withExtendedLifetime(forgotten) {}
  }
}

/// Work that waits for a clock, and then for its scheduler.
// Safe: the mutable state is atomic, and the rest is constant.
private final class ClockWork: QueuedWork, Disposable, @unchecked Sendable {
  let tolerance: Duration?
  private let work: ScheduledWork
  private let timeline: Timeline
  /// Whether the clock is done with it.
  private let hasLeft = Atomic<Bool>(false)

  init(_ work: ScheduledWork, _ tolerance: Duration?, on timeline: Timeline) {
    self.work = work
    self.tolerance = tolerance
    self.timeline = timeline
  }

  func dispose() {
    work.dispose()
    if !hasLeft.exchange(true, ordering: .acquiringAndReleasing) { timeline.cancelled() }
  }

  var isDisposed: Bool { work.isDisposed }

  // MARK: In the queue

  override func moment(queuedFor key: Key) -> Key? { hasLeft.load(ordering: .acquiring) ? nil : key }

  override func claim(queuedFor key: Key) -> Claim {
    hasLeft.exchange(true, ordering: .acquiringAndReleasing) ? .over : .due
  }

  override func runClaimed() { timeline.place.schedule(work.run) }
}
