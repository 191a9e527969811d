import CTaskHooks
import Signals
import Synchronization

/// The virtual time of one test, with all its tasks.
///
/// While a thread is inside, every job that it enqueues for the global executor is taken into the queue of the
/// scheduler: `Task { }`, detached tasks, resumed continuations, default actors. Jobs from other threads are left
/// alone, except those of tasks that belong here: they waited for something outside, which is noted, and they come back
/// in.
final class VirtualWorld: VirtualTimeWatch {
  /// Whether newly started tasks may sleep at the end of the test.
  @TaskLocal static var isBackground = false

  /// The worlds of tasks, for jobs that other threads enqueue.
  static let owners = ProcessMutex<[UInt64: VirtualWorld]>([:])

  let state = Mutex(State())
  /// Its scheduler, which retains it, until this is closed: each job uses both, and a weak reference would make their reference
  /// counting slow.
  var scheduler: VirtualTimeScheduler? { state.withLock { $0.isClosed ? nil : $0.scheduler } }
  /// The limit of work items in one stretch.
  let workLimit: Int
  private let schedulingCount = Atomic(0)
  private let progress = StandstillWatch.Progress()
  /// The number of nested running jobs that are not the main actor's.
  private let jobsOffMainActor = Atomic(0)
  /// The number of nested sleeps that end: the runtime ends one in a task of its own.
  private let wakingCount = Atomic(0)
  /// The number of nested calls of `DispatchQueue.main.sync`.
  private let mainSyncCount = Atomic(0)
  /// Its number among all virtual times of the process.
  let number = VirtualWorld.numbers.add(1, ordering: .relaxed).newValue
  /// The number of scheduled work items from one captured backtrace to the next.
  private let samplingInterval: Int
  private let lastScheduling = Mutex<CreationTrace?>(nil)
  /// The labels of the work items of this run, if they are labelled.
  // Safe: written before any work is scheduled.
  nonisolated(unsafe) var labels: PieceLabels?

  /// Checks that began inside: they are called with the time.
  private let listeners = Mutex<[ObjectIdentifier: Listener]>([:])
  private let hasListeners = Atomic(false)
  private let lastNoted = Mutex<Duration>(.zero)

  /// A closure that is itself the value of a mutex would be wrapped again at each access.
  private struct Listener {
    let note: GraphRecorder.TimeNote
  }

  /// The clocks and queues of the system, if they are virtual.
  // Safe: written once, before anything else has the world.
  nonisolated(unsafe) private(set) var system: VirtualSystem?

  /// That of the code on this thread.
  static var system: VirtualSystem? { ofCurrentTask?.system }

  private static let numbers = Atomic<UInt64>(0)

  /// The number of the latest one.
  static var latestNumber: UInt64 { numbers.load(ordering: .relaxed) }

  private let outer = Mutex(Outer())

  /// The world in which this one was entered.
  private struct Outer: Sendable {
    weak var world: VirtualWorld?
  }

  /// The world of this thread.
  static var current: VirtualWorld? {
    task_hooks_world().map { Unmanaged<VirtualWorld>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Creates a world and its scheduler, which retains it.
  ///
  /// - Parameters:
  ///   - systemTime: What the system's clocks show.
  ///   - failures: Collects those of subscriptions that are created, or fail, in a task of the world.
  ///   - source: The test, for messages.
  static func scheduler(
    workLimit: Int, chooser: VirtualTimeScheduler.Chooser?, systemTime: SystemTime, failures: FailureLog,
    source: MarbleSource
  ) -> (VirtualTimeScheduler, VirtualWorld) {
    let world = VirtualWorld(failures, workLimit: workLimit)
    if let start = systemTime.start {
      if VirtualSystem.missing.isEmpty { world.system = VirtualSystem(world, startingAt: start, seed: systemTime.seed) }
      if world.system == nil { report(VirtualSystem.missingMessage, at: source) }
    }
    let scheduler = VirtualTimeScheduler(workLimit: workLimit, chooser: chooser, watchedBy: world)
    world.state.withLock { $0.scheduler = scheduler }
    StandstillWatch.watch(world.progress, of: source)
    return (scheduler, world)
  }

  let failures: FailureLog

  private init(_ failures: FailureLog, workLimit: Int) {
    self.failures = failures
    self.workLimit = workLimit
    samplingInterval = max(1, workLimit / 4)
  }

  // MARK: Inside

  func inside<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    enter()
    let before = task_hooks_world()
    let clock = task_hooks_clock_here()
    let around = Self.current
    if let around, around !== self { outer.withLock { $0.world = around } }
    task_hooks_set_world(Unmanaged.passUnretained(self).toOpaque())
    task_hooks_set_clock_here(system?.clock)
    progress.depth.add(1, ordering: .relaxed)
    defer {
      task_hooks_set_world(before)
      task_hooks_set_clock_here(clock)
      state.withLock { $0.depth -= 1 }
      progress.depth.subtract(1, ordering: .relaxed)
    }
    return try body()
  }

  /// Runs a closure outside the surrounding virtual time.
  static func outside<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = task_hooks_world()
    let clock = task_hooks_clock_here()
    task_hooks_set_world(nil)
    task_hooks_set_clock_here(nil)
    defer {
      task_hooks_set_world(before)
      task_hooks_set_clock_here(clock)
    }
    return try body()
  }

