import OperatorCatalogue
import SignalTesting
import Signals
import Testing

/// Marble tests that fail: each with its message, at its line.
@Suite struct MarbleFailureTests {
  /// Runs a body that has to fail exactly once.
  private func failure(
    offset: Int = 1, from line: Int = #line, source: SourceLocation = #_sourceLocation, _ body: () -> Void
  ) -> String {
    let issues = Issues()
    withKnownIssue(sourceLocation: source) {
      body()
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(issues.all.count == 1, sourceLocation: source)
    guard let issue = issues.all.first else { return "" }
    #expect(issue.sourceLocation?.fileName == "MarbleFailureTests.swift", sourceLocation: source)
    #expect((issue.sourceLocation?.line ?? 0) - line == offset, sourceLocation: source)
    return issue.comments.first?.rawValue ?? ""
  }

  @Test func aWrongTime() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-b-|")
        m.expect(source.signal, "-a--b|")
      }
    }
    #expect(
      message == """

          expected  -a--b|
          actual    -a-b-|
                       ^^

          b at frame 3 instead of frame 4

          received: "-a-b-|"
        """)
  }

  @Test func anEventAfterTheDiagramOfALaterSubscription() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a--b--c-|")
        m.expect(source.signal, "----b-", subscription: "--^")
      }
    }
    #expect(message.contains("with subscription: \"--^---!\"."), "\(message)")
  }

  @Test func aMissingAndAnExtraEvent() {
    let missing = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-----|")
        m.expect(source.signal, "-a-b---|")
      }
    }
    #expect(missing.contains("frame 3: missing b"))
    let extra = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-(bc)-|")
        m.expect(source.signal, "-a-b-|")
      }
    }
    #expect(extra.contains("frame 3: extra c"))
  }

  @Test func aWrongSubscription() {
    let message = failure(offset: 4) {
      marbles { m in
        let source = m.hot("-a-b-|")
        m.expect(source.signal.prefix(1), "-(a|)")
        m.expectSubscriptions(of: source, "^----!")
      }
    }
    #expect(
      message == """

          expected  ^----!
          actual    ^!
                     ^   ^

          subscription 1: unsubscribed at frame 1 instead of frame 5

          received: "^!"
        """)
  }

  @Test func theLiteralsOwnLine() {
    let message = failure(offset: 5) {
      marbles { m in
        let source = m.hot("-a-|")
        m.expect(
          source.signal,
          "-b-|")
      }
    }
    #expect(message.contains("expected b, got a"))
  }

  /// Expects a diagram that stands somewhere else.
  private func verify(_ m: MarbleTest, _ signal: Signal<String>, _ diagram: String) {
    m.expect(signal, diagram)
  }

  @Test func equalDiagramOfAnotherCallIsNotNamed() {
    let wanted = ["-q", "-q|"].joined()
    let message = failure(offset: -5) {
      marbles { m in verify(m, m.hot("-z-z|").signal, wanted) }
      marbles { m in m.expect(m.hot("-q-q|").signal, "-q-q|") }
    }
    #expect(message.contains("expected  -q-q|"), "\(message)")
  }

  @Test func equalArgumentsAreToldApart() {
    let line = #line + 3
    let unused = failure(offset: 2) {
      marbles { m in
        m.expect(m.hot("-a|").signal, "-a|", error: CancellationError())
      }
    }
    #expect(unused.hasPrefix("MarbleFailureTests.swift:\(line):40: the diagram never uses '#'"), "\(unused)")
    let second = failure(offset: 6) {
      marbles { m in
        let source = m.cold("-#")
        m.expect(source.signal.retry(1), "--#")
        m.expectSubscriptions(
          of: source, "^!",
          "^!")
      }
    }
    #expect(second.contains("subscription 2: subscribed at frame 1 instead of frame 0"), "\(second)")
  }

  @Test func aMalformedDiagram() {
    let message = failure(offset: 2) {
      marbles { m in
        let source = m.hot("-a|-b")
        m.expect(source.signal, "-a|")
      }
    }
    #expect(message.contains("'b' comes after the end"))
    #expect(message.contains("^\n"))
  }

  @Test func keysThatNobodyKnowsOrUses() {
    let unknown = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a|")
        m.expect(source.signal, "-b|", values: ["a": "a"])
      }
    }
    #expect(unknown.contains("no value for 'b'"))
    let unused = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a|")
        m.expect(source.signal, "-a|", values: ["a": "a", "b": "b"])
      }
    }
    #expect(unused.contains("the diagram never uses 'b'"))
  }

  @Test func anEventAtTheLastMomentIsSaid() {
    let message = failure(offset: 3) {
      marbles(timeLimit: .nanoseconds(Int64.max)) { m in
        let late = Signal.just("a").delayValues(for: .nanoseconds(Int64.max), on: m.scheduler)
        m.expect(late, "-")
      }
    }
    #expect(message.contains("9223372036.854775807 s: extra a"), "\(message)")
  }

  // MARK: No vacuous pass

  @Test func nothingIsExpected() {
    let message = failure {
      marbles { m in _ = m.hot("-a|") }
    }
    #expect(message.hasPrefix("The marble test expects nothing."))
  }

  @Test func whatIsOnlyObservedIsNotExpected() {
    let message = failure {
      marbles { m in _ = m.observing { 1 } }
    }
    #expect(message.hasPrefix("The marble test expects nothing."))
  }

  @Test func aSourceThatNobodyUses() {
    let message = failure(offset: 3) {
      marbles { m in
        let used = m.hot("-a|")
        _ = m.cold("-b|")
        m.expect(used.signal, "-a|")
      }
    }
    #expect(message.hasPrefix("The source \"-b|\" has no subscriber."))
  }

  @Test func anExpectationWithoutADiagram() {
    let empty = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a|")
        m.expect(source.signal, " ")
      }
    }
    #expect(empty.hasPrefix("An expectation without a diagram."))
    let none = failure(offset: 4) {
      marbles { m in
        let source = m.hot("-a|")
        m.expect(source.signal, "-a|")
        m.expectSubscriptions(of: source)
      }
    }
    #expect(none.hasPrefix("An expectation without a diagram."))
  }

  @Test func aTestThatNeverRuns() {
    let message = failure(offset: 2) {
      do {
        let m = MarbleTest()
        m.expect(m.hot("-a|").signal, "-a|")
      }
    }
    #expect(message.hasPrefix("The marble test never ran."))
  }

  @Test func anEventAfterTheEndOfTheDiagram() {
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(.interval(every: .milliseconds(2), on: m.scheduler), "--0-1-")
      }
    }
    #expect(message.contains("frame 6: extra 2") || message.contains("frame 6: extra '2'"))
    #expect(message.contains("end the observation with subscription"))
  }

  @Test func taskBeyondTheTimeLimitIsAdvisedToWaitLonger() {
    let message = failure(offset: 1) {
      marbles(timeLimit: .seconds(10)) { m in
        let source = m.hot("-a-|")
        m.expect(source.signal, "-a-|")
        m.task { m in try await m.scheduler.sleep(for: .seconds(20)) }
      }
    }
    #expect(message.contains("1 work item is left:\n  task MarbleFailureTests"))
    #expect(message.contains("A task has not ended. If it only waits, pass a longer timeLimit:"), "\(message)")
    #expect(!message.contains("interval"))
  }

  @Test func workThatNeverEnds() {
    let message = failure(offset: 1) {
      marbles(timeLimit: .seconds(1)) { m in
        m.expect(.interval(every: .milliseconds(1), on: m.scheduler).filter { _ in false }, "--")
      }
    }
    #expect(
      message.hasPrefix(
        "The test stopped at its time limit of 1 s. 1 work item is left:\n  interval MarbleFailureTests"))
    #expect(message.contains("End the observation with subscription: \"^-!\""))
    let line = #line
    let endless = failure(offset: 1) {
      marbles(workLimit: 1000) { m in
        m.expect(.interval(every: .zero, on: m.scheduler).filter { _ in false }, "--")
      }
    }
    #expect(
      endless.hasPrefix(
        """
        The test stopped at 0.999 us, after 1000 work items in one stretch. 1 work item is left:
          interval MarbleFailureTests.swift:\(line + 3)
        """), "\(endless)")
  }

  @Test func adviceOnEndlessWorkBesideEndedObservations() {
    let message = failure(offset: 1) {
      marbles(timeLimit: .seconds(1)) { m in
        Signal.interval(every: .milliseconds(1), on: m.scheduler).subscribe { _ in }.retained()
        m.expect(m.hot("-a-").signal, "-a-", subscription: "^--!")
      }
    }
    #expect(!message.contains("subscription:"), "\(message)")
    #expect(message.contains("Every observation has ended."), "\(message)")
  }

  @Test(arguments: [Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max)])
  func aTimeLimitThatCannotBeTold(limit: Duration) {
    let message = failure(offset: 1) {
      marbles(timeLimit: limit) { m in
        m.expect(Signal.just(1), "(1|)")
      }
    }
    #expect(message.contains("longer than 292 years"))
  }

  @Test func aTaskThatWaitsForSomethingElse() {
    let message = failure(offset: 3) {
      marbles { m in
        m.expect(Signal<Int>.never(), "-")
        m.task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      }
    }
    #expect(message.hasPrefix("Stopped at 1 ms: the task has not finished although nothing is left to do."))
  }

  @Test func aTaskThatThrows() {
    let message = failure(offset: 3) {
      marbles { m in
        m.expect(Signal<Int>.never(), "-")
        m.task { throw CancellationError() }
      }
    }
    #expect(message.hasPrefix("The task threw CancellationError"))
  }

  @Test func anInnerSignalThatDiffers() {
    let message = failure(offset: 4) {
      marbles { m in
        let inner = m.cold("-1-2|")
        let outer = m.hot("-a|", values: ["a": inner.signal])
        m.expectNested(outer.signal, "-x|", signals: ["x": "-1--2|"])
      }
    }
    #expect(message.contains("the signal x, in time since it came:"))
    #expect(message.contains("2 at frame 3 instead of frame 4"))
  }

  @Test func aFixtureFailsAtItsOwnLine() {
    let fixture = try? FixtureParser.parse(
      """
      fixture: wrong
      operator: identity
      cold e1: -a|
      expected: -b|
      """, filePath: "/nowhere/wrong.marbles"
    ).first
    let issues = Issues()
    withKnownIssue {
      if let fixture { OperatorCatalogue.fixtureRunner.run(fixture) }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(issues.all.first?.sourceLocation?.line == 4)
    #expect(issues.all.first?.comments.first?.rawValue.contains("expected b, got a") == true)
  }
}
