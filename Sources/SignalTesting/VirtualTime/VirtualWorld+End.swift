import CTaskHooks
import Signals
import Synchronization

extension VirtualWorld {
  /// The way a test ends.
  enum End {
    /// Its closure has returned, or its diagrams are over. A synchronous closure has to advance time itself.
    case returned(isSynchronous: Bool)
    /// Its closure has thrown.
    case threw
    /// It was stopped, which is a failure already.
    case stopped
    /// It is abandoned: nothing is reported.
    case abandoned
  }

  /// Ends the virtual time: due work runs, remaining tasks are cancelled, and their reaction is awaited, without
  /// advancing time.
  ///
  /// - Parameters:
  ///   - end: The way the test ends.
  ///   - work: Describes the remaining work, a line each. Gets the location where endless work was scheduled, if known.
  /// - Returns: The escapes from virtual time, with the declaration of the test that caused them, each once.
  func close(_ end: End, work: (_ place: String?) -> [String] = { _ in [] }) -> [Departure] {
    let (isOpen, isUsed) = state.withLock { (!$0.isClosed, $0.isOpened || !$0.tasks.isEmpty) }
    defer { releaseScheduler() }
    guard isOpen, isUsed else { return [] }
    var left: [Departure] = []
    var isEndlessRun = false
    inside {
      if case .returned(let isSynchronous) = end {
        let hasAdvanced = (scheduler?.now.sinceOrigin ?? .zero) > .zero
        // Even work that is due at once: nothing that the closure checked came after it.
        let hasRun = (scheduler?.ranCount ?? 0) > 0
        let unseen = isSynchronous && !hasAdvanced && !hasRun && isWorkLeft ? work(nil) : nil
        // Endless work reaches its limit once more below.
        try? scheduler?.advance()
        left = sleepers
        if isSynchronous, !hasAdvanced, unseen != nil || isWorkLeft {
          left.append(Departure(cause: .neverDue, details: unseen ?? work(nil)))
        }
      }
      let tasks = state.withLock { state in
        for task in state.tasks.values { task.runCount = 0 }
        return state.allKnown.compactMap(\.reference)
      }
      for task in tasks { task.cancel() }
      do { try scheduler?.advance() } catch {
        isEndlessRun = true
        // Without such a task, other work reschedules itself.
        left += endless.isEmpty ? [Departure(cause: .endless, details: work(endlessScheduling))] : endless
      }
    }
    // Others may have come in the meantime.
    let roots = state.withLock { state in
      state.allKnown.filter { $0.reference != nil && !(isEndlessRun && isEndless($0)) }
    }
    let unfinished = roots.filter { $0.reference?.isUnfinished() ?? false }
      .map { Departure(cause: .unfinished, origin: $0.origin, trace: $0.trace, isOfTest: $0.isOfTest) }
    // Released without the lock: sleepers are resumed elsewhere.
    let sleeps = state.withLock { state in
      defer { for task in state.tasks.values { task.sleep = nil } }
      return state.tasks.values.compactMap(\.sleep)
    }
    withExtendedLifetime(sleeps) {}
    let (departures, numbers) = state.withLock { state in
      state.isClosed = true
      defer {
        state.removeAllTasks()
        state.created = []
        state.begun = [:]
        state.departures = []
      }
      return (state.departures + left + unfinished, Array(state.tasks.keys))
    }
    Self.owners.withLock { owners in
      for number in numbers { owners[number] = nil }
    }
    if TaskHooks.areThere { task_hooks_watch_all(-1) }
    if case .stopped = end { return departures.filter { $0.cause != .endless } }
    return departures
  }

  /// Releases the scheduler, which retains this.
  private func releaseScheduler() {
    let scheduler = state.withLock { state in
      defer { state.scheduler = nil }
      return state.scheduler
    }
    system?.end()
    withExtendedLifetime(scheduler) {}
  }

  /// The number of tasks that have not finished; 0 if something has left the virtual time, as a task may wait for that.
  /// To be called a few times at most.
  var runningTaskCount: Int {
    let tasks = state.withLock { $0.departures.isEmpty ? $0.allKnown.compactMap(\.reference) : [] }
    return tasks.count { $0.isStillRunning() }
  }

  /// Whether there is work that does not wait in the background.
  private var isWorkLeft: Bool { (scheduler?.pendingCount ?? 0) > backgroundSleepCount }

  /// The tasks that sleep without permission to do so at the end, the first to wake first.
  private var sleepers: [Departure] {
    state.withLock { state in
      state.tasks.values.compactMap { task -> (Known, SchedulerInstant)? in
        guard let sleep = task.sleep, !task.isBackground, sleep.isUnderWay else { return nil }
        return (task, sleep.end)
      }
    }
    .map { (task: Known, moment: SchedulerInstant) in
      Departure(
        cause: .asleep, origin: task.origin, trace: task.trace, wait: task.reference?.waitingCalls, moment: moment)
    }
    .sorted { ($0.moment?.sinceOrigin ?? .zero) < ($1.moment?.sinceOrigin ?? .zero) }
  }

  /// The tasks that used up the limit of work after their cancellation.
  private var endless: [Departure] {
    state.withLock { $0.tasks.values.filter(isEndless) }
      .map { Departure(cause: .endless, origin: $0.origin, trace: $0.trace) }
  }

  private func isEndless(_ task: Known) -> Bool { task.runCount > workLimit / 50 + 10 }
}
