import Synchronization

extension VirtualTimeScheduler {
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
  /// - Parameter limit: A moment that is not passed; a day from now if `nil`.
  /// - Throws: ``VirtualTimeError``: ``VirtualTimeError/timeLimit(_:pending:)`` if work is left after the limit.
  public func run(until limit: SchedulerInstant? = nil) throws(VirtualTimeError) {
    let limit = limit ?? now.advanced(by: .seconds(86_400))
    try work { _ in Goal(target: limit.sinceOrigin.attoseconds, endsThere: false) }
    let pending = pendingCount
    if pending > 0 { throw .timeLimit(limit.sinceOrigin, pending: pending) }
  }

  /// Runs work until a closure says that it is enough, or none is left until a limit.
  ///
  /// - Parameters:
  ///   - limit: A moment that is not passed.
  ///   - isEnough: Asked after each work item.
  package func run(until limit: SchedulerInstant, or isEnough: () -> Bool) throws(VirtualTimeError) {
    let goal = Goal(target: limit.sinceOrigin.attoseconds, endsThere: false)
    guard let watch else { return try workInside({ _ in goal }, or: isEnough) }
    try watch.inside { () throws(VirtualTimeError) in try workInside({ _ in goal }, or: isEnough) }
  }

  /// How many work items wait, cancelled ones not counted.
  ///
  /// - Complexity: O(*n*) in the number of waiting work items.
  public var pendingCount: Int { state.withLock { $0.pendingCount } }

  /// How many work items have run since the scheduler was made.
  public var ranCount: Int { state.withLock { $0.ranCount } }

  /// Whether a work item is running.
  package var isRunningWork: Bool { state.withLock { $0.isAdvancing } }

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

  /// Does all work until a goal, taking the lock once for each work item.
  private func work(_ goal: (_ now: Int128) -> Goal) throws(VirtualTimeError) {
    guard let watch else { return try workInside(goal) }
    try watch.inside { () throws(VirtualTimeError) in try workInside(goal) }
  }

  private func workInside(
    _ goal: (_ now: Int128) -> Goal, or isEnough: () -> Bool = { false }
  ) throws(VirtualTimeError) {
    var forgotten = WorkQueue.Forgotten()
    let note = recorder.timeNote(of: self)
    // Before the first step, in which time may already pass.
    note?()
    var (step, goal) = try state.withLock { state throws(VirtualTimeError) in
      let goal = goal(state.now)
      if goal.endsThere, goal.target < state.now {
        throw .intoThePast(from: Duration(attoseconds: state.now), to: Duration(attoseconds: goal.target))
      }
      guard !state.isAdvancing else { throw .alreadyAdvancing }
      return (try next(in: &state, goal, after: 0, forgotten: &forgotten), goal)
    }
    var ran = 0
    note?()
    while true {
      // Released outside the lock.
      if !forgotten.isEmpty { forgotten.removeAll() }
      switch step {
      case .done:
        note?()
        return
      case .run(let work):
        work.runClaimed()
        note?()
        ran += 1
        if isEnough() { return state.withLock { $0.isAdvancing = false } }
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

  /// What comes next, after so many work items in one call. Under the lock.
  @inline(__always)
  private func next(
    in state: inout State, _ goal: Goal, after ran: Int, forgotten: inout WorkQueue.Forgotten
  ) throws(VirtualTimeError) -> Step {
    state.isAdvancing = false
    // Asked before the work is taken out, so that a later call can go on with it.
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
    if goal.endsThere { state.now = goal.target }
    return .done
  }
}
