import SignalTesting
import Signals
import Testing

/// After its end, an iterator has to return nil each time.
@Suite struct SequenceEndTests {
  private enum Step {
    case element, end, failure
  }

  private struct Broken: Error {}

  private struct Steps: AsyncSequence, Sendable {
    let steps: [Step]

    func makeAsyncIterator() -> Iterator { Iterator(steps: steps) }

    struct Iterator: AsyncIteratorProtocol {
      var steps: [Step]

      mutating func next() async throws -> String? {
        guard !steps.isEmpty else { return nil }
        switch steps.removeFirst() {
        case .element: return "a"
        case .end: return nil
        case .failure: throw Broken()
        }
      }
    }
  }

  @Test func anotherElementAfterTheEndFails() {
    for (steps, diagram, words) in [
      ([Step.element, .end, .element], "(a|)", #"returned "a""#),
      ([.element, .failure, .element], "(a#)", #"returned "a""#),
      ([.element, .end, .failure], "(a|)", "threw Broken()"),
    ] {
      let message = failure(offset: 0) { marbles { m in m.expect(Steps(steps: steps), diagram) } }
      #expect(message.contains("has ended, and then its iterator \(words)"), "\(message)")
    }
  }

  @Test func nilAfterTheEndPasses() {
    marbles { m in
      m.expect(Steps(steps: [.element, .end]), "(a|)")
      m.expect(Steps(steps: [.element, .failure]), "(a#)")
      m.expect(AsyncStream<String>(unfolding: { nil }), "|")
    }
  }
}
