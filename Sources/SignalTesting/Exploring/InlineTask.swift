import Foundation
import Synchronization

/// Runs a task to its end on one thread, for functions that must be called asynchronously although they never wait.
enum InlineTask {
  /// Runs a closure inside an asynchronous scope.
  ///
  /// - Parameters:
  ///   - body: The work. It runs once, on this thread, before this returns.
  ///   - scope: Calls its closure.
  static func run(
    _ body: () -> Void, in scope: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) async -> Void
  ) {
    withoutActuallyEscaping(body) { body in
      // Safe: the closure runs on this thread, before this function returns.
      nonisolated(unsafe) let body = body
      let executor = InlineExecutor()
      Task(executorPreference: executor) {
        await scope { body() }
        executor.finish()
      }
      executor.drain()
    }
  }

  /// Creates a task from a closure, for another thread, with the current task's local values.
  ///
  /// - Returns: A closure that runs the task to its end, on the calling thread.
  static func prepare(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let executor = InlineExecutor()
    Task(executorPreference: executor) {
      body()
      executor.finish()
    }
    return { executor.drain() }
  }
}

/// Queues jobs for the thread that drains them.
private final class InlineExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isFinished = false
  }

  private let state = Mutex(State())
  private let change = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    change.signal()
  }

  func finish() {
    state.withLock { $0.isFinished = true }
    change.signal()
  }

  /// Runs jobs until the task has finished.
  func drain() {
    while true {
      let (jobs, isFinished) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isFinished)
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if !jobs.isEmpty { continue }
      if isFinished { return }
      change.wait()
    }
  }
}
