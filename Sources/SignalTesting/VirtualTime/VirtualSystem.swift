import CTaskHooks
import DequeModule
import Dispatch
import Signals
import Synchronization

/// The system's clocks, sleeps and dispatch queues in one virtual time.
///
/// Work for dispatch queues runs on the thread that advances time. Each queue but the system's global ones runs its work in
/// the order of submission, one after the other; a concurrent queue may do so as well.
// Safe: the clock is written atomically, and freed at the end; `world` is written by the initialiser only, and `timers` is used
// first by the thread inside; everything else is under the mutex.
final class VirtualSystem: @unchecked Sendable {
  /// The clock of threads inside.
  let clock: OpaquePointer
  /// Its virtual time, which retains it, until that is closed.
  private let link: Mutex<VirtualWorld?>
  private var world: VirtualWorld? { link.withLock { $0 } }
  /// Its timer sources.
  private(set) lazy var timers = VirtualTimers(self)
  private let state = Mutex(State())

  private struct State {
    /// The queues that have work, by address.
    var queues: [UInt: Queue] = [:]
    var notifications: [Notification] = []
    /// Work that waits for its time, by its block.
    var delayed: [UInt: [Delayed]] = [:]
    /// The limits of the waits on the stack of the thread, the innermost last; nil for a wait without one.
    var waitLimits: [SchedulerInstant?] = []
    /// Called, once, when one of them is over.
    var waitListeners: [@Sendable () -> Void] = []
    /// The number of nested waits of the main actor.
    var mainWaitCount = 0
    /// Work of the main actor and the main queue that has to wait for them.
    var mainWork: [@Sendable () -> Void] = []

    mutating func removeDelayed(_ work: DispatchedWork) {
      guard let block = work.block, var same = delayed[block] else { return }
      same.removeAll { $0.work === work }
      delayed[block] = same.isEmpty ? nil : same
    }
  }

  private struct Delayed {
    let work: DispatchedWork
    let disposable: any Disposable

    init(work: DispatchedWork, _ disposable: any Disposable) { (self.work, self.disposable) = (work, disposable) }
  }

  private struct Queue {
    var waiting: Deque<DispatchedWork> = []
    var isScheduled = false
    /// Whether its work is on the stack of the thread.
    var isBusy = false
  }

  /// Work that waits for a group or a work item.
  private struct Notification {
    let work: DispatchedWork
    /// The address of the group, which the work retains. Nil for a work item: one that ends leaves a group of its own.
    let group: UInt?
    let isOver: @Sendable () -> Bool
  }

  /// Creates the clocks of a virtual time.
  ///
  /// - Parameters:
  ///   - start: What wall clocks show at first.
  ///   - seed: Where random numbers come from; nil for the system's.
  /// - Returns: nil without memory.
  init?(_ world: VirtualWorld, startingAt start: Int64, seed: UInt64?) {
    guard let clock = task_hooks_clock_create(start) else { return nil }
    if let seed { task_hooks_clock_seed(clock, seed) }
    self.clock = clock
    link = Mutex(world)
    _ = Self.listening
  }

  deinit { task_hooks_clock_destroy(clock) }

  /// Notes that the virtual time is closed.
  func end() {
    let world = link.withLock { world in
      defer { world = nil }
      return world
    }
    withExtendedLifetime(world) {}
    // They retain this, and what the program's closures captured. Released outside the lock: a release may run any code.
    let delayed = state.withLock { state in
      defer { state.delayed = [:] }
      return state.delayed
    }
    withExtendedLifetime(delayed) {}
  }

  func noteTime(_ now: Int128) { task_hooks_clock_set(clock, Int64(clamping: now / 1_000_000_000)) }

  // MARK: Hooks

  /// Sets the functions that replace those of the system.
  private static let listening: Void = {
    var system = task_hooks_system(
      sleep: { VirtualSystem.sleep($0, $1, for: $2) },
      submit: { VirtualWorld.system?.submit(DispatchedWork($0), after: $1) ?? false },
      cancelled: { VirtualWorld.system?.forgetCancelled(UInt(bitPattern: $0)) },
      notify: { VirtualWorld.system?.notify($0, $1, $2, isGroup: $3) ?? false },
      wait: { VirtualWorld.system?.wait($0, $1, for: $2, $3) ?? -1 },
      begin_sync: { VirtualWorld.system?.beginSync(on: $0, $1, $2) ?? task_hooks_sync_real },
      end_sync: { VirtualWorld.system?.endSync(on: $0) },
      timer: { VirtualTimers.handle($0, UInt(bitPattern: $1), $2.map(DispatchedWork.init), $3, $4) },
      check_notifications: { group in checkAll(UInt(bitPattern: group)) })
    task_hooks_set_system(&system)
    task_hooks_hear_sleeping_threads { VirtualWorld.system?.sleepThread(for: $0) ?? false }
  }()

