import CTaskHooks
import Signals
import Synchronization

// What leaves virtual time, comes in from elsewhere, or remains: each becomes a failure at the end.
extension VirtualWorld {
  /// The virtual time that notes the events of a probe or a recorder: that of its scheduler or, without a scheduler,
  /// the one in which it is created.
  static func watch(of scheduler: (any Scheduler)?) -> (any VirtualTimeWatch)? {
    guard let scheduler else { return ofCurrentTask }
    return (scheduler as? VirtualTimeScheduler)?.watch
  }

  func noteEvent() {
    if !isHere { noteEventElsewhere() }
  }

  /// Notes that a probe or a recorder got an event from outside.
  func noteEventElsewhere() {
    state.withLock { state in
      if state.depth > 0, !state.isClosed { state.departures.append(Departure(cause: .eventElsewhere)) }
    }
  }

  /// Notes that a declaration of the test has not finished although no work is left.
  func noteUnfinished(_ origin: MarbleSource) {
    let waiting = state.withLock { $0.tasks.sorted { $0.key < $1.key }.map(\.value) }
      .filter { $0.reference?.isStillRunning() ?? false }
    let details = waiting.compactMap { task -> String? in
      let start = task.trace.map { $0.place.map { "The task started at \($0)" } } ?? "It"
      let place = task.reference?.waitingCalls?.place
      guard let start, task.trace != nil || place != nil && task.origin == origin else { return nil }
      return start + (place.map { " waits at \($0)." } ?? " has not finished.")
    }
    let moment = scheduler?.now
    state.withLock {
      $0.departures.append(
        Departure(cause: .unfinishedDeclaration, origin: origin, moment: moment, details: details))
    }
  }

  /// Notes work that this thread submits to a system queue, and its requester.
  ///
  /// - Parameter isReading: Whether only the scheduler's time is read.
  func noteRealScheduler(_ site: Site?, isReading: Bool = false) {
    // The system's queues and clocks are virtual as well.
    guard system == nil else { return }
    let task = task_hooks_current_task_id()
    state.withLock { state in
      guard !state.isClosed else { return }
      state.departures.append(
        Departure(
          cause: isReading ? .realTimeRead : .realScheduler, origin: state.known(task)?.origin, site: site,
          isOfTest: state.isOfTest(task)))
    }
  }

  /// Notes that the current task begins to sleep in real time.
  ///
  /// - Parameter remaining: The nanoseconds until its end, if they are known.
  func noteRealSleep(for remaining: Int64?) {
    if RealTimeWatch.isSilent { return }
    let now = ContinuousClock.now
    let task = task_hooks_current_task_id()
    let wait = waitingTrace(task_hooks_current_calls)
    state.withLock { state in
      guard !state.isClosed else { return }
      let isOfTest = state.isOfTest(task)
      let task = state.known(task)
      // The task requested it in the current job.
      let elapsed = state.jobBegan.map { Int64(clamping: $0.duration(to: now).attoseconds / 1_000_000_000) } ?? 0
      let duration = remaining.flatMap { Duration(askedFor: $0, elapsed: elapsed) }
      state.departures.append(
        Departure(
          cause: .realSleep, origin: task?.origin, trace: task?.trace, wait: wait, duration: duration,
          isOfTest: isOfTest))
    }
  }

  /// Notes that this thread sets a timer of a dispatch source.
  func noteRealTimer() {
    if RealTimeWatch.isSilent { return }
    noteDeparture(.realTimer, trace: CreationTrace.captureInnermost())
  }

  /// Notes that this thread submits work to a dispatch queue: for an operator with a custom scheduler, in a task of
  /// this world, or in another work item. The test's own submissions are not reported.
  func noteDispatch() {
    if RealTimeWatch.isSilent { return }
    if let site = WorkAuthor.currentSite { return noteRealScheduler(site) }
    let task = task_hooks_current_task_id()
    let isInWork = scheduler?.isRunningWork ?? false
    state.withLock { state in
      let known = state.known(task)
      let isInWorkItem = isInWork && !state.isInTest && !state.isClosed && (task == 0 || state.callers.contains(task))
      guard known != nil || isInWorkItem || state.isNotingEachDispatch else { return }
      state.departures.append(Departure(cause: .dispatched, origin: known?.origin, isOfTest: state.isOfTest(task)))
    }
  }

  /// Allows every task to sleep at the end.
  func putAllInBackground() { state.withLock { $0.areAllInBackground = true } }

  /// Also notes what is submitted to queues outside of work items: no code of a test does that here.
  func notesEachDispatch() { state.withLock { $0.isNotingEachDispatch = true } }

  /// Whether the running code belongs to a task that a closure of the test started.
  static var isRunningTaskOfTest: Bool {
    guard let world = ofCurrentTask else { return false }
    return world.state.withLock { $0.known(task_hooks_current_task_id())?.isOfTest ?? false }
  }

  /// Runs a closure of the test, which may use dispatch queues, in a work item.
  static func runningTest<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let world = current else { return try body() }
    world.state.withLock { $0.isInTest = true }
    defer { world.state.withLock { $0.isInTest = false } }
    return try body()
  }

  /// Whether work that this thread submits to a queue runs in virtual time.
  func admits(_ work: DispatchedWork) -> Bool {
    if RealTimeWatch.isOfOthers { return false }
    guard work.isForMainQueue, !state.withLock({ $0.isOnMain }) else { return true }
    noteDeparture(.mainQueue)
    return false
  }

  /// Notes that this thread waits for something that nothing in virtual time brings.
  ///
  /// - Parameter isAboveSleep: Whether a thread that waits for a time is below it on the stack.
  func noteBlocked(waitingFor what: String, isAboveSleep: Bool = false) {
    noteDeparture(
      .blocked, trace: CreationTrace.captureInnermost(),
      details: [what]
        + (isAboveSleep
          ? [
            "A thread that sleeps, or waits with a timeout, may be the one to end it, but that began before and goes on only after this one: both are on one "
              + "stack. Let it sleep in a task, with `await Task.sleep`, or use `asyncAfter`."
          ] : []))
  }

  /// Notes that this thread cannot wait, as its stack is full of code that waits.
  func noteNestedTooDeeply() { noteDeparture(.nestedTooDeeply, trace: CreationTrace.captureInnermost()) }

  /// Notes that work rescheduled itself endlessly while this thread waited.
  func noteEndlessWait() { noteDeparture(.endless, details: [endlessScheduling ?? "while a thread waited"]) }

  func noteDeparture(_ cause: Departure.Cause, trace: CreationTrace? = nil, details: [String] = []) {
    let task = task_hooks_current_task_id()
    state.withLock { state in
      guard !state.isClosed else { return }
      state.departures.append(
        Departure(
          cause: cause, origin: state.known(task)?.origin, trace: trace, details: details,
          isOfTest: state.isOfTest(task)))
    }
  }
}
