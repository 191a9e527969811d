import Synchronization

extension VirtualTimeScheduler {
  /// The virtual time: the origin at first, and inside work its deadline.
  public var now: SchedulerInstant { SchedulerInstant(sinceOrigin: Duration(attoseconds: state.withLock { $0.now })) }

  /// Runs work at the current instant, after work that was scheduled before, once time is advanced.
  ///
  /// - Parameter work: Called once, on the thread that advances time.
  /// - Complexity: O(log *n*) in the number of waiting work items.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    addNow(ScheduledWork(stage: .queued, recorder: recorder, work))
  }

  /// Runs work after a delay.
  ///
  /// - Parameters:
  ///   - delay: The delay after ``now``; a negative one counts as zero.
  ///   - tolerance: Ignored: virtual time is exact.
  ///   - work: Called once, on the thread that advances time, unless it is cancelled before.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  /// - Complexity: O(log *n*) in the number of waiting work items.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    let work = ScheduledWork(recorder: recorder, work)
    add(work) { $0.nextKey($0.moment(after: delay), .work) }
    return work
  }

  /// Runs work at an instant, in a phase.
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
  ///   - instant: The instant; now, if it is `nil` or in the past.
  ///   - phase: The position relative to other work of that instant.
  ///   - work: Called once, on the thread that advances time, unless it is cancelled before.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  /// - Complexity: O(log *n*) in the number of waiting work items.
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

  /// Runs work after a delay and after all other work of that instant, even if that is scheduled later.
  package func scheduleLast(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    let work = ScheduledWork(recorder: recorder, work)
    add(work) { $0.lastKey($0.moment(after: delay)) }
    return work
  }

  /// Runs work at the current instant, directly after the running work item and before all waiting work, regardless of
  /// a chooser.
  package func scheduleBehind(_ work: @escaping @Sendable () -> Void) {
    watch?.noteScheduling()
    let work = ScheduledWork(stage: .queued, recorder: recorder, work)
    state.withLock { $0.behind.append(work) }
  }

  func add(
    _ work: @escaping @Sendable () -> Void, at instant: SchedulerInstant?, phase: Phase
  ) -> ScheduledWork {
    let work = ScheduledWork(recorder: recorder, work)
    add(work) { $0.nextKey(instant?.sinceOrigin.attoseconds ?? $0.now, phase) }
    return work
  }

  /// Enqueues work at the current instant, after work that was scheduled before.
  func addNow(_ work: QueuedWork) {
    add(work) { $0.nextKey($0.now, .work) }
  }

  /// Notes that queued work was cancelled: it is no longer offered to a chooser.
  func noteOver(_ work: QueuedWork) {
    state.withLock { if $0.readyCount > 0 { $0.departures.note(work) } }
  }

  @inline(__always)
  func add(_ work: QueuedWork, _ key: (inout State) -> QueuedWork.Key) {
    watch?.noteScheduling()
    insert(work, key)
  }

  @inline(__always)
  func insert(_ work: QueuedWork, _ key: (inout State) -> QueuedWork.Key) {
    var forgotten = WorkQueue.Forgotten()
    state.withLock { state in
      state.queue.insert(WorkQueue.Entry(key: key(&state), work: .passRetained(work)), forgotten: &forgotten)
    }
    withExtendedLifetime(forgotten) {}
  }
}