  /// The parts of the system that stay real where this runs; empty if virtual system time works.
  static let missing: [String] = {
    guard TaskHooks.areThere, let clock = task_hooks_clock_create(0) else { return ["clocks", "sleeps", "queues"] }
    defer { task_hooks_clock_destroy(clock) }
    let before = task_hooks_clock_here()
    task_hooks_set_clock_here(clock)
    defer { task_hooks_set_clock_here(before) }
    let start = ContinuousClock.now
    let uptime = DispatchTime.now().uptimeNanoseconds
    task_hooks_clock_set(clock, 3_600_000_000_000)
    var missing: [String] = []
    if start.duration(to: .now) != .seconds(3_600) { missing.append("clocks") }
    if DispatchTime.now().uptimeNanoseconds &- uptime != 3_600_000_000_000 { missing.append("queues") }
    return missing
  }()

  static var isThere: Bool { missing.isEmpty }

  /// The failure of a test whose system time cannot be virtual.
  static var missingMessage: String {
    "The system's time cannot be virtual in this program: \(missing.joined(separator: ", ")) cannot be replaced here. It can on Linux, if libdispatch and the "
      + "Swift runtime are linked dynamically and no sanitizer is used. Pass the test's scheduler as a clock instead."
  }

  // MARK: Sleeps

  /// Lets the current task sleep.
  ///
  /// - Parameters:
  ///   - context: The argument of `wake`.
  ///   - wake: A function of the runtime that resumes the task.
  /// - Returns: Whether virtual time is still running.
  private static func sleep(
    _ context: UnsafeMutableRawPointer, _ wake: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void,
    for nanoseconds: Int64
  ) -> Bool {
    guard let world = VirtualWorld.ofCurrentTask, world.system != nil, let scheduler = world.scheduler,
      !RealTimeWatch.isOfOthers
    else { return false }
    let deadline = scheduler.now.advanced(by: .nanoseconds(max(0, nanoseconds)))
    let sleeper = SleepingTask(context, wake, in: world)
    world.noteSleep(until: deadline, of: sleeper)
    scheduler.add(sleeper, until: deadline)
    return true
  }

  /// Lets the current task sleep.
  ///
  /// - Parameter job: A job of the runtime that resumes the task.
  /// - Returns: Whether virtual time is still running.
  static func sleep(_ job: UnownedJob, for nanoseconds: Int64) -> Bool {
    sleep(
      job.address,
      { job in
        guard let job else { return }
        UnownedJob(at: job).runSynchronously(on: VirtualWorld.genericExecutor)
      }, for: nanoseconds)
  }

  /// Lets the thread sleep: other work runs meanwhile. At least a nanosecond passes: Foundation sleeps until its date has come.
  private func sleepThread(for nanoseconds: Int64) -> Bool { wait({ false }, for: max(1, nanoseconds)) != nil }

  // MARK: Queues

  /// Takes work for a queue.
  ///
  /// - Returns: Whether it was taken.
  private func submit(_ work: DispatchedWork, after nanoseconds: UInt64) -> Bool {
    guard let world, world.isOpen, let scheduler = world.scheduler, world.admits(work) else {
      work.giveBack()
      return false
    }
    guard nanoseconds > 0 else {
      arrive(work)
      return true
    }
    world.labelAsQueue(work.isForGlobalQueue ? nil : work.queueLabel)
    let delayed = scheduler.schedule(after: .nanoseconds(Int64(clamping: nanoseconds)), tolerance: nil) { [self] in
      state.withLock { $0.removeDelayed(work) }
      arrive(work)
    }
    if let block = work.block { state.withLock { $0.delayed[block, default: []].append(Delayed(work: work, delayed)) } }
    return true
  }

  /// Ends a cancelled work item at once, instead of at its time: nothing of it is left then.
  private func forgetCancelled(_ block: UInt) {
    for delayed in state.withLock({ $0.delayed.removeValue(forKey: block) }) ?? [] {
      delayed.disposable.dispose()
      // Calls no closure of the program's, but lets those continue that wait for the item.
      delayed.work.runCancelled()
    }
    check()
  }

