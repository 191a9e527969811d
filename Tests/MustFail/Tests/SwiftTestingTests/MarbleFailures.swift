import SignalTesting
import Signals
import Testing

@Suite struct MarbleFailures {
  @Test func wrongValue() {
    marbles { m in
      let source = m.hot("-a-b-|")
      m.expect(source.signal, "-a-c-|")  // must fail with carets: frame 3: expected c, got b
    }
  }

  @Test func wrongValueOfAType() {
    marbles { m in
      let source = m.hot("-x-|", values: ["x": Account(name: "Anna", balance: 3)])
      m.expect(
        source.signal,
        "-y-|",  // must fail with carets: frame 1: expected y = Account
        values: ["y": Account(name: "Anna", balance: 4)])
    }
  }

  @Test func wrongTime() {
    marbles { m in
      let source = m.hot("-a-b----c--|")
      let settled = source.signal.debounce(for: .milliseconds(3), on: m.scheduler)
      m.expect(settled, "-----b-----(c|)")  // must fail with carets: b at frame 6 instead of frame 5
    }
  }

  @Test func missingEvent() {
    marbles { m in
      let source = m.hot("-a---|")
      m.expect(source.signal, "-a-b-|")  // must fail with carets: frame 3: missing b
    }
  }

  @Test func extraEvent() {
    marbles { m in
      let source = m.hot("-a-(bc)-|")
      m.expect(source.signal, "-a-b-|")  // must fail with carets: frame 3: extra c
    }
  }

  @Test func wrongError() {
    marbles { m in
      let source = m.cold("-a-#", error: Problem(code: 1))
      m.expect(source.signal, "-a-#", error: Problem(code: 2))  // must fail with carets: frame 3: expected #
    }
  }

  @Test func wrongSubscription() {
    marbles { m in
      let source = m.hot("-a-b-|")
      m.expect(source.signal.prefix(1), "-(a|)")
      m.expectSubscriptions(of: source, "^----!")  // must fail with carets: unsubscribed at frame 1 instead of frame 5
    }
  }

  @Test func malformedDiagram() {
    marbles { m in
      let source = m.hot("-a|-b")  // must fail with carets: 'b' comes after the end
      m.expect(source.signal, "-a|")
    }
  }

  @Test func malformedSubscription() {
    marbles { m in
      let source = m.hot("-a-|")
      m.expect(source.signal, "-a-|")
      m.expectSubscriptions(of: source, "^-!-!")  // must fail with carets: a second !
    }
  }

  @Test func multiLineDiagram() {
    marbles { m in
      let source = m.hot("-a-b---c-|")
      m.expect(
        source.signal,
        """
        -a-b
            --c--|
        """  // must fail 1 line above with carets: c at frame 7 instead of frame 6
      )
    }
  }

  @Test func nothingExpected() {
    marbles { _ in }  // must fail: The marble test expects nothing
  }

  @Test func unusedSource() {
    marbles { m in
      let used = m.hot("-a|")
      _ = m.cold("-b|")  // must fail: The source "-b|" has no subscriber
      m.expect(used.signal, "-a|")
    }
  }
}

private struct Account: Equatable {
  var name: String
  var balance: Int
}

private struct Problem: Error, Equatable {
  var code: Int
}
