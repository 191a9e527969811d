import OpenCombine
import SignalCombine
import SignalCombineTesting
import SignalTesting
import Signals
import Testing

private struct Lost: Error, Equatable {}
private struct Other: Error {}

/// Publishers are expected with the same diagrams as signals.
@Suite struct PublisherMarbleTests {
  @Test func valuesAndTheEnd() {
    marbles { m in
      let numbers = m.hot("-1-2-3-|", of: Int.self)
      m.expect(numbers.signal.publisher().scan(0, +), "-1-3-6-|")
      m.expectSubscriptions(of: numbers, "^------!")
    }
  }

  @Test func valuesOfOtherTypes() {
    marbles { m in
      let numbers = m.hot("-1-2-3-|", of: Int.self)
      m.expect(
        numbers.signal.publisher().collect(2).map { $0 }, "---x---(y|)", values: ["x": [1, 2], "y": [3]])
      m.expect(
        numbers.signal.publisher().collect(2), "---x---(y|)", matching: ["x": { $0.count == 2 }, "y": { $0 == [3] }])
    }
  }

  @Test func failuresAndCancelling() {
    marbles { m in
      let source = m.cold("-1-#", of: Int.self, error: Lost())
      m.expect(source.signal.publisher(), "-1-#", error: ErrorPattern.ofType(Lost.self))
      m.expect(source.signal.publisher(), "-1", subscription: "^-!")
      m.expectSubscriptions(of: source, "^--!", "^-!")
    }
  }

  @Test func subjects() {
    marbles { m in
      let subject = PassthroughSubject<Int, Never>()
      m.at(.milliseconds(2)) { subject.send(1) }
      m.at(.milliseconds(3)) { subject.send(completion: .finished) }
      m.expect(subject, "--1|")
      m.expect(Just(1), "{1|}")
    }
  }

  @Test func whatDiffers() {
    withKnownIssue {
      marbles { m in
        m.expect(Just(1), "{2|}")
      }
    } matching: { issue in
      issue.comments.first?.rawValue.contains("inside subscribe: expected 2, got 1") ?? false
    }
  }
}
