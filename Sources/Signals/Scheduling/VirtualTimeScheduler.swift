import DequeModule
import HeapModule
import Synchronization

/// A scheduler whose time passes only when it is told to: tests of timing become exact and instant.
///
/// It is also a Swift `Clock` and a task executor: code that awaits `sleep` on it, or that consumes asynchronous sequences, runs under the same
/// virtual time as operators, when its task was started with ``task(_:)`` or `Task(executorPreference:)`; child tasks follow. Detached tasks, the
/// main actor and actors with executors of their own are not captured.
///
/// Work runs on the thread that calls ``advance(by:)``, ``advance(to:)`` or ``run(until:)``. Scheduling is thread-safe. Only one thread
/// may advance at a time; a call inside another, or beside it, throws.
///
/// - Complexity: scheduling and running take O(log *n*) in the number of waiting pieces of work.
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
    public static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// Picks the next among pieces of work that are ready at the same moment in the same phase.
  ///
  /// It gets how many there are (at least 2), in scheduling order, and returns an index. Nil stands for scheduling order.
  public typealias Chooser = @Sendable (_ ready: Int) -> Int

  private enum Job {
    case scheduled(ScheduledWork)
    case task(UnownedJob)
  }

  private struct Entry: Comparable {
    let deadline: Duration
    let phase: Phase
    let sequence: UInt64
    let job: Job

    static func < (left: Entry, right: Entry) -> Bool {
      if left.deadline != right.deadline { return left.deadline < right.deadline }
      if left.phase != right.phase { return left.phase < right.phase }
      return left.sequence < right.sequence
    }

    static func == (left: Entry, right: Entry) -> Bool { left.sequence == right.sequence }

    var isCancelled: Bool {
      if case .scheduled(let work) = job { work.isDisposed } else { false }
    }

    func isReady(with other: Entry) -> Bool { deadline == other.deadline && phase == other.phase }
  }

  private struct State {
    var now = Duration.zero
    var sequence: UInt64 = 0
    var entries = Heap<Entry>()
    var cancelled = 0
    var isAdvancing = false
    var ranCount = 0
    var chooser: Chooser?

    /// Takes out the next work that is due; with a chooser, all that it may choose from.
    mutating func takeReady(until target: Duration, dropping dropped: inout [Entry]) -> [Entry] {
      var ready: [Entry] = []
      while let next = entries.min, next.deadline <= target {
        if let first = ready.first, chooser == nil || !next.isReady(with: first) { break }
        entries.removeMin()
        if next.isCancelled {
          cancelled -= 1
          dropped.append(next)
        } else {
          ready.append(next)
        }
      }
      return ready
    }
  }

  private let state = Mutex(State())
  private let recorder = Introspection.isOn ? GraphRecorder.current : nil
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
  public func setChooser(_ chooser: Chooser?) {
    state.withLock { $0.chooser = chooser }
  }

  // MARK: Scheduler

  /// The virtual time.
  public var now: SchedulerInstant { SchedulerInstant(sinceOrigin: state.withLock { $0.now }) }

  /// Runs work at the present moment, after what was scheduled before it.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    _ = add(work, stage: .queued, at: nil, phase: .work)
  }

  /// Runs work after a delay. Virtual time is exact: the tolerance is ignored.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    let deadline = state.withLock { $0.now + max(.zero, delay) }
    return add(work, at: SchedulerInstant(sinceOrigin: deadline), phase: .work)
  }

  /// Runs work at a moment (now, if that is nil or in the past), in a phase.
  @discardableResult
  public func schedule(
    at instant: SchedulerInstant?, phase: Phase,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    WorkAuthor.at(Site("schedule(at:)", fileID, line, function)) { add(work, at: instant, phase: phase) }
  }

  private func add(
    _ work: @escaping @Sendable () -> Void, stage: PendingWork.Stage = .waiting, at instant: SchedulerInstant?,
    phase: Phase
  ) -> any Disposable {
    let work = ScheduledWork(stage: stage, recorder: recorder, onCancel: { [weak self] in self?.noteCancelled() }, work)
    add(.scheduled(work), at: instant?.sinceOrigin, phase: phase)
    return work
  }

  private func add(_ job: Job, at deadline: Duration?, phase: Phase) {
    state.withLock { state in
      state.sequence += 1
      state.entries.insert(
        Entry(deadline: max(state.now, deadline ?? state.now), phase: phase, sequence: state.sequence, job: job))
    }
  }

  /// Drops cancelled work once it is the larger part, so that a timer that is set again and again does not pile up.
  private func noteCancelled() {
    var dropped: [Entry] = []
    state.withLock { state in
      state.cancelled += 1
      guard state.cancelled > 64, state.cancelled * 2 > state.entries.count else { return }
      dropped = state.entries.unordered
      state.entries = Heap(dropped.filter { !$0.isCancelled })
      state.cancelled = 0
    }
    withExtendedLifetime(dropped) {}
  }

  // MARK: Clock

  /// The smallest difference between two moments: a nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until the virtual time has come; throws when the task is cancelled meanwhile.
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

  /// Takes a job of a task that prefers this executor; it runs when time is advanced.
  public func enqueue(_ job: consuming ExecutorJob) {
    add(.task(UnownedJob(job)), at: nil, phase: .work)
  }

  /// Starts a task under this virtual time. It runs when time is advanced.
  @discardableResult
  public func task<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(executorPreference: self) { try await operation() }
  }

  // MARK: Advancing

  /// Advances by a duration and runs all work that is due on the way, that which it schedules included.
  public func advance(by duration: Duration = .zero) throws(VirtualTimeError) {
    let target = state.withLock { $0.now + duration }
    try advance(to: SchedulerInstant(sinceOrigin: target))
  }

  /// Advances to a moment and runs all work that is due until then, that which it schedules included.
  public func advance(to instant: SchedulerInstant) throws(VirtualTimeError) {
    let now = now
    guard instant >= now else { throw .intoThePast(from: now.sinceOrigin, to: instant.sinceOrigin) }
    try work(until: instant.sinceOrigin)
    state.withLock { $0.now = max($0.now, instant.sinceOrigin) }
  }

  /// Runs all work until none is left; time ends at the last piece of work.
  ///
  /// - Parameter limit: A moment that is not passed: if work is left after it, the call throws.
  public func run(
    until limit: SchedulerInstant = SchedulerInstant(sinceOrigin: .seconds(86_400))
  ) throws(VirtualTimeError) {
    try work(until: limit.sinceOrigin)
    let pending = pendingCount
    if pending > 0 { throw .timeLimit(limit.sinceOrigin, pending: pending) }
  }

  /// How many pieces of work wait, cancelled ones not counted.
  public var pendingCount: Int {
    state.withLock { $0.entries.unordered.count { !$0.isCancelled } }
  }

  /// How many pieces of work have run.
  public var ranCount: Int { state.withLock { $0.ranCount } }

  private func work(until target: Duration) throws(VirtualTimeError) {
    let isFirst = state.withLock { state in
      defer { state.isAdvancing = true }
      return !state.isAdvancing
    }
    guard isFirst else { throw .alreadyAdvancing }
    defer { state.withLock { $0.isAdvancing = false } }
    var ran = 0
    while true {
      // Asked before the work is taken out, so that a later call can go on with it.
      if ran >= workLimit, isWorkDue(until: target) { throw .workLimit(workLimit, at: now.sinceOrigin) }
      guard let job = next(until: target) else { return }
      ran += 1
      switch job {
      case .scheduled(let work): work.run()
      case .task(let task): task.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  private func isWorkDue(until target: Duration) -> Bool {
    state.withLock { $0.entries.unordered.contains { $0.deadline <= target && !$0.isCancelled } }
  }

  private func next(until target: Duration) -> Job? {
    // What is dropped is released outside the lock, and the chooser is asked outside it.
    var dropped: [Entry] = []
    defer { withExtendedLifetime(dropped) {} }
    var (ready, chooser) = state.withLock { state in
      (state.takeReady(until: target, dropping: &dropped), state.chooser)
    }
    guard !ready.isEmpty else { return nil }
    var index = 0
    if let chooser, ready.count > 1 {
      let choice = chooser(ready.count)
      if ready.indices.contains(choice) { index = choice }
    }
    let chosen = ready.remove(at: index)
    state.withLock { state in
      for entry in ready { state.entries.insert(entry) }
      state.now = max(state.now, chosen.deadline)
      state.ranCount += 1
    }
    return chosen.job
  }
}

/// Why virtual time could not be advanced.
public enum VirtualTimeError: Error, Equatable, CustomStringConvertible {
  /// More work ran than the limit allows: most likely something schedules itself for ever.
  case workLimit(Int, at: Duration)
  /// Work is left after the last moment that the run may reach.
  case timeLimit(Duration, pending: Int)
  /// The moment to advance to is over.
  case intoThePast(from: Duration, to: Duration)
  /// Time is being advanced already, by a call further up or by another thread.
  case alreadyAdvancing

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .workLimit(let limit, let time):
      "virtual time stopped at \(time): \(limit) pieces of work ran in one call. Something probably schedules itself for ever; "
        + "dispose it, or advance in smaller steps."
    case .timeLimit(let limit, let pending):
      "virtual time stopped at its limit of \(limit) with \(pending) piece(s) of work left. Dispose repeating work, or use "
        + "advance(by:) to run for a bounded time."
    case .intoThePast(let from, let to):
      "cannot advance virtual time from \(from) back to \(to). Time only goes forward."
    case .alreadyAdvancing:
      "virtual time is being advanced already. Do not advance it inside work that it runs, or from two threads at once."
    }
  }
}

/// A task's continuation that is resumed once: by time or by cancellation.
private final class Sleeper: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var result: Result<Void, any Error>?
    var work: (any Disposable)?
  }

  private let state = Mutex(State())

  /// Keeps the continuation; if the sleep is over already, resumes it and returns false.
  func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    guard let result else { return true }
    continuation.resume(with: result)
    return false
  }

  func keep(_ work: any Disposable) {
    let isOver = state.withLock { state in
      state.work = work
      return state.result != nil
    }
    if isOver { work.dispose() }
  }

  func finish(_ result: Result<Void, any Error>) {
    let (continuation, work) = state.withLock { state in
      guard state.result == nil else { return (CheckedContinuation<Void, any Error>?.none, (any Disposable)?.none) }
      state.result = result
      defer {
        state.continuation = nil
        state.work = nil
      }
      return (state.continuation, state.work)
    }
    work?.dispose()
    continuation?.resume(with: result)
  }
}