  private func enter() {
    let caller = task_hooks_current_task_id()
    let isFirst = state.withLock { state in
      state.depth += 1
      if caller != 0 { state.callers.insert(caller) }
      defer { state.isOpened = true }
      return !state.isOpened
    }
    guard isFirst else { return }
    TaskHooks.listen()
    guard TaskHooks.areThere else { return }
    let isOnMain = MainScheduler.isHere
    // The runs of an exploration are known to be alike.
    let known = task_hooks_world() == nil ? OrderDirector.current?.isInFirstUse : nil
    let isFirstUse = known ?? FirstUse.isUnderWay
    task_hooks_watch_all(1)
    state.withLock { state in
      state.isFirstUse = isFirstUse
      state.oldestTask = task_hooks_newest_task_id() + 1
      state.isOnMain = isOnMain
    }
  }

  /// Attributes the tasks that a closure starts to a declaration of the test.
  func starting<Result>(from origin: MarbleSource, _ body: () -> Result) -> Result {
    let before = state.withLock { state in
      defer { state.origin = origin }
      return state.origin
    }
    defer { state.withLock { $0.origin = before } }
    return body()
  }

  /// Whether tasks were started.

  var isOpen: Bool { !state.withLock { $0.isClosed } }

  var isHere: Bool { task_hooks_world() == Unmanaged.passUnretained(self).toOpaque() }

  // MARK: Jobs

  /// Takes a job that was meant for the global executor, if it belongs to a world.
  static func take(_ job: UnsafeMutableRawPointer) -> Bool {
    guard let world = owner(of: job), let scheduler = world.note(job) else { return false }
    if task_hooks_is_creating(), task_hooks_task_id(job) == 0 { world.state.withLock { $0.hasScheduledActor = true } }
    scheduler.add(UnownedJob(at: job)) { job in
      world.runOffMainActor { job.runSynchronously(on: Self.genericExecutor) }
    } unless: {
      !world.isOpen
    }
    return true
  }

  /// The runtime's executor of nonisolated code. A job that runs there needs no further work item to call another
  /// nonisolated function, as in a program; on a custom executor it would need one for each call.
  static var genericExecutor: UnownedSerialExecutor {
    // Safe: an executor's reference is two words, and both are zero for this one, as in the runtime's Executor.h.
    unsafeBitCast(task_hooks_executor(), to: UnownedSerialExecutor.self)
  }

  /// Takes a job that was meant for the main actor, if it belongs to a world that is on the main thread.
  static func takeMain(_ job: UnsafeMutableRawPointer) -> Bool {
    guard let world = owner(of: job) else { return false }
    guard world.state.withLock({ $0.isOnMain }) else {
      world.noteDeparture(.mainActor)
      return false
    }
    guard let scheduler = world.note(job) else { return false }
    scheduler.add(UnownedJob(at: job)) { job in
      guard let system = world.system else {
        return job.runSynchronously(on: VirtualMainExecutor.shared.asUnownedSerialExecutor())
      }
      system.runOnMain { job.runSynchronously(on: VirtualMainExecutor.shared.asUnownedSerialExecutor()) }
    } unless: {
      !world.isOpen
    }
    return true
  }