  /// Schedules work of the system itself.
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> (any Disposable)? {
    guard let world, world.isOpen else { return nil }
    return world.scheduler?.schedule(after: delay, tolerance: nil, work)
  }

  /// Lets work wait for its queue.
  ///
  /// - Parameter isStillWanted: Called when its turn has come: whether it runs.
  func arrive(_ work: DispatchedWork, if isStillWanted: @escaping @Sendable () -> Bool) {
    work.isStillWanted = isStillWanted
    arrive(work)
  }

  /// Lets work wait for its queue.
  func arrive(_ work: DispatchedWork) {
    if work.isForGlobalQueue {
      world?.labelAsQueue(nil)
      world?.scheduler?.schedule { [self] in run(work) }
      return
    }
    let mustSchedule = state.withLock { state in
      state.queues[work.queue, default: Queue()].waiting.append(work)
      return state.queues[work.queue].map { !$0.isScheduled && !$0.isBusy } ?? false
    }
    if mustSchedule { scheduleNext(of: work.queue) }
  }

  private func scheduleNext(of queue: UInt) {
    state.withLock { $0.queues[queue]?.isScheduled = true }
    world?.labelAsQueue(state.withLock { $0.queues[queue]?.waiting.first?.queueLabel })
    world?.scheduler?.schedule { [self] in runNext(of: queue) }
  }

  /// Runs the first work that waits for a queue.
  private func runNext(of queue: UInt) {
    let work = state.withLock { state -> DispatchedWork? in
      state.queues[queue]?.isScheduled = false
      guard state.queues[queue]?.isBusy == false, let work = state.queues[queue]?.waiting.popFirst() else { return nil }
      state.queues[queue]?.isBusy = true
      return work
    }
    guard let work else { return }
    run(work)
    end(of: queue)
  }

  /// Notes that the work of a queue has left the stack.
  private func end(of queue: UInt) {
    let mustSchedule = state.withLock { state in
      state.queues[queue]?.isBusy = false
      guard let left = state.queues[queue], !left.waiting.isEmpty else {
        state.queues[queue] = nil
        return false
      }
      return !left.isScheduled
    }
    if mustSchedule { scheduleNext(of: queue) }
  }

  private func run(_ work: DispatchedWork) {
    if work.isForMainQueue {
      runOnMain { work.run() }
    } else {
      world?.runOffMainActor { work.run() }
    }
    check()
  }

  /// Runs work of the main actor or the main queue, or defers it until they no longer wait.
  func runOnMain(_ work: @escaping @Sendable () -> Void) {
    let mustWait = state.withLock { state in
      if state.mainWaitCount > 0 { state.mainWork.append(work) }
      return state.mainWaitCount > 0
    }
    if mustWait { return }
    // It may run inside the wait of other work, which is not on the main actor.
    if let world, world.isOnMain { world.runOnMainActor(work) } else { work() }
  }

  /// Lets the work run that was submitted to a queue before `sync`; on the main queue, also the function of `sync`.
  private func beginSync(
    on queue: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer?,
    _ function: @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) -> task_hooks_sync {
    guard let world, world.isOpen, !RealTimeWatch.isOfOthers else { return task_hooks_sync_real }
    let root = task_hooks_root_queue(queue)
    let isMain = task_hooks_is_main_queue(root)
    if isMain, !world.isOnMain { return task_hooks_sync_real }
    let key = UInt(bitPattern: root)
    func isBusy() -> Bool { state.withLock { $0.queues[key]?.isBusy ?? false } }
    func isWorkWaiting() -> Bool {
      state.withLock { $0.queues[key].map { !$0.isBusy && !$0.waiting.isEmpty } ?? false }
    }
    if isWorkWaiting() { _ = wait({ !isWorkWaiting() }, for: -1) }
    let isBlocked = isMain ? world.isOnMainActor || state.withLock { $0.mainWaitCount > 0 } : isBusy()
    guard isMain || task_hooks_is_serial_queue(root) else { return task_hooks_sync_real }
    if isBlocked {
      // The test has failed, and goes on.
      world.noteBlocked(waitingFor: "a queue, with `sync`, whose own work waits")
      function(context)
      return task_hooks_sync_done
    }
    if isMain {
      world.runOnMainActor { function(context) }
      return task_hooks_sync_done
    }
    state.withLock { $0.queues[key, default: Queue()].isBusy = true }
    return task_hooks_sync_noted
  }

