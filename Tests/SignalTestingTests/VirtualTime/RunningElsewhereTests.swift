import Dispatch
import Foundation
import SignalTesting
import Signals
import Testing

/// A thread for each job.
private final class ThreadExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread { job.runSynchronously(on: self.asUnownedSerialExecutor()) }.start()
  }
}

private actor Worker {
  private nonisolated let executor = ThreadExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func work(_ isBusy: DispatchSemaphore, _ isFree: DispatchSemaphore) async {
    isBusy.signal()
    Self.wait(for: isFree)
  }

  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}

/// Tasks of a test that run on another thread when the test is stopped.
@Suite(.enabled(if: noticesRealTime), .timeLimit(.minutes(20))) struct RunningElsewhereTests {
  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test func taskThatRunsElsewhereHasNoPlaceWhereItWaits() {
    let (isBusy, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let worker = Worker()
    let issues = issuesOf {
      _ = try? withVirtualTime { time in
        Task { await worker.work(isBusy, isFree) }
        try await time.sleep(for: .seconds(1))
        Self.wait(for: isBusy)
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    isFree.signal()
    let message = issues.first?.comments.first?.rawValue ?? ""
    #expect(message.contains("waits at RunningElsewhereTests.swift:39."), "\(message)")
    #expect(!message.contains("RunningElsewhereTests.swift:36 waits at"), "\(message)")
    #expect(message.contains("started at RunningElsewhereTests.swift:36 has not finished"), "\(message)")
  }

  @Test(arguments: [TaskPriority.medium, TaskPriority(rawValue: 0x1b), TaskPriority(rawValue: 0x21)])
  func deadlockNamesTaskWhateverItsPriority(_ priority: TaskPriority) {
    let issues = issuesOf {
      _ = try? withVirtualTime { _ in
        let task = Task(priority: priority) { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        await task.value
      }
    }
    let message = issues.first?.comments.first?.rawValue ?? ""
    #expect(message.contains("The task started at RunningElsewhereTests.swift:53 waits at"), "\(message)")
  }

  @Test(arguments: [TaskPriority.medium, TaskPriority(rawValue: 0x1b), TaskPriority(rawValue: 0x21)])
  func finishedTaskIsNotNamedWhateverItsPriority(_ priority: TaskPriority) {
    let issues = issuesOf {
      _ = try? withVirtualTime { _ in
        let task = Task(priority: priority) { 1 }
        _ = await task.value
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        withExtendedLifetime(task) {}
      }
    }
    let message = issues.first?.comments.first?.rawValue ?? ""
    #expect(!message.contains("The task started at"), "\(message)")
  }
}
