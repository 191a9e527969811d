import SignalTesting
import Signals
import Testing

private struct Problem: Error {}

/// A sequence that is not `Sendable`.
private struct Countdown: AsyncSequence {
  final class Iterator: AsyncIteratorProtocol {
    var rest: Int
    let scheduler: VirtualTimeScheduler

    init(_ countdown: Countdown) { (rest, scheduler) = (countdown.state.start, countdown.scheduler) }

    func next() async throws -> [Int]? {
      guard rest > 0 else { return nil }
      try await scheduler.sleep(for: .milliseconds(2))
      defer { rest -= 1 }
      return [rest]
    }
  }

  final class State { var start = 2 }

  let state = State()
  let scheduler: VirtualTimeScheduler

  func makeAsyncIterator() -> Iterator { Iterator(self) }
}

/// Asynchronous sequences of all kinds under virtual time.
@Suite struct SequenceTests {
  @Test func oneThatIsNotSendable() {
    marbles { m in
      m.expect(Countdown(scheduler: m.scheduler), "--x-(y|)", values: ["x": [2], "y": [1]])
      m.expect(Countdown(scheduler: m.scheduler).map { $0.count }, "--1-(1|)")
      m.expect(
        m.elements(of: Countdown(scheduler: m.scheduler)), "---x-(y|)",
        matching: ["x": { $0 == [2] }, "y": { $0 == [1] }],
        tolerance: .milliseconds(1))
    }
  }

  @Test func anExistential() {
    marbles { m in
      let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
      m.at(.milliseconds(2)) { continuation.yield(1) }
      m.at(.milliseconds(3)) { continuation.finish() }
      let sequence: any AsyncSequence<Int, Never> = numbers
      m.expect(sequence, "--1|")
    }
    marbles { m in
      let (numbers, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
      m.at(.milliseconds(2)) { continuation.finish(throwing: Problem()) }
      let sequence: any AsyncSequence<Int, any Error> = numbers
      m.expect(sequence, "--#", error: ErrorPattern.ofType(Problem.self))
    }
  }

  @Test func isReadOnce() {
    let message = failure(offset: 4) {
      marbles { m in
        let elements = m.elements(of: Countdown(scheduler: m.scheduler).map { $0.count })
        m.expect(elements, "--1-(1|)")
        m.expect(elements, "--1-(1|)")
      }
    }
    #expect(message.contains("has a second subscription"), "\(message)")
  }

  @Test func oneThatDiffers() {
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(Countdown(scheduler: m.scheduler).map { $0.count }, "--1--(1|)")
      }
    }
    #expect(message.contains("1 at frame 4 instead of frame 5"), "\(message)")
  }
}
