import Signals
import Testing

@testable import SignalTesting

@Suite struct ProbeBoundsTests {
  /// An interval that delivers nothing has no end.
  @Test func aStepDoesNotWaitForEver() async {
    let scheduler = VirtualTimeScheduler(workLimit: 1_000)
    let probe = Signal.interval(every: .milliseconds(1), on: scheduler).filter { _ in false }.probe(on: scheduler)
    let message =
      "expected a value, but nothing arrives: 1000 work items ran until 1 s, and none of them sent an event"
    #expect(heldFailures { _ = try? probe.next() }.map(\.message) == [message])
    await withKnownIssue {
      await #expect(throws: ProbeError.self) { try await probe.next() }
    }
    // What was not waited for has not passed.
    await withKnownIssue {
      await #expect(throws: ProbeError.self) { try await probe.expectNoEvents(for: .seconds(60)) }
    }
  }

  /// Sends a number in three seconds, in work that is scheduled after a second.
  private static func late(_ time: VirtualTimeScheduler) -> Emitter<Int> {
    let numbers = Emitter<Int>()
    Task {
      try await time.sleep(for: .seconds(1))
      try await time.sleep(for: .seconds(2))
      numbers.send(1)
    }
    return numbers
  }

  @Test func asynchronousStepReadsAnEventAtItsTimeout() throws {
    try withVirtualTime { time in
      let probe = Self.late(time).signal.probe(on: time)
      let number = try await probe.next(timeout: .seconds(3))
      #expect(number == 1)
      probe.ignoreRest()
    }
  }

  @Test func asynchronousExpectNoEventsIncludesItsLastInstant() throws {
    let messages = try withVirtualTime { time in
      let numbers = Self.late(time)
      let probe = numbers.signal.probe(on: time)
      let issues = Issues()
      await withKnownIssue {
        await #expect(throws: ProbeError.self) { try await probe.expectNoEvents(for: .seconds(3)) }
      } matching: { issue in
        issues.add(issue)
        return true
      }
      probe.ignoreRest()
      return issues.all.compactMap { $0.comments.first?.rawValue }
    }
    #expect(messages.first?.contains("expected nothing for 3 s, but 1 event arrived") == true, "\(messages)")
  }

  /// What the asynchronous `expectNoEvents()` reports while a value is due.
  private func messagesOfDueEvent(on scheduler: VirtualTimeScheduler) async -> [String] {
    let numbers = Emitter<Int>()
    let probe = numbers.signal.receive(on: scheduler).probe(on: scheduler)
    numbers.send(1)
    let issues = Issues()
    await withKnownIssue {
      await #expect(throws: ProbeError.self) { try await probe.expectNoEvents() }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    return issues.all.compactMap { $0.comments.first?.rawValue }
  }

  @Test func asynchronousExpectNoEventsRunsDueWork() async {
    let scheduler = VirtualTimeScheduler()
    let messages = await messagesOfDueEvent(on: scheduler)
    #expect(messages.first?.contains("expected nothing, but 1 event arrived") == true, "\(messages)")
    #expect(scheduler.now.sinceOrigin == .zero)
  }

  @Test func asynchronousExpectNoEventsRunsDueWorkInATask() throws {
    let messages = try withVirtualTime { await messagesOfDueEvent(on: $0) }
    #expect(messages.first?.contains("expected nothing, but 1 event arrived") == true, "\(messages)")
  }

  @Test func stepsThatTimeOutAtOneInstantBothReturn() throws {
    try withVirtualTime { time in
      let numbers = Emitter<Int>()
      let (first, second) = (numbers.signal.probe(on: time), numbers.signal.probe(on: time))
      async let firstWait: Void = first.expectNoEvents(for: .seconds(3))
      async let secondWait: Void = second.expectNoEvents(for: .seconds(3))
      _ = try await (firstWait, secondWait)
      #expect(time.now.sinceOrigin == .seconds(3))
    }
  }
}
