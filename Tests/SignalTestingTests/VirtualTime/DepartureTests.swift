import Dispatch
import Foundation
import SignalTesting
import Signals
import Synchronization
import Testing

@globalActor private actor StoreActor {
  static let shared = StoreActor()

  func hold(_ isHeld: DispatchSemaphore, _ isFree: DispatchSemaphore) {
    isHeld.signal()
    isFree.wait()
  }

  func touch() {}
}

/// What leaves virtual time fails the test.
@Suite struct DepartureTests {
  /// The only failure of a closure, and its line.
  private func failure(_ body: () throws -> Void) -> (message: String, line: Int?) {
    let issues = Issues()
    withKnownIssue {
      do { try body() } catch {}
    } matching: { issue in
      issues.add(issue)
      return true
    }
    let all = issues.all
    #expect(all.count == 1, "\(all)")
    return (all.first?.comments.first?.rawValue ?? "", all.first?.sourceLocation?.line)
  }

  private static func fromAQueue() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async { continuation.resume() }
    }
  }

  @Test func operatorThatReadsTheTimeOfASystemSchedulerFails() {
    let (message, line) = failure {
      marbles { m in
        let texts = m.cold("a")
        m.expect(texts.signal.timestamp(on: .main).map(\.value), "a")
      }
    }
    #expect(line == #line - 5)
    #expect(message.contains("The time of a scheduler of the system was read"), "\(message)")
  }

  @Test func replayTimedByASystemSchedulerFails() {
    let (message, _) = failure {
      try withVirtualTime { time in
        let current = Emitter<Int>(replay: 1, for: .seconds(60), on: .main)
        current.send(21)
        try await time.sleep(for: .seconds(120))
        _ = current.signal.record()
      }
    }
    #expect(message.contains("The time of a scheduler of the system was read"), "\(message)")
  }

  /// A task that sleeps until an earlier deadline runs the new work item too, so no new sleep begins.
  @Test(arguments: [false, true])
  func operatorOnARealClockSchedulerFailsBesideEarlierWork(hasEarlierWork: Bool) {
    let app = ClockScheduler(ContinuousClock())
    let earlier = hasEarlierWork ? app.schedule(after: .seconds(600), tolerance: nil) {} : nil
    defer { earlier?.dispose() }
    let (message, line) = failure {
      marbles { m in
        let texts = m.cold("a")
        m.expect(texts.signal.debounce(for: .seconds(3_600), on: app), "-", subscription: "^---!")
      }
    }
    #expect(line == #line - 3)
    #expect(message.hasPrefix("debounce DepartureTests.swift:\(#line - 4) left virtual time."))
  }

  @Test(.enabled(if: noticesRealTime)) func aContinuationThatAQueueResumes() {
    for _ in 1...200 {
      let (message, line) = failure {
        marbles { m in
          m.expect(Signal<Int>.never(), "-")
          m.task { await Self.fromAQueue() }
        }
      }
      #expect(line == #line - 3)
      #expect(message.contains("dispatch queue"))
    }
  }

  @Test(.enabled(if: noticesRealTime)) func aContinuationThatAQueueResumesInATaskThatNobodyAwaits() {
    for _ in 1...200 {
      let (message, _) = failure {
        marbles { m in
          m.expect(Signal<Int>.never(), "-")
          m.task { Task { await Self.fromAQueue() } }
        }
      }
      #expect(message.contains("dispatch queue"))
    }
  }

  @Test(.enabled(if: noticesRealTime)) func aContinuationThatAQueueResumesWhileTheTestWaitsForIt() {
    for _ in 1...50 {
      let (message, line) = failure {
        try withVirtualTime { time in
          let isDone = DispatchSemaphore(value: 0)
          let waiting = Mutex<UnsafeContinuation<Void, Never>?>(nil)
          Task.detached {
            await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } }
          }
          try time.advance()
          DispatchQueue.global().async {
            waiting.withLock { $0 }?.resume()
            isDone.signal()
          }
          isDone.wait()
          try time.advance()
        }
      }
      #expect(line == #line - 15)
      #expect(message.contains("was resumed by another thread"))
    }
  }

  /// The thread may resume it before or after virtual time has found nothing left to do.
  @Test(.enabled(if: noticesRealTime)) func aContinuationThatAThreadResumesInVirtualSystemTime() {
    let (message, _) = failure {
      try withVirtualTime(systemTime: .virtual) { _ in
        await withUnsafeContinuation { continuation in
          let isSuspended = DispatchSemaphore(value: 0)
          Task { isSuspended.signal() }
          Thread.detachNewThread {
            isSuspended.wait()
            continuation.resume()
          }
        }
      }
    }
    let limits = "VirtualSystemTime.md in SignalTesting.docc lists what stays in real time, such as a thread"
    #expect(message.components(separatedBy: limits).count == 2, "\(message)")
    #expect(!message.contains("scheduler"), "\(message)")
  }

  @Test(.enabled(if: noticesRealTime)) func aSleepInRealTime() {
    let (message, line) = failure {
      marbles { m in
        m.expect(Signal<Int>.never(), "-")
        m.task { try await Task.sleep(for: .seconds(3600)) }
      }
    }
    #expect(line == #line - 3)
    #expect(message.contains("slept in real time"))
  }

  @Test(.enabled(if: noticesRealTime)) func aSleepInRealTimeOfADetachedTask() {
    let (message, _) = failure {
      marbles { m in
        m.expect(Signal<Int>.never(), "-")
        m.task { Task.detached { try await ContinuousClock().sleep(for: .seconds(3600)) } }
      }
    }
    #expect(message.contains("slept in real time"))
  }

  @Test(.enabled(if: noticesRealTime)) func aSleepInRealTimeWithinASequence() {
    let numbers = AsyncStream<Int> {
      try? await Task.sleep(for: .seconds(3600))
      return 1
    }
    let (message, line) = failure {
      marbles { m in
        m.expect(numbers, "-----")
      }
    }
    #expect(line == #line - 3)
    #expect(message.contains("slept in real time"))
  }

  @Test func theMainActorWhenTheTestRunsElsewhere() {
    let (message, line) = failure {
      marbles { m in
        m.expect(Signal<Int>.never(), "-")
        m.task { await MainActor.run {} }
      }
    }
    #expect(line == #line - 3)
    #expect(message.contains("main actor"))
  }

  @Test func aClosureThatNeverReturns() {
    let (message, line) = failure {
      try withVirtualTime { _ in
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(line == #line - 4)
    #expect(message.hasPrefix("Stopped at 0 ms: the task has not finished although nothing is left to do."))
  }

  @Test(arguments: [TaskPriority.background, .high, TaskPriority(rawValue: 0x21)])
  func taskThatWaitsForeverFailsWhateverItsPriority(_ priority: TaskPriority) {
    let (message, _) = failure {
      try withVirtualTime { time in
        Task(priority: priority) { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        try time.advance()
      }
    }
    #expect(message.contains("still waiting"), "\(message)")
  }

  @Test(arguments: [TaskPriority.high, TaskPriority(rawValue: 0x21)])
  func taskThatFinishedPassesWhateverItsPriority(_ priority: TaskPriority) throws {
    let task = try withVirtualTime { time in
      let task = Task(priority: priority) { 1 }
      try time.advance()
      return task
    }
    withExtendedLifetime(task) {}
  }

  @Test func actorThatAnotherTestUsesIsNamed() {
    let (message, _) = failure {
      try withVirtualTime { time in
        let (isHeld, isFree, isOver) = (
          DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread {
          withVirtualTime { other in
            other.task { await StoreActor.shared.hold(isHeld, isFree) }
            try? other.advance()
          }
          isOver.signal()
        }.start()
        isHeld.wait()
        time.task { await StoreActor.shared.touch() }
        try time.advance()
        isFree.signal()
        isOver.wait()
        try time.advance()
      }
    }
    #expect(message.hasPrefix("Another test is using the actor StoreActor."), "\(message)")
    #expect(message.contains(".serialized"))
  }

  @Test func workThatAnotherThreadSchedules() {
    let (message, _) = failure {
      withVirtualTime { time in
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          time.schedule {}
          isDone.signal()
        }
        isDone.wait()
      }
    }
    #expect(message.contains("Another thread scheduled work"))
  }

  @Test(.enabled(if: noticesRealTime)) func theSchedulerOfAnOuterVirtualTime() {
    let (message, line) = failure {
      try withVirtualTime { outer in
        try withVirtualTime { inner in
          Task { try await outer.sleep(for: .seconds(1)) }
          try await inner.sleep(for: .seconds(5))
        }
        try await outer.sleep(for: .seconds(5))
      }
    }
    #expect(line == #line - 8)
    #expect(
      message.contains(
        "Work in an inner virtual time was scheduled on the scheduler of this outer one at DepartureTests.swift:"),
      "\(message)")
  }

  @Test func anOperatorOnARealScheduler() {
    let (message, line) = failure {
      marbles { m in
        let source = m.hot("-a-")
        m.expect(
          source.signal
            .delay(for: .seconds(60), on: .qos(.default)),
          "-----")
      }
    }
    #expect(line == #line - 4)
    #expect(message.hasPrefix("delay DepartureTests.swift:"))
  }

  @Test func anOperatorOnARealSchedulerInALeakCheck() {
    let (message, _) = failure {
      assertNoLeaks {
        marbles { m in
          let source = m.hot("-a-")
          m.expect(source.signal.delay(for: .seconds(60), on: .main), "-----")
        }
      }
    }
    #expect(message.hasPrefix("delay DepartureTests.swift:"))
  }

  @Test func aHopToARealScheduler() {
    let (message, _) = failure {
      withVirtualTime { time in
        let emitter = Emitter<Int>()
        let subscription = emitter.signal.receive(on: .qos(.default)).subscribe { _ in }
        emitter.send(1)
        subscription.dispose()
      }
    }
    #expect(message.hasPrefix("receive(on:) DepartureTests.swift:"))
  }
}