  /// The main actor's executor on this thread.
  static var mainExecutor: task_hooks_executor {
    guard let world = current, world.ownsCurrentTask else { return task_hooks_executor() }
    guard world.state.withLock({ $0.isOnMain }) else {
      world.noteDeparture(.mainActor)
      return task_hooks_executor()
    }
    // Safe: an executor's reference is two words, as in C.
    return unsafeBitCast(VirtualMainExecutor.shared.asUnownedSerialExecutor(), to: task_hooks_executor.self)
  }

  /// Whether this thread's world runs a job that is not the main actor's.
  static var isOffMainActor: Bool { current?.jobsOffMainActor.load(ordering: .relaxed) ?? 0 > 0 }

  /// Fails the test if main actor code runs in an actor or a task that is not the main actor's.
  static func checkMainActor() {
    guard isOffMainActor else { return }
    current?.noteDeparture(.offMainActor, trace: CreationTrace.captureInnermost())
  }

  /// Whether this thread runs code of the main actor.
  var isOnMainActor: Bool { isOnMain && jobsOffMainActor.load(ordering: .relaxed) == 0 }

  /// Whether the test runs on the main thread.
  var isOnMain: Bool { state.withLock { $0.isOnMain } }

  /// Runs code of the main queue inside other work.
  func runOnMainActor(_ job: () -> Void) {
    let count = jobsOffMainActor.exchange(0, ordering: .relaxed)
    mainSyncCount.add(1, ordering: .relaxed)
    defer {
      mainSyncCount.subtract(1, ordering: .relaxed)
      jobsOffMainActor.store(count, ordering: .relaxed)
    }
    job()
  }

  /// Whether this thread runs code of the main queue inside other work, for which libdispatch takes it then.
  static var isInMainSync: Bool { current?.mainSyncCount.load(ordering: .relaxed) ?? 0 > 0 && !isOffMainActor }

  func runOffMainActor(_ job: () -> Void) {
    jobsOffMainActor.add(1, ordering: .relaxed)
    defer { jobsOffMainActor.subtract(1, ordering: .relaxed) }
    job()
  }

  /// The world that a job belongs to: that of its task; for a new task, that of this thread.
  private static func owner(of job: UnsafeMutableRawPointer) -> VirtualWorld? {
    let here = current
    let number = task_hooks_task_id(job)
    // A job without a task belongs to a continuation or an actor.
    guard number != 0 else { return here }
    if let here, here.state.withLock({ $0.task(number) != nil }) { return here }
    if let owner = owners.withLock({ $0[number] }) { return owner }
    guard let here, here.mayOwn(job, number) else { return nil }
    return here
  }

  /// Whether a task that is being enqueued here, and is unknown, belongs here. This thread may be doing an actor's work
  /// for tasks of other code: neither those nor the tasks that they start belong here.
  private func mayOwn(_ job: UnsafeMutableRawPointer, _ number: UInt64) -> Bool {
    let (isOld, isCreated) = state.withLock { (number < $0.oldestTask, $0.created.contains(number)) }
    if isOld || isCreated || !task_hooks_sees_creations() { return !isOld }
    if task_hooks_is_creating() { return ownsCurrentTask && !isInFirstUse }
    // A child that `async let` starts, in the name of its parent.
    return task_hooks_current_task_id() != 0 && task_hooks_is_fresh(job) && ownsCurrentTask
  }

  /// The world that the code on this thread belongs to. The thread of another test may run an actor's work.
  static var ofCurrentTask: VirtualWorld? {
    guard let here = current else { return nil }
    if here.ownsCurrentTask { return here }
    let number = task_hooks_current_task_id()
    return owners.withLock { $0[number] }
  }

  /// Whether the code on this thread, which is inside, belongs here: whether it belongs to no task, or to one of this
  /// test's.
  private var ownsCurrentTask: Bool {
    let number = task_hooks_current_task_id()
    guard number != 0, wakingCount.load(ordering: .relaxed) == 0 else { return true }
    let (isKnown, isOld) = state.withLock { state in
      (
        state.task(number) != nil || state.callers.contains(number) || state.created.contains(number),
        number < state.oldestTask
      )
    }
    if isKnown { return true }
    // Without a notification of new tasks, one that began on an actor cannot be distinguished from those of other code.
    return !isOld && !task_hooks_sees_creations() && Self.owners.withLock { $0[number] == nil }
  }

