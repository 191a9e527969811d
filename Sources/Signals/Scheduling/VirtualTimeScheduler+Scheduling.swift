import Synchronization

extension VirtualTimeScheduler {
  /// The virtual time: the origin at first, and inside work the moment at which that is due.
  public var now: SchedulerInstant { SchedulerInstant(sinceOrigin: Duration(attoseconds: state.withLock { $0.now })) }

  /// Runs work at the present moment, after what was scheduled before it, once time is advanced.
  ///
  /// - Parameter work: Called once, on the thread that advances time.
  /// - Complexity: O(log *n*) in the number of waiting work items.
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
  /// - Complexity: O(log *n*) in the number of waiting work items.
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

  /// Runs work after a delay and after all other work of that moment, also what is scheduled for it in the meantime.
  package func scheduleLast(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    let work = ScheduledWork(recorder: recorder, work)
    add(work) { $0.lastKey($0.moment(after: delay)) }
    return work
  }

  /// Runs work at the present moment, directly behind the work item that is running and before all that waits, whatever a chooser says.
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

  /// Puts work into the queue that runs at the present moment, after what was scheduled before it.
  func addNow(_ work: QueuedWork) {
    add(work) { $0.nextKey($0.now, .work) }
  }

  /// Notes that work in the queue was cancelled: a chooser is not told of it any more.
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
