import CTaskHooks
import Signals
import Synchronization

/// The Swift runtime's hooks, which bring jobs of unstructured tasks into virtual time.
enum TaskHooks {
  /// Whether the runtime has them. Without them, only tasks that prefer the scheduler of a test, and their children,
  /// are in virtual time.
  static let areThere = task_hooks_install(
    { VirtualWorld.take($0) },
    { _ in VirtualWorld.ofCurrentTask?.noteRealSleep(for: nil) },
    { VirtualWorld.takeMain($0) },
    { VirtualWorld.mainExecutor },
    { VirtualWorld.ofCurrentTask?.noteDispatch() })

  private static let listening: Void = {
    RealTimeWatch.listen(
      { VirtualWorld.ofCurrentTask?.noteRealScheduler($0, isReading: $1) },
      isInVirtualTime: { VirtualWorld.current != nil }, isOffMainActor: { VirtualWorld.isOffMainActor },
      scheduler: { VirtualWorld.current?.scheduler })
    UnhandledFailure.askingTests {
      guard let world = VirtualWorld.ofCurrentTask else { return nil }
      return { world.failures.note($0) }
    }
    task_hooks_listen(
      { VirtualWorld.ofCurrentTask?.noteRealSleep(for: $0 < 0 ? nil : $0) },
      { VirtualWorld.ofCurrentTask?.noteRealTimer() },
      { VirtualWorld.current?.noteCreated($0) },
      { isWanted in
        guard isWanted else { return VirtualWorld.isOffMainActor }
        VirtualWorld.checkMainActor()
        return VirtualWorld.isOffMainActor || VirtualWorld.isInMainSync
      })
  }()

  /// Listens for work that schedulers submit to system queues, for sleeps of tasks, and for timers.
  static func listen() { _ = listening }
}

extension UnownedJob {
  /// The job at an address from the runtime.
  init(at address: UnsafeMutableRawPointer) {
    // Safe: a job is one pointer.
    self = unsafeBitCast(address, to: UnownedJob.self)
  }

  // Safe: a job is one pointer.
  var address: UnsafeMutableRawPointer { unsafeBitCast(self, to: UnsafeMutableRawPointer.self) }
}

/// A weak reference to a task, for inspection.
// Safe: the runtime's weak references may be read by several threads; it is written only at the beginning and the end.
final class TaskReference: @unchecked Sendable {
  private let reference: UnsafeMutablePointer<task_hooks_weak_task>
  /// The level of the next query, and the latest result.
  private let answer = Mutex<(level: UInt8, isUnfinished: Bool)>((0x1a, true))

  init(_ task: UnsafeMutableRawPointer) {
    reference = .allocate(capacity: 1)
    reference.initialize(to: task_hooks_weak_task())
    task_hooks_weak_init(reference, task)
  }

  func cancel() { task_hooks_weak_cancel(reference) }

  /// Whether the task has not finished. To be called once, at the end: it changes the task's priority.
  func isUnfinished() -> Bool {
    guard answer.withLock({ $0.isUnfinished }) else { return false }
    // A task that had the highest priority from the beginning can be detected only by one above it.
    return task_hooks_weak_is_unfinished(reference, 0x21) || task_hooks_weak_is_unfinished(reference, 0x22)
  }

  /// Whether the task has not finished yet. Where its status is not known, the result stays the same after a few calls.
  func isStillRunning() -> Bool {
    answer.withLock { answer in
      if answer.isUnfinished, case let isComplete = task_hooks_weak_is_complete(reference), isComplete >= 0 {
        answer.isUnfinished = isComplete == 0
        return answer.isUnfinished
      }
      guard answer.isUnfinished, answer.level < 0x21 else { return answer.isUnfinished }
      answer.isUnfinished = task_hooks_weak_is_unfinished(reference, answer.level)
      answer.level += 1
      return answer.isUnfinished
    }
  }

  /// The functions in which the task is suspended, as far as known; nil if it is not suspended.
  var waitingCalls: CreationTrace? { waitingTrace { task_hooks_weak_calls(reference, $0, $1) } }

  /// Whether the task's memory still exists.
  var isThere: Bool { task_hooks_weak_is_there(reference) }

  deinit {
    task_hooks_weak_destroy(reference)
    reference.deallocate()
  }
}

/// Creates a backtrace of the functions in which a task is suspended.
///
/// - Parameter read: Writes their addresses into a buffer with a capacity, and returns their number.
func waitingTrace(_ read: (UnsafeMutablePointer<UInt>, Int) -> Int) -> CreationTrace? {
  let calls = [UInt](unsafeUninitializedCapacity: 24) { buffer, count in
    count = buffer.baseAddress.map { read($0, buffer.count) } ?? 0
  }
  return calls.isEmpty ? nil : CreationTrace(waitingIn: calls)
}
