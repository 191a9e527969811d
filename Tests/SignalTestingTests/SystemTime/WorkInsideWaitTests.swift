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
