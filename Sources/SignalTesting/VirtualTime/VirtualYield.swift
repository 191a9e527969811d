#if os(Linux) && (arch(x86_64) || arch(arm64))
  import CTaskHooks
  import Signals

  /// Replaces `Task.yield()` in a test program: in virtual time by a work item, elsewhere by the runtime's.
  ///
  /// After a hop to an actor, the runtime's own bypasses all hooks, and a system thread resumes the task. CTaskHooks
  /// refers to this function by name, so optimised code has to keep it.
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
    // Safe: a function value is a function pointer and a context, and a static method uses no context.
    unsafeBitCast((function, nil as UnsafeMutableRawPointer?), to: (@Sendable () async -> Void).self)
  }
#endif