  /// Whether a global variable is being initialized whose initialization began inside. A task that it starts outlives
  /// the test.
  private var isInFirstUse: Bool { !state.withLock { $0.isFirstUse } && FirstUse.isUnderWay }

  /// Notes a task that this thread has created.
  func noteCreated(_ task: UnsafeMutableRawPointer) {
    guard ownsCurrentTask, !isInFirstUse else { return }
    let number = task_hooks_task_id(task)
    let creator = task_hooks_current_task_id()
    // A task that an actor starts usually begins there, once this thread leaves it.
    let isOnActor = task_hooks_current_actor() != nil
    let isSeen = state.withLock { state in
      defer { state.hasScheduledActor = false }
      guard !state.isClosed, state.tasks[number] == nil else { return true }
      state.created.insert(number)
      return !state.hasScheduledActor && !isOnActor
    }
    guard !isSeen, task_hooks_is_root(task) else { return }
    let reference = TaskReference(task)
    let trace = CreationTrace.captureInnermost()
    let isBackground = Self.isBackground
    state.withLock { state in
      // It may have run by now.
      guard !state.isClosed, state.created.contains(number) else { return }
      if state.begun.count >= state.begunSweepCount {
        state.begun = state.begun.filter { $0.value.reference?.isThere ?? false }
        state.begunSweepCount = max(64, state.begun.count * 2)
      }
      state.begun[number] = Known(
        number, origin: state.origin ?? state.known(creator)?.origin, reference: reference, trace: trace,
        isBackground: isBackground || state.areAllInBackground || state.known(creator)?.isBackground ?? false,
        isOfTest: state.isOfTest(creator))
    }
  }

  func admits(_ job: UnownedJob) -> Bool { note(job.address) != nil }

  /// Notes a job that is about to wait in virtual time.
  ///
  /// - Parameter isRunning: Whether the job is a task that runs here: then its frames are not read, as they may be
  ///   gone.
  /// - Returns: The scheduler; nil if the world takes no more jobs.
  private func note(_ job: UnsafeMutableRawPointer, isRunning: Bool = false) -> VirtualTimeScheduler? {
    let number = task_hooks_task_id(job)
    let isHere = isHere
    if isHere {
      let (isNoted, scheduler) = state.withLock { state -> (Bool, VirtualTimeScheduler?) in
        if state.isClosed { return (true, nil) }
        guard number != 0 else { return (true, state.scheduler) }
        guard let known = state.task(number) else { return (false, nil) }
        known.runCount += 1
        return (true, state.scheduler)
      }
      if isNoted { return scheduler }
    }
    let actor = isHere || Self.current == nil ? nil : Self.currentActor
    let creator = isHere ? task_hooks_current_task_id() : 0
    let isUnknown = isHere && number != 0
    let reference =
      isUnknown && GraphRecorder.ofTask?.findsSubscriptions == true && task_hooks_is_root(job)
      ? TaskReference(job) : nil
    // The location of the test's declarations is known.
    let trace =
      isUnknown && !isRunning && task_hooks_is_fresh(job) && state.withLock { $0.origin == nil }
      ? CreationTrace.captureInnermost() : nil
    let token = reference.flatMap { reference in
      Self.token(reference, isOfTest: state.withLock { $0.isOfTest(creator) }) { [weak self] in
        (trace ?? self?.start(ofTask: number))?.place
      }
    }
    let isBackground = isUnknown && Self.isBackground
    let (scheduler, isNew) = state.withLock { state -> (VirtualTimeScheduler?, Bool) in
      guard !state.isClosed else { return (nil, false) }
      guard number != 0 else { return (state.scheduler, false) }
      if let known = state.tasks[number] {
        known.runCount += 1
        if !isHere, state.depth > 0 {
          state.departures.append(
            Departure(cause: actor == nil ? .cameBack : .otherTest, origin: known.origin, actor: actor))
        }
        return (state.scheduler, false)
      }
      let isRoot = task_hooks_is_root(job)
      state.created.remove(number)
      if let known = state.begun.removeValue(forKey: number) {
        known.token = token
        state.add(known)
        return (state.scheduler, true)
      }
      state.add(
        Known(
          number, origin: state.origin ?? state.known(creator)?.origin,
          reference: isRoot ? reference ?? TaskReference(job) : nil, token: token, trace: trace,
          isBackground: isBackground || state.areAllInBackground || state.known(creator)?.isBackground ?? false,
          isOfTest: state.isOfTest(creator)))
      return (state.scheduler, true)
    }
    guard isNew else { return scheduler }
    let gone = goneTasks()
    Self.owners.withLock { owners in
      owners[number] = self
      for number in gone { owners[number] = nil }
    }
    return scheduler
  }

