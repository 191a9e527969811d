import Synchronization

extension VirtualTimeScheduler {
  /// Advances by a duration and runs all work that is due during it, including work scheduled in the process.
  ///
  /// Without an argument, time does not advance, and work that is due now runs.
  ///
  /// - Parameter duration: The duration; not negative.
  /// - Throws: ``VirtualTimeError``. After ``VirtualTimeError/workLimit(_:at:)`` a further call continues with the
  ///   remaining work.
  public func advance(by duration: Duration = .zero) throws(VirtualTimeError) {
    try work { now in
      let (target, isTooLate) = now.addingReportingOverflow(duration.attoseconds)
      return Goal(target: isTooLate ? (duration < .zero ? .min : .max) : target, endsThere: true)
    }
  }

  /// Advances to an instant and runs all work that is due until then, including work scheduled in the process.
  ///
  /// - Parameter instant: The instant; not in the past.
  /// - Throws: ``VirtualTimeError``. After ``VirtualTimeError/workLimit(_:at:)`` a further call continues with the
  ///   remaining work.
  public func advance(to instant: SchedulerInstant) throws(VirtualTimeError) {
    try work { _ in Goal(target: instant.sinceOrigin.attoseconds, endsThere: true) }
  }

  /// Runs all work until none is left; time ends at the last work item.
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
  /// - Parameter limit: The last instant; a day from now if `nil`.
  /// - Throws: ``VirtualTimeError``: ``VirtualTimeError/timeLimit(_:pending:)`` if work is left after the limit.
  public func run(until limit: SchedulerInstant? = nil) throws(VirtualTimeError) {
    let limit = limit ?? now.advanced(by: .seconds(86_400))
    try work { _ in Goal(target: limit.sinceOrigin.attoseconds, endsThere: false) }
    let pending = pendingCount
    if pending > 0 { throw .timeLimit(limit.sinceOrigin, pending: pending) }
  }

  /// Advances to the next instant at which work is due, and runs all work of that instant.
  ///
  /// ```swift
  /// let scheduler = VirtualTimeScheduler()
  /// for pause in [1, 2, 4] {
  ///   _ = scheduler.schedule(after: .seconds(pause)) { print("attempt") }
  /// }
  /// while try scheduler.runToNextDeadline() { print("after \(scheduler.now.sinceOrigin)") }
  /// ```
  ///
  /// - Returns: Whether work was waiting.
  /// - Throws: ``VirtualTimeError``.
  @discardableResult
  public func runToNextDeadline() throws(VirtualTimeError) -> Bool {
    let count = ranCount
    // The first work may have been cancelled.
    while let next = nextMoment {
      try advance(to: max(next, now))
      if ranCount != count { return true }
    }
    return false
  }

  /// Runs work until a closure returns true, or no work is left up to a limit.
  ///
  /// - Parameters:
  ///   - limit: The last instant.
  ///   - isEnough: Called after each work item.
  package func run(until limit: SchedulerInstant, or isEnough: () -> Bool) throws(VirtualTimeError) {
    let goal = Goal(target: limit.sinceOrigin.attoseconds, endsThere: false)
    guard let watch else { return try workInside({ _ in goal }, or: isEnough) }
    try watch.inside { () throws(VirtualTimeError) in try workInside({ _ in goal }, or: isEnough) }
  }

  /// Runs work until a closure returns true, no work is left, or time has reached a limit; also inside a running work
  /// item, whose thread waits meanwhile.
  ///
  /// - Parameters:
  ///   - limit: The instant that time reaches unless the closure returns true; nil for none.
  ///   - isEnough: Called at first, and after each work item.
  /// - Returns: Whether the closure returned true.
  package func runWhileWaiting(
    until limit: SchedulerInstant?, or isEnough: () -> Bool
  ) throws(VirtualTimeError) -> Bool {
    guard !isEnough() else { return true }
    // The running work item, if there is one, continues afterwards.
    let wasAdvancing = state.withLock { state in
      defer { state.isAdvancing = false }
      return state.isAdvancing
    }
    defer { if wasAdvancing { state.withLock { $0.isAdvancing = true } } }
    var wasEnough = false
    try workInside { now in
      guard let limit else { return Goal(target: .max, endsThere: false) }
      return Goal(target: max(now, limit.sinceOrigin.attoseconds), endsThere: true)
    } or: {
      wasEnough = isEnough()
      return wasEnough
    }
    return wasEnough
  }

