import CTaskHooks
import Signals
import Synchronization

/// The Swift runtime's hooks, through which jobs of tasks that nobody controls get into virtual time.
enum TaskHooks {
  /// Whether the runtime has them. Without, only tasks that prefer the scheduler of a test, and their children, are in virtual time.
  static let areThere = task_hooks_install(
    { VirtualWorld.take($0) },
    { _ in VirtualWorld.current?.noteRealSleep() },
    { VirtualWorld.takeMain($0) },
    { VirtualWorld.mainExecutor },
    { VirtualWorld.current?.noteDispatch() })

  private static let listening: Void = RealTimeWatch.listen(
    { VirtualWorld.current?.noteRealScheduler($0) }, isInVirtualTime: { VirtualWorld.current != nil })

  /// Listens for work that schedulers hand to queues of the system.
  static func listen() { _ = listening }
}

extension UnownedJob {
  /// The job at an address that the runtime handed out.
  init(at address: UnsafeMutableRawPointer) {
    // Safe: a job is one pointer.
    self = unsafeBitCast(address, to: UnownedJob.self)
  }

  // Safe: a job is one pointer.
  var address: UnsafeMutableRawPointer { unsafeBitCast(self, to: UnsafeMutableRawPointer.self) }
}

/// A task that is looked at from outside, and not kept.
// Safe: the runtime's weak references may be read by several threads; it is written only at the beginning and the end.
final class TaskReference: @unchecked Sendable {
  private let reference: UnsafeMutablePointer<task_hooks_weak_task>
  /// The level of the next question, and the latest answer.
  private let answer = Mutex<(level: UInt8, isUnfinished: Bool)>((0x1a, true))

  init(_ task: UnsafeMutableRawPointer) {
    reference = .allocate(capacity: 1)
    reference.initialize(to: task_hooks_weak_task())
    task_hooks_weak_init(reference, task)
  }

  func cancel() { task_hooks_weak_cancel(reference) }

  /// Whether the task has not finished. To be asked once, at the end: it changes the task's priority.
  func isUnfinished() -> Bool {
    guard answer.withLock({ $0.isUnfinished }) else { return false }
    // A task that had the highest priority from the beginning can be told only by one above it.
    return task_hooks_weak_is_unfinished(reference, 0x21) || task_hooks_weak_is_unfinished(reference, 0x22)
  }

  /// Whether the task has not finished yet. After a few questions with that answer it stays the same.
  func isStillRunning() -> Bool {
    answer.withLock { answer in
      guard answer.isUnfinished, answer.level < 0x21 else { return answer.isUnfinished }
      answer.isUnfinished = task_hooks_weak_is_unfinished(reference, answer.level)
      answer.level += 1
      return answer.isUnfinished
    }
  }

  /// Whether the task's memory is still there.
  var isThere: Bool { task_hooks_weak_is_there(reference) }

  deinit {
    task_hooks_weak_destroy(reference)
    reference.deallocate()
  }
}