  /// The type of the actor that this thread runs on.
  private static var currentActor: String {
    guard let actor = task_hooks_current_actor() else { return "that both use" }
    // Safe: the runtime's own reference to the actor whose work this thread does.
    return "\(type(of: Unmanaged<AnyObject>.fromOpaque(actor).takeUnretainedValue()))"
  }

  /// Notes a task that is being started here and now, during a search for leaks, unless other code notes it.
  private static func token(
    _ task: TaskReference, isOfTest: Bool, startedAt: @escaping @Sendable () -> String?
  ) -> PendingWorkToken? {
    guard !TaskAuthor.isNoted else { return nil }
    let running = RunningTask(
      isVirtual: true, isOver: { !task.isStillRunning() }, isOfTest: isOfTest, startedAt: startedAt)
    return PendingWorkToken(starting: running, of: nil, at: nil, schedulerRecorder: nil)
  }

  /// Removes deallocated tasks, at a constant cost for each task.
  private func goneTasks() -> [UInt64] {
    let gone = state.withLock { state -> [Known] in
      guard state.tasks.count >= state.sweepCount else { return [] }
      let gone = state.tasks.values.filter { $0.reference.map { !$0.isThere } ?? false }
      for task in gone { state.remove(task) }
      state.sweepCount = max(64, state.tasks.count * 2)
      return gone
    }
    for known in gone { known.token?.end() }
    return gone.map(\.number)
  }

  // MARK: Labels

  func labelAsQueue(_ label: @autoclosure () -> String?) { labels?.noteQueue(label()) }

  private func label(_ note: (PieceLabels, VirtualTimeScheduler) -> Void) {
    if let labels, let scheduler { note(labels, scheduler) }
  }

  /// The backtrace of a task's start, if known.
  func start(ofTask number: UInt64) -> CreationTrace? { state.withLock { $0.known(number)?.trace } }

  // MARK: Scheduling

  func noteScheduling() {
    guard !isHere else {
      sampleScheduling()
      return label { $0.noteNext(of: $1) }
    }
    let departure =
      isAround(Self.current)
      ? Departure(cause: .scheduledInside, trace: CreationTrace.captureInnermost())
      : Departure(cause: .scheduledElsewhere)
    state.withLock { state in
      if state.depth > 0, !state.isClosed { state.departures.append(departure) }
    }
  }

  /// Whether a world was entered inside this one.
  private func isAround(_ inner: VirtualWorld?) -> Bool {
    var world = inner
    while let outer = world?.outer.withLock({ $0.world }) {
      if outer === self { return true }
      world = outer
    }
    return false
  }

  // MARK: Endless work

  /// Captures the backtrace of scheduling now and then: work that reschedules itself up to the limit is captured at
  /// least once.
  private func sampleScheduling() {
    progress.steps.add(1, ordering: .relaxed)
    guard schedulingCount.add(1, ordering: .relaxed).newValue.isMultiple(of: samplingInterval) else { return }
    let trace = CreationTrace.captureInnermost()
    lastScheduling.withLock { $0 = trace }
  }

  /// The location of the latest captured scheduling: `Oven.swift:12`. For work that reached the limit, it is the
  /// location that reschedules it.
  var endlessScheduling: String? { lastScheduling.withLock { $0 }?.place }

  // MARK: Sleeping

  func noteTime(_ now: Int128) {
    system?.noteTime(now)
    if hasListeners.load(ordering: .relaxed) { noteProgress(at: Duration(attoseconds: now)) }
  }