  /// Notes that the function of a `sync` has returned.
  private func endSync(on queue: UnsafeMutableRawPointer) { end(of: UInt(bitPattern: task_hooks_root_queue(queue))) }

  // MARK: Waiting

  /// Lets this thread wait for a condition: other work runs meanwhile.
  ///
  /// - Parameters:
  ///   - nanoseconds: The limit of virtual time; negative if there is none.
  ///   - what: What the thread waits for, for a failure.
  /// - Returns: 0 if the condition was met, 1 at the limit, -1 if it has to wait in real time.
  private func wait(
    _ isOver: @escaping @convention(c) (UnsafeMutableRawPointer) -> Bool, _ object: UnsafeMutableRawPointer,
    for nanoseconds: Int64, _ what: UnsafePointer<CChar>
  ) -> Int {
    guard let isMet = wait({ isOver(object) }, for: nanoseconds) else { return -1 }
    if isMet { return 0 }
    if nanoseconds >= 0 { return 1 }
    // That is a failure already.
    if !task_hooks_has_stack() { return 0 }
    // The thread would wait forever. The test has failed already, and goes on.
    let isAboveSleep = state.withLock { $0.waitLimits.contains { $0 != nil } }
    world?.noteBlocked(waitingFor: String(cString: what), isAboveSleep: isAboveSleep)
    return 0
  }

  /// - Returns: Whether the condition was met; nil if virtual time is over.
  private func wait(_ isOver: () -> Bool, for nanoseconds: Int64) -> Bool? {
    guard let world, world.isOpen, let scheduler = world.scheduler, !RealTimeWatch.isOfOthers else { return nil }
    guard task_hooks_has_stack() else {
      world.noteNestedTooDeeply()
      return false
    }
    let limit = nanoseconds < 0 ? nil : scheduler.now.advanced(by: .nanoseconds(nanoseconds))
    let isMain = world.isOnMainActor
    if isMain { state.withLock { $0.mainWaitCount += 1 } }
    defer { if isMain { endMainWait() } }
    state.withLock { $0.waitLimits.append(limit) }
    let place = task_hooks_begin_wait()
    defer {
      task_hooks_end_wait(place)
      endWait(scheduler)
    }
    do { return try scheduler.runWhileWaiting(until: limit, or: isOver) } catch {
      world.noteEndlessWait()
      return false
    }
  }

  private func endWait(_ scheduler: VirtualTimeScheduler) {
    let listeners = state.withLock { state in
      state.waitLimits.removeLast()
      defer { state.waitListeners = [] }
      return state.waitListeners
    }
    // They run once the thread has gone on, and ends its work item or waits again.
    for listener in listeners { scheduler.schedule(listener) }
  }

  /// The limit of the innermost wait of a thread, in which the caller runs; nil if there is none.
  var waitLimit: SchedulerInstant? { state.withLock { $0.waitLimits.last ?? nil } }

  /// Suspends until one of the waits is over.
  func waitEnds() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      state.withLock { $0.waitListeners.append { continuation.resume() } }
    }
  }

  private func endMainWait() {
    let work = state.withLock { state in
      state.mainWaitCount -= 1
      guard state.mainWaitCount == 0 else { return [@Sendable () -> Void]() }
      defer { state.mainWork = [] }
      return state.mainWork
    }
    // Before work that the main queue got later.
    for work in work { world?.scheduler?.scheduleBehind(work) }
  }

  // MARK: Notifications

  /// The systems in which work waits for groups or work items: another thread may end the wait.
  private static let notifying = Mutex<[ObjectIdentifier: Weak]>([:])

  private struct Weak { weak var system: VirtualSystem? }

  private func notify(
    _ work: UnsafeMutablePointer<task_hooks_work>, _ isOver: @escaping @convention(c) (UnsafeMutableRawPointer) -> Bool,
    _ object: UnsafeMutableRawPointer, isGroup: Bool
  ) -> Bool {
    let work = DispatchedWork(work)
    guard let world, world.isOpen, world.admits(work) else {
      work.giveBack()
      return false
    }
    let address = UInt(bitPattern: object)
    let notification = Notification(work: work, group: isGroup ? address : nil) {
      UnsafeMutableRawPointer(bitPattern: address).map { isOver($0) } ?? true
    }
    state.withLock { $0.notifications.append(notification) }
    Self.notifying.withLock { $0[ObjectIdentifier(self)] = Weak(system: self) }
    check()
    return true
  }

  /// Submits the work whose groups and work items are over.
  ///
  /// - Parameter left: The only group to look at, which was left: other threads leave groups too, which are not those of
  ///   this time.
  private func check(left: UInt? = nil) {
    let over = state.withLock { state -> [DispatchedWork] in
      guard !state.notifications.isEmpty else { return [] }
      var over: [DispatchedWork] = []
      state.notifications.removeAll { notification in
        if let left, let group = notification.group, left != group { return false }
        guard notification.isOver() else { return false }
        over.append(notification.work)
        return true
      }
      return over
    }
    for work in over { arrive(work) }
  }

  private static func checkAll(_ group: UInt) {
    let systems = notifying.withLock { systems in
      systems = systems.filter { $0.value.system.map { $0.state.withLock { !$0.notifications.isEmpty } } ?? false }
      return systems.values.compactMap(\.system)
    }
    for system in systems { system.check(left: group) }
  }
}

