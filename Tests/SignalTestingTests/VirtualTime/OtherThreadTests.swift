import Dispatch
import Foundation
import SignalTesting
import Signals
import Testing

/// What other threads and real timers do in a virtual time.
@Suite struct OtherThreadTests {
  @Test func eventOfAnotherThread() {
    for _ in 1...20 {
      let message = failure(offset: 1) {
        marbles { m in
          let numbers = Emitter<Int>()
          m.at(.milliseconds(1)) {
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
              numbers.send(1)
              isDone.signal()
            }
            isDone.wait()
          }
          m.expect(numbers.signal, "-1-")
        }
      }
      #expect(message.contains("another thread"), "\(message)")
    }
  }

  private static func onAThread(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      body()
      isDone.signal()
    }.start()
    isDone.wait()
  }

  @Test func eventOfAnotherThreadToAProbe() {
    let message = failure(offset: 1) {
      withVirtualTime { time in
        let numbers = Emitter<Int>()
        let probe = numbers.signal.probe(on: time)
        Self.onAThread { numbers.send(1) }
        #expect((try? probe.next()) == 1)
      }
    }
    #expect(message.contains("received an event from another thread"), "\(message)")
  }

  @Test func eventOfAnotherThreadToOneThatWasThereBefore() {
    let numbers = Emitter<Int>()
    let (probe, recorder) = (numbers.signal.probe(), numbers.signal.record())
    numbers.send(0)
    let message = failure(offset: 1) {
      withVirtualTime { _ in
        #expect(recorder.values == [0])
        Self.onAThread { numbers.send(1) }
        #expect(recorder.values == [0, 1])
      }
    }
    #expect(message.contains("received an event from another thread"), "\(message)")
    let messageOfProbe = failure(offset: 1) {
      withVirtualTime { _ in
        Self.onAThread { numbers.finish() }
        #expect(throws: Never.self) {
          _ = try probe.next()
          _ = try probe.next()
          try probe.finish()
        }
      }
    }
    #expect(messageOfProbe.contains("received an event from another thread"), "\(messageOfProbe)")
  }

  @Test func eventsBeforeTheVirtualTimeAreNoneOfIt() {
    let numbers = Emitter<Int>()
    let recorder = numbers.signal.record()
    Self.onAThread { numbers.send(1) }
    withVirtualTime { _ in
      numbers.send(2)
      #expect(recorder.values == [1, 2])
    }
  }

  @Test(arguments: [true, false]) func eventOfAnotherThreadToARecorder(isTimed: Bool) {
    let message = failure(offset: 1) {
      withVirtualTime { time in
        let numbers = Emitter<Int>()
        let recorder = numbers.signal.record(timedBy: isTimed ? time : nil)
        Self.onAThread { numbers.send(1) }
        #expect(recorder.values == [1])
      }
    }
    #expect(message.contains("received an event from another thread"), "\(message)")
  }

  @Test(.enabled(if: noticesRealTime)) func hopOfATaskIsOneIssue() {
    let issues = issuesOf {
      withVirtualTime { time in
        let numbers = Emitter<Int>()
        let subscription = numbers.signal.receive(on: .qos(.default)).subscribe { _ in }
        Task { numbers.send(1) }
        try? time.advance()
        subscription.dispose()
      }
    }
    let messages = issues.map { $0.comments.first?.rawValue ?? "" }
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.hasPrefix("receive(on:) OtherThreadTests.swift:") == true, "\(messages)")
  }

  @Test(.enabled(if: noticesRealTime)) func timeoutOfATaskIsOneIssue() {
    let issues = issuesOf {
      withVirtualTime { time in
        Task { _ = try? await Signal<Int>.never().firstValue(timeout: .seconds(60), on: .qos(.default)) }
        try? time.advance()
      }
    }
    let messages = issues.map { $0.comments.first?.rawValue ?? "" }
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.hasPrefix("timeout OtherThreadTests.swift:") == true, "\(messages)")
  }

  /// A program's own scheduler.
  private struct QueueClock: Scheduler {
    private let queue = DispatchQueue(label: "QueueClock")

    var now: SchedulerInstant { DispatchQueueScheduler.qos(.default).now }

    func schedule(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func schedule(
      after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
    ) -> any Disposable {
      let bag = DisposeBag()
      queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { if !bag.isDisposed { work() } }
      return bag
    }
  }

  @Test(.enabled(if: noticesRealTime)) func operatorOnAProgramsOwnQueueScheduler() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-b-|")
        let late = source.signal.delay(for: .milliseconds(20), on: QueueClock())
        m.expectNoEvents(of: late, for: .milliseconds(50))
      }
    }
    #expect(message.hasPrefix("delay OtherThreadTests.swift:"), "\(message)")
  }

  @Test(.enabled(if: noticesRealTime)) func workItemThatSubmitsWorkToAQueue() {
    let message = failure(offset: 1) {
      withVirtualTime { time in
        let subscription = Signal.timer(after: .seconds(1), on: time).subscribe { _ in
          DispatchQueue.global().async {}
        }
        try? time.advance(by: .seconds(2))
        subscription.dispose()
      }
    }
    #expect(message.contains("work item submitted work to a dispatch queue"), "\(message)")
  }

  @Test func queueOfTheTestItselfPasses() {
    withVirtualTime { time in
      let isDone = DispatchSemaphore(value: 0)
      DispatchQueue.global().async { isDone.signal() }
      isDone.wait()
      try? time.advance(by: .seconds(1))
    }
    marbles { m in
      m.at(.milliseconds(1)) {
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { isDone.signal() }
        isDone.wait()
      }
      m.expect(Signal<Int>.never(), "---")
    }
  }

  @Test(.enabled(if: noticesRealTime)) func timerOfADispatchSource() {
    let timer = DispatchSource.makeTimerSource()
    let message = failure(offset: 1) {
      withVirtualTime { time in
        timer.schedule(deadline: .now() + 3600)
        try? time.advance(by: .seconds(7200))
      }
    }
    timer.resume()
    timer.cancel()
    #expect(message.contains("timer"), "\(message)")
  }

  @Test func debounceOnTheMainQueueIsOneIssue() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-")
        let late = source.signal.debounce(for: .milliseconds(2), on: .main)
        m.expect(late, "---a")
      }
    }
    #expect(message.hasPrefix("debounce OtherThreadTests.swift:"), "\(message)")
  }

  @Test func timerOfASchedulerIsOneIssue() {
    let message = failure(offset: 3) {
      withVirtualTime { time in
        let bag = DisposeBag()
        Signal.interval(every: .seconds(60), on: .qos(.default), tolerance: .seconds(1)).subscribe { _ in }.store(
          in: bag)
        try? time.advance(by: .seconds(1))
      }
    }
    #expect(message.hasPrefix("interval OtherThreadTests.swift:"), "\(message)")
  }

  @Test @MainActor func debounceOnTheMainQueueOnTheMainActorIsOneIssue() {
    let message = failure(offset: 3) {
      withVirtualTime { time in
        let words = Emitter<String>()
        let subscription = words.signal.debounce(for: .milliseconds(2), on: .main).subscribeOnMain { _ in }
        words.send("a")
        try? time.advance(by: .seconds(1))
        subscription.dispose()
      }
    }
    #expect(message.hasPrefix("debounce OtherThreadTests.swift:"), "\(message)")
  }

  @Test func advanceInTheAsynchronousFormSuggestsSleep() throws {
    try withVirtualTime { time in
      try await time.sleep(for: .seconds(1))
      let error = #expect(throws: VirtualTimeError.self) { try time.advance(by: .seconds(1)) }
      #expect(error.map { "\($0)".contains("try await time.sleep(for:)") } == true)
    }
  }
}