  /// Calls the checks that began inside, also with the time before: what was created since then was created at that time.
  func noteProgress(at moment: Duration? = nil) {
    guard let scheduler else { return }
    let now = moment ?? scheduler.now.sinceOrigin
    let before = lastNoted.withLock { last in
      defer { last = now }
      return min(last, now)
    }
    for listener in listeners.withLock({ Array($0.values) }) {
      listener.note(scheduler.number, before)
      if now > before { listener.note(scheduler.number, now) }
    }
  }

  /// Calls a closure with the time before each work item, until ``removeListener(_:)``.
  func addListener(_ key: ObjectIdentifier, _ note: @escaping GraphRecorder.TimeNote) {
    listeners.withLock { $0[key] = Listener(note: note) }
    hasListeners.store(true, ordering: .relaxed)
  }

  func removeListener(_ key: ObjectIdentifier) {
    let isLast = listeners.withLock { listeners in
      listeners[key] = nil
      return listeners.isEmpty
    }
    if isLast { hasListeners.store(false, ordering: .relaxed) }
  }

  func noteRunning() {
    progress.steps.add(1, ordering: .relaxed)
    // No sleep is real then.
    guard system == nil else { return }
    let now = ContinuousClock.now
    state.withLock { $0.jobBegan = now }
  }

  func noteSleep(until deadline: SchedulerInstant) { noteSleep(until: deadline, of: nil) }

  /// Notes that the current task sleeps until an instant.
  ///
  /// - Parameter sleeper: The task, if it sleeps on a clock of the system.
  func noteSleep(until deadline: SchedulerInstant, of sleeper: SleepingTask?) {
    guard isHere, let task = task_hooks_current_task() else { return }
    let number = task_hooks_task_id(task)
    // A task that an actor started while it ran has not been seen yet.
    if state.withLock({ $0.task(number) == nil }) {
      guard Self.owner(of: task) === self, note(task, isRunning: true) != nil else { return }
    }
    label { labels, _ in labels.noteSleep() }
    let earlier = state.withLock { state -> Sleep? in
      guard let known = state.task(number) else { return nil }
      defer { known.sleep = Sleep(end: deadline, sleeper: sleeper) }
      known.runCount += 1
      return known.sleep
    }
    // Released without the lock: it may resume a task.
    withExtendedLifetime(earlier) {}
  }

  /// Notes that a task schedules a work item that only resumes it.
  func noteOwnWork(of task: UInt64) { state.withLock { $0.task(task)?.runCount += 1 } }

  func noteWaking() {
    let task = task_hooks_current_task_id()
    let sleep = state.withLock { state -> Sleep? in
      guard let known = state.task(task) else { return nil }
      defer { known.sleep = nil }
      return known.sleep
    }
    withExtendedLifetime(sleep) {}
  }

  /// Notes that a sleep on a clock of the system ends.
  func noteWaking(of sleeper: SleepingTask) {
    state.withLock { state in
      guard let known = state.task(sleeper.number), known.sleep?.sleeper === sleeper else { return }
      known.sleep = nil
    }
  }

  /// Resumes a task, which its executor may pass to a queue.
  func waking(_ resume: () -> Void) {
    wakingCount.add(1, ordering: .relaxed)
    defer { wakingCount.subtract(1, ordering: .relaxed) }
    runOffMainActor(resume)
  }

  func mustYieldBeforeCancelledSleep() -> Bool {
    guard isHere else { return false }
    return state.withLock { state in
      state.cancelledSleepCount += 1
      return state.cancelledSleepCount > 100
    }
  }

  /// The number of sleeping tasks that may sleep at the end.
  var backgroundSleepCount: Int {
    state.withLock { state in
      state.tasks.values.count { $0.isBackground && $0.sleep?.isUnderWay ?? false }
    }
  }

  /// The task with most of the work items of a run that reached its limit.
  ///
  /// - Returns: A sentence, or nil if no task had half of them.
  func busiest(ofLimit limit: Int) -> String? {
    let most = state.withLock { state in
      state.tasks.values.max { $0.runCount < $1.runCount }.map { (runCount: $0.runCount, trace: $0.trace) }
    }
    guard let most, most.runCount > limit / 2, let place = most.trace?.place else { return nil }
    return "\(min(most.runCount, limit)) of them belong to the task started at \(place): end its loop, or let it sleep."
  }
}
