#if os(Linux)
  import Dispatch
  import Foundation
  import SignalTesting
  import Synchronization
  import Testing

  /// Work that runs while a thread waits, on its stack, is neither on the queues nor on the actor of the waiting code.
  @Suite("System time: where work inside a wait runs", .enabled(if: replacesSystemTime)) struct WorkInsideWaitTests {
    /// It ends the program, as without the wait.
    @Test("work of a queue is not on the main actor that waits", arguments: [true, false]) func mainActor(
      _ isAssumed: Bool
    ) async {
      await #expect(processExitsWith: .failure) { [isAssumed] in
        try await MainActor.run {
          try withVirtualTime(systemTime: .virtual) { _ in try await Self.waitForAnswer(isAssumed: isAssumed) }
        }
      }
    }

    @MainActor private static func waitForAnswer(isAssumed: Bool) async throws {
      let answered = DispatchSemaphore(value: 0)
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
        if isAssumed { MainActor.assumeIsolated {} } else { MainActor.preconditionIsolated() }
        answered.signal()
      }
      wait(for: answered)
    }

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
    // Safe: virtual time; nothing sleeps.
    private static func sleep() { Thread.sleep(forTimeInterval: 2) }

    @MainActor @Test("a task of the main actor inside a wait off it is on it") func taskOfMainActor() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let sleeping = Task.detached { Self.sleep() }
        await Task { @MainActor in MainActor.preconditionIsolated() }.value
        await sleeping.value
      }
    }

    @MainActor @Test("work of the main queue inside a wait off it is on it") func mainQueue() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let hasRun = Atomic(false)
        DispatchQueue.global().async { Self.sleep() }
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
          dispatchPrecondition(condition: .onQueue(.main))
          MainActor.assumeIsolated { hasRun.store(true, ordering: .relaxed) }
        }
        try await Task.sleep(for: .seconds(3))
        let ran = hasRun.load(ordering: .relaxed)
        #expect(ran)
      }
    }

    @MainActor @Test("the main queue inside a wait off it waits for itself") func deadlock() throws {
      try withKnownIssue {
        try withVirtualTime(systemTime: .virtual) { _ in
          DispatchQueue.global().async { Self.sleep() }
          DispatchQueue.main.asyncAfter(deadline: .now() + 1) { DispatchQueue.main.sync {} }
          try await Task.sleep(for: .seconds(3))
        }
      } matching: { issue in
        issue.description.contains("a queue, with `sync`, whose own work waits")
      }
    }

    private final class Order: Sendable {
      private let stored = Mutex<[String]>([])
      var entries: [String] { stored.withLock { $0 } }
      func add(_ entry: String) { stored.withLock { $0.append(entry) } }
    }

    @MainActor @Test("the main queue stays in order while its thread waits") func orderOfMainQueue() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let order = Order()
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { order.add("first") }
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
          DispatchQueue.main.async { order.add("second") }
          isDone.signal()
        }
        Self.wait(for: isDone)
        try await Task.sleep(for: .seconds(1))
        #expect(order.entries == ["first", "second"])
      }
    }

    @Test("a look at a semaphore runs nothing else") func look() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let (lock, permits) = (NSLock(), DispatchSemaphore(value: 0))
        let count = Atomic(0)
        for _ in 1...2 {
          DispatchQueue.global().async {
            guard lock.try() else { return }
            if permits.wait(timeout: .now()) == .timedOut { count.add(1, ordering: .relaxed) }
            lock.unlock()
          }
        }
        try await Task.sleep(for: .seconds(1))
        #expect(count.load(ordering: .relaxed) == 2)
      }
    }

    @Test("a thread that waits beyond the time limit fails the test") func timeLimit() throws {
      try withKnownIssue {
        try withVirtualTime(systemTime: .virtual, timeLimit: .seconds(1)) { _ in Self.sleep() }
      } matching: { issue in
        issue.description.contains("returned at 2 s, after the time limit of 1 s")
      }
    }

    private actor Store {
      private(set) var count = 0

      func load(isOwnTask: Bool) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
          if !isOwnTask { self.assumeIsolated { $0.count += 1 } }
        }
        WorkInsideWaitTests.sleep()
        assumeIsolated { $0.count += 1 }
      }
    }

    @Test("the actor that waits is still itself") func actor() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let store = Store()
        await store.load(isOwnTask: true)
        #expect(await store.count == 1)
      }
    }

    @Test("work of a queue is not on the actor that waits") func workInsideAnActor() async {
      await #expect(processExitsWith: .failure) {
        try withVirtualTime(systemTime: .virtual) { _ in await Store().load(isOwnTask: false) }
      }
    }

    @Test("work of another queue is not on the queue that waits") func otherQueue() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let (waiting, other, inner) = (DispatchQueue(label: "a"), DispatchQueue(label: "b"), DispatchQueue(label: "c"))
        let target = DispatchQueue(label: "d", target: other)
        let count = Atomic(0)
        waiting.async {
          let isDone = DispatchSemaphore(value: 0)
          target.async {
            dispatchPrecondition(condition: .notOnQueue(waiting))
            dispatchPrecondition(condition: .onQueue(target))
            dispatchPrecondition(condition: .onQueue(other))
            inner.sync {
              dispatchPrecondition(condition: .onQueue(inner))
              dispatchPrecondition(condition: .onQueue(target))
              dispatchPrecondition(condition: .notOnQueue(waiting))
            }
            dispatchPrecondition(condition: .notOnQueue(inner))
            count.add(1, ordering: .relaxed)
            isDone.signal()
          }
          isDone.wait()
          dispatchPrecondition(condition: .onQueue(waiting))
          dispatchPrecondition(condition: .notOnQueue(target))
          count.add(1, ordering: .relaxed)
        }
        try await Task.sleep(for: .seconds(3))
        #expect(count.load(ordering: .relaxed) == 2)
      }
    }

    @Test("a precondition of the queue that waits ends the program", arguments: [true, false]) func wrongQueue(
      _ isOn: Bool
    ) async {
      await #expect(processExitsWith: .failure) { [isOn] in
        try withVirtualTime(systemTime: .virtual) { _ in
          let (waiting, other) = (DispatchQueue(label: "a"), DispatchQueue(label: "b"))
          waiting.async {
            let isDone = DispatchSemaphore(value: 0)
            other.async {
              dispatchPrecondition(condition: isOn ? .onQueue(waiting) : .notOnQueue(other))
              isDone.signal()
            }
            isDone.wait()
          }
          try await Task.sleep(for: .seconds(3))
        }
      }
    }
  }
#endif