/// Work that was submitted to a dispatch queue. It is released with its last reference.
// Safe: `isStillWanted` is written before any other code has it, and it is run by one thread.
final class DispatchedWork: @unchecked Sendable {
  private let work: UnsafeMutablePointer<task_hooks_work>
  private let isGivenBack = Atomic(false)
  /// Asked when its turn has come.
  var isStillWanted: @Sendable () -> Bool = { true }

  init(_ work: UnsafeMutablePointer<task_hooks_work>) { self.work = work }

  deinit { if !isGivenBack.load(ordering: .relaxed) { task_hooks_forget_work(work) } }

  /// Leaves the work to the caller of the hook.
  func giveBack() { isGivenBack.store(true, ordering: .relaxed) }

  /// The address of the block, if it is one.
  var block: UInt? { work.pointee.block.map { UInt(bitPattern: $0) } }

  /// Runs a cancelled work item, on no queue.
  func runCancelled() { work.pointee.function(work.pointee.context) }

  /// The address of the queue, which the work retains, or of that to which its targets lead.
  var queue: UInt { UInt(bitPattern: root) }
  /// The label that the program gave its queue.
  var queueLabel: String? {
    let label = String(cString: task_hooks_queue_label(work.pointee.queue))
    return label.isEmpty ? nil : label
  }
  var isForMainQueue: Bool { task_hooks_is_main_queue(root) }
  var isForGlobalQueue: Bool { task_hooks_is_global_queue(work.pointee.queue) }

  private var root: UnsafeMutableRawPointer { task_hooks_root_queue(work.pointee.queue) }

  func run() { if isStillWanted() { task_hooks_run_work(work) } }

  /// The same work again; nil without memory.
  func copy() -> DispatchedWork? { task_hooks_copy_work(work).map(DispatchedWork.init) }
}

/// A task that sleeps on a clock of the system.
// Safe: the runtime's pointers are only passed on; `task` is retained.
final class SleepingTask: SystemSleeper, @unchecked Sendable {
  /// The number of the task.
  let number: UInt64
  private let world: VirtualWorld
  private let task: UnsafeMutableRawPointer?
  private let context: UnsafeMutableRawPointer
  private let function: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let isAwake = Atomic(false)

  init(
    _ context: UnsafeMutableRawPointer, _ function: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void,
    in world: VirtualWorld
  ) {
    self.world = world
    self.context = context
    self.function = function
    number = task_hooks_current_task_id()
    task = task_hooks_retain_current_task()
  }

  /// Whether the task was cancelled. A child that `async let` started has no reference that could be kept: false.
  var isCancelled: Bool { task.map { task_hooks_is_cancelled($0) } ?? false }

  /// Whether it is known to sleep still.
  var isAsleep: Bool { task != nil && !isCancelled }

  func wake() {
    world.noteWaking(of: self)
    guard !isAwake.exchange(true, ordering: .relaxed) else { return }
    world.waking { function(context) }
  }

  deinit {
    // Virtual time is over: the task goes on elsewhere.
    if !isAwake.load(ordering: .relaxed) {
      let (function, context) = (function, UInt(bitPattern: context))
      DispatchQueue.global().async { function(UnsafeMutableRawPointer(bitPattern: context)) }
    }
    if let task { task_hooks_release_task(task) }
  }
}
