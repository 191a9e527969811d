#if os(Linux) && (arch(x86_64) || arch(arm64))
  import CTaskHooks
  import Signals

  /// What `Task.yield()` is in a test program: in virtual time a work item, elsewhere the runtime's.
  ///
  /// After a hop to an actor the runtime's own passes all hooks, and a thread of the system resumes the task. CTaskHooks refers to this function by name,
  /// so optimised code has to keep it.
  @usableFromInline
  @_silgen_name("signals_yield")
  func yieldInVirtualTime() async {
    guard let world = VirtualWorld.ofCurrentTask, let scheduler = world.scheduler else {
      await realYield?()
      return
    }
    world.noteOwnWork(of: task_hooks_current_task_id())
    await scheduler.yield()
  }

  private let realYield: (@Sendable () async -> Void)? = task_hooks_real_yield().map { function in
    // Safe: a function value is what it is called through and its context, and a static method uses none.
    unsafeBitCast((function, nil as UnsafeMutableRawPointer?), to: (@Sendable () async -> Void).self)
  }
#endif
