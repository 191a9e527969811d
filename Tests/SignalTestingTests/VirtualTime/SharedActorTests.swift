import Dispatch
import Foundation
import SignalTesting
import Signals
import Synchronization
import Testing

@globalActor private actor SharedActor {
  static let shared = SharedActor()

  func visit() {}
}

/// Tasks of other code that run in a virtual time, because they share an actor with the test.
@Suite(.enabled(if: noticesRealTime), .serialized, .timeLimit(.minutes(20))) struct SharedActorTests {
  private final class Record: Sendable {
    let hasRun = Atomic(false)
    let task = Mutex<Task<Void, Never>?>(nil)
  }

  /// Lets another thread start a task on an actor whose jobs the test runs next.
  ///
  /// - Parameters:
  ///   - body: What the task does.
  ///   - end: Runs at the end of the virtual time.
  private static func runForeignTask(
    _ body: @escaping @Sendable @SharedActor () async -> Void, end: (VirtualTimeScheduler) -> Void = { _ in }
  ) async {
    let task = startForeignTask(body, end: end)
    task?.cancel()
    // The next test needs the actor when no other thread is on it.
    await task?.value
    await SharedActor.shared.visit()
  }

  private static func startForeignTask(
    _ body: @escaping @Sendable @SharedActor () async -> Void, end: (VirtualTimeScheduler) -> Void
  ) -> Task<Void, Never>? {
    let record = Record()
    withVirtualTime { time in
      time.task { await SharedActor.shared.visit() }
      time.schedule {
        let isQueued = DispatchSemaphore(value: 0)
        Thread {
          let task = Task { @SharedActor in
            record.hasRun.store(true, ordering: .relaxed)
            await body()
          }
          record.task.withLock { $0 = task }
          isQueued.signal()
        }.start()
        isQueued.wait()
      }
      try? time.advance()
      let hasRun = record.hasRun.load(ordering: .relaxed)
      #expect(hasRun)
      end(time)
    }
    return record.task.withLock { $0 }
  }

  @Test func sleepOfForeignTaskPasses() async {
    await Self.runForeignTask { try? await Task.sleep(for: .seconds(3600)) }
  }

  @Test func sleepWithToleranceOfForeignTaskPasses() async {
    await Self.runForeignTask { try? await Task.sleep(for: .seconds(3600), tolerance: .seconds(1)) }
  }

  @Test func timerOfForeignTaskPasses() async {
    await Self.runForeignTask {
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + 3600)
      timer.resume()
      timer.cancel()
    }
  }

  @Test func schedulerOfForeignTaskPasses() async {
    await Self.runForeignTask { DispatchQueueScheduler.qos(.default).schedule {} }
  }

  @Test func foreignTaskMayGoToTheMainActor() async {
    await Self.runForeignTask { await MainActor.run {} }
  }

  @Test func tasksOfForeignTaskStayForeign() async {
    let (results, continuation) = AsyncStream.makeStream(of: Bool.self)
    await Self.runForeignTask {
      Task.detached {
        try? await Task.sleep(for: .milliseconds(1))
        continuation.yield(Task.isCancelled)
      }
      await withTaskGroup { group in
        group.addTask { await Task.yield() }
      }
      async let number = 1
      _ = await number
      Task {
        await Task.yield()
        continuation.yield(Task.isCancelled)
      }
    }
    var wereCancelled: [Bool] = []
    for await isCancelled in results.prefix(2) { wereCancelled.append(isCancelled) }
    // The last task may not have left the actor.
    await SharedActor.shared.visit()
    #expect(wereCancelled == [false, false])
  }

  @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1, "another thread must run beside the test's"))
  func foreignTaskIsNotResumedByTheTest() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let resumingThread = Mutex<ObjectIdentifier?>(nil)
    let testThread = Self.thread
    await Self.runForeignTask {
      // While the test's thread is on the actor, it may run whatever becomes ready there.
      await Self.waitInTheBackground(for: signals)
      resumingThread.withLock { $0 = Self.thread }
    } end: { time in
      continuation.yield()
      var thread: ObjectIdentifier?
      while thread == nil, !Task.isCancelled {
        try? time.advance()
        sched_yield()
        thread = resumingThread.withLock { $0 }
      }
      #expect(thread != nil && thread != testThread)
    }
  }

  @concurrent private static func waitInTheBackground(for signals: AsyncStream<Void>) async {
    for await _ in signals.prefix(1) {}
  }

  private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }
}

/// Not the actor of the other suite, whose tests run at the same time.
@globalActor private actor OwnActor {
  static let shared = OwnActor()
}

/// The tasks that a test itself starts on an actor are its own.
@Suite(.enabled(if: noticesRealTime), .serialized, .timeLimit(.minutes(20))) struct OwnActorTaskTests {
  @OwnActor private static func sleepDetached() {
    let sleep: @Sendable @OwnActor () async -> Void = { try? await Task.sleep(for: .seconds(3600)) }
    Task.detached(operation: sleep)
  }

  @OwnActor private static func sleepInATask() {
    Task { try await Task.sleep(for: .seconds(3600)) }
  }

  @Test func detachedTaskOnAnActorMustNotSleep() {
    let message = failure(offset: 1) {
      try? withVirtualTime { time in
        await Self.sleepDetached()
        try await time.sleep(for: .seconds(60))
      }
    }
    #expect(message.contains("slept in real time for 1 h"), "\(message)")
  }

  @Test func taskOfADetachedTaskOnAnActorMustNotSleep() {
    let message = failure(offset: 1) {
      try? withVirtualTime { time in
        Task.detached { await Self.sleepInATask() }
        try await time.sleep(for: .seconds(60))
      }
    }
    #expect(message.contains("slept in real time for 1 h"), "\(message)")
  }
}