  /// The number of waiting work items without cancelled ones.
  ///
  /// - Complexity: O(*n*) in the number of waiting work items.
  public var pendingCount: Int { state.withLock { $0.pendingCount } }

  /// The number of work items that have run since the scheduler was created.
  public var ranCount: Int { state.withLock { $0.ranCount } }

  /// Whether a work item is running.
  package var isRunningWork: Bool { state.withLock { $0.isAdvancing } }

  /// The target of a call.
  private struct Goal {
    var target: Int128
    /// Whether time advances to the target at the end, even if the last work was before it.
    var endsThere: Bool
  }

  private enum Step {
    case run(QueuedWork)
    case choose(phase: Int, count: Int, Chooser?)
    case done
  }

  /// Runs all work until a goal, taking the lock once for each work item.
  private func work(_ goal: (_ now: Int128) -> Goal) throws(VirtualTimeError) {
    guard let watch else { return try workInside(goal) }
    try watch.inside { () throws(VirtualTimeError) in try workInside(goal) }
  }

  private func workInside(
    _ goal: (_ now: Int128) -> Goal, or isEnough: () -> Bool = { false }
  ) throws(VirtualTimeError) {
    var forgotten = WorkQueue.Forgotten()
    let note = recorder.timeNote(of: self)
    // Before the first step, in which time may already advance.
    note?()
    var moment: Int128 = 0
    var (step, goal) = try state.withLock { state throws(VirtualTimeError) in
      let goal = goal(state.now)
      if goal.endsThere, goal.target < state.now {
        throw .intoThePast(from: Duration(attoseconds: state.now), to: Duration(attoseconds: goal.target))
      }
      guard !state.isAdvancing else { throw .alreadyAdvancing }
      let step = try next(in: &state, goal, after: 0, forgotten: &forgotten)
      moment = state.now
      return (step, goal)
    }
    var ran = 0
    note?()
    while true {
      // Released outside the lock.
      if !forgotten.isEmpty { forgotten.removeAll() }
      switch step {
      case .done:
        watch?.noteTime(moment)
        note?()
        return
      case .run(let work):
        watch?.noteTime(moment)
        work.runClaimed()
        note?()
        ran += 1
        if isEnough() { return state.withLock { $0.isAdvancing = false } }
        step = try state.withLock { state throws(VirtualTimeError) in
          defer { moment = state.now }
          return try next(in: &state, goal, after: ran, forgotten: &forgotten)
        }
      case .choose(let phase, let count, let chooser):
        // The chooser is called outside the lock: it may use the scheduler. Nothing enters or leaves the ready work
        // until this continues.
        let choice = choice(count, in: phase, chooser)
        let chosen = choice.flatMap { choice in
          state.withLock { state in
            defer { moment = state.now }
            return state.claim((0..<count).contains(choice) ? choice : 0, in: phase, forgotten: &forgotten)
          }
        }
        if let chosen {
          step = .run(chosen)
        } else {
          step = try state.withLock { state throws(VirtualTimeError) in
            defer { moment = state.now }
            return try next(in: &state, goal, after: ran, forgotten: &forgotten)
          }
        }
      }
    }
  }

  /// The next step, given the number of work items in this call. Under the lock.
  @inline(__always)
  private func next(
    in state: inout State, _ goal: Goal, after ran: Int, forgotten: inout WorkQueue.Forgotten
  ) throws(VirtualTimeError) -> Step {
    state.isAdvancing = false
    // Checked before the work is removed, so that a later call can continue with it.
    if ran >= workLimit, state.isDue(until: goal.target) {
      throw .workLimit(workLimit, at: Duration(attoseconds: state.now))
    }
    if let work = state.claimBehind(forgotten: &forgotten) {
      state.isAdvancing = true
      return .run(work)
    }
    if state.chooser != nil || state.director != nil {
      if let phase = state.gatherReady(until: goal.target, forgotten: &forgotten) {
        state.isAdvancing = true
        return .choose(phase: phase, count: state.readyCount(with: phase), state.chooser)
      }
    } else {
      if state.readyCount > 0 { state.putReadyBack(forgotten: &forgotten) }
      if let work = state.claimNext(until: goal.target, forgotten: &forgotten) {
        state.isAdvancing = true
        return .run(work)
      }
    }
    if goal.endsThere {
      // Work that waited may have gone beyond it.
      state.now = max(state.now, goal.target)
    }
    return .done
  }
}
