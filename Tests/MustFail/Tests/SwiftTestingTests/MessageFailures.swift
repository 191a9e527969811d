import FaultyOperators
import SignalTesting
import Signals
import Testing

/// What a failure says of values.
@Suite struct ValueMessages {
  @Test func keyAndWhatItStandsFor() {
    marbles { m in
      let source = m.hot("-a-|", values: ["a": User(name: "Ann")])
      m.expect(
        source.signal,
        "-b-|",  // must fail with carets: frame 1: expected b = User(name: "Bob"), got a = User(name: "Ann")
        values: ["b": User(name: "Bob")])
    }
  }

  @Test func anotherKeyOfTheMap() {
    marbles { m in
      let source = m.hot("-a-b-|", values: ["a": User(name: "Ann"), "b": User(name: "Bob")])
      m.expect(
        source.signal,
        "-b-a-|",  // must fail with carets: frame 1: expected b = User(name: "Bob"), got a = User(name: "Ann")
        values: ["a": User(name: "Ann"), "b": User(name: "Bob")])
    }
  }

  @Test func quotesAndInvisibleCharacters() {
    marbles { m in
      let source = m.hot("-a-b-|", values: ["a": "Ann ", "b": "B\u{200B}ob"])
      m.expect(
        source.signal,
        "-x-y-|",  // must fail with carets: frame 1: expected x = "Ann", got a = "Ann "
        values: ["x": "Ann", "y": "Bob"])
    }
  }

  @Test func longText() {
    let text = String(repeating: "the quick brown fox jumps over the lazy dog, ", count: 20)
    marbles { m in
      let source = m.hot("-a-|", values: ["a": text + "and rests" + text])
      m.expect(
        source.signal,
        "-b-|",  // must fail with carets: from character 905 on
        values: ["b": text + "and sleeps" + text])
    }
  }

  @Test func largeArray() {
    let numbers = Array(0..<10_000)
    marbles { m in
      let source = m.hot("-a-|", values: ["a": numbers.map { $0 % 100 == 42 ? -1 : $0 }])
      m.expect(
        source.signal,
        "-b-|",  // must fail with carets: … and 89 more differences
        values: ["b": numbers])
    }
  }

  @Test func nestedValues() {
    let team = [User(name: "Ann"), User(name: "Bob"), User(name: "Cid")]
    marbles { m in
      let source = m.hot("-a-|", values: ["a": team])
      m.expect(
        source.signal,
        "-b-|",  // must fail with carets: frame 1, − expected, + actual:
        values: ["b": [team[0], User(name: "Ben"), team[2]]])
    }
  }

  @Test func separateDigits() {
    marbles { m in
      let source = m.hot("-5-<10>-|", of: Int.self)
      m.expect(source.signal, "-5-10-|")  // must fail with carets: For one value write <10>.
    }
  }

  @Test func received() {
    marbles { m in
      let source = m.hot("-a-b-c-|", values: ["a": "say \"hi\"", "b": "back\\slash's", "c": ""])
      m.expect(source.signal, "-a-b-c-|")  // must fail with carets: received: "-'say \"hi\"'-
    }
  }

  @Test func errorByName() {
    marbles { m in
      let source = m.hot("-a-#lost", errors: ["lost": Lost(at: 1)])
      m.expect(
        source.signal,
        "-a-#gone",  // must fail with carets: frame 3: expected #gone (Lost(at: 2)), got # (Lost(at: 1))
        errors: ["gone": Lost(at: 2)])
    }
  }
}

/// What a failure says of order and time.
@Suite struct TimeMessages {
  @Test func wrongOrder() {
    marbles { m in
      let source = m.hot("--(ba)--|")
      m.expect(source.signal, "--(ab)--|")  // must fail with carets: another order: expected (ab), got (ba).
    }
  }

  @Test func differencesInOrderOfTime() {
    marbles { m in
      let source = m.hot("a---e----|")
      m.expect(source.signal, "a--d--g--|")  // must fail with carets: frame 6: missing g
    }
  }

  @Test func zeroTime() {
    marbles { m in
      let source = m.hot("a 500us |")
      m.expect(source.signal, "500us a |")  // must fail with carets: a at 0 ms instead of 500 us
    }
  }

  @Test func betweenTheFrames() {
    marbles { m in
      let source = m.hot("-a---|")
      let twice = source.signal.merge(with: source.signal.delay(for: .microseconds(300), on: m.scheduler))
      m.expect(twice, "-a---|")  // must fail with carets: received, with marbles(frame: .microseconds(300)):
    }
  }

  @Test func differingLine() {
    marbles { m in
      let source = m.hot("-a-b---c---d-|")
      m.expect(
        source.signal,
        """
        -a-b-
            --c-
                ---d-|
        """  // must fail 1 line above with carets: d at frame 11 instead of frame 12
      )
    }
  }

  @Test func nestedSignals() {
    marbles { m in
      let inner = m.cold("-1-2|")
      let outer = m.hot("-a--|", values: ["a": inner.signal])
      m.expectNested(outer.signal, "-x--|", signals: ["x": "-1--2|"])  // must fail with carets: the signal x
    }
  }

  @Test func subscriptionBetweenTheFrames() {
    marbles { m in
      let source = m.hot("-a-b-|")
      m.expect(source.signal.timeout(after: .microseconds(500), on: m.scheduler), " 500us #")
      m.expectSubscriptions(of: source, "^-!")  // must fail with carets: unsubscribed at 500 us instead of frame 2
    }
  }
}

/// What a failure says of a test without an end.
@Suite struct EndlessMessages {
  @Test func endlessInterval() {
    marbles { m in
      m.expect(.interval(every: .milliseconds(2), on: m.scheduler), "--0-1-")  // must fail with carets: keeps running
    }
  }

  @Test func endlessIntervalWithoutValues() {
    marbles(timeLimit: .seconds(1)) { m in  // must fail: subscription: "^-!"
      m.expect(.interval(every: .milliseconds(1), on: m.scheduler).filter { _ in false }, "--")
    }
  }

  @Test func intervalBesideTheChain() {
    marbles { m in  // must fail: interval MessageFailures
      let source = m.hot("-a-b-|")
      let heartbeat = Signal.interval(every: .seconds(1), on: m.scheduler).subscribe { _ in }
      Keeper.shared.keep(heartbeat)
      m.expect(source.signal, "-a-c-|")  // must fail with carets: frame 3: expected c, got b
    }
  }

  @Test func intervalInsideTheChain() {
    marbles { m in  // must fail: interval MessageFailures
      let source = m.hot("-a-b-|")
      let ticks = Signal.interval(every: .seconds(1), on: m.scheduler).filter { _ in false }.map { "\($0)" }
      m.expect(source.signal.merge(with: ticks), "-a-c-")  // must fail with carets: frame 3: expected c, got b
    }
  }

  @Test func workLeft() {
    marbles(timeLimit: .seconds(1)) { m in  // must fail: 5 work items are left:
      let source = m.hot("-a|")
      m.expect(source.signal.delay(for: .seconds(3), on: m.scheduler), "-")
      for _ in 1...2 { m.scheduler.schedule(at: SchedulerInstant(sinceOrigin: .seconds(5)), phase: .work) {} }
      m.task { [clock = m.scheduler] in try await clock.sleep(for: .seconds(7)) }
    }
  }
}

/// What a failure says of a diagram that cannot be read.
@Suite struct NotationMessages {
  @Test func dashOfAWordProcessor() {
    marbles { m in
      let source = m.hot("-a-|")
      m.expect(source.signal, "–a-|")  // must fail with carets: '–' is U+2013 EN DASH, not -
    }
  }

  @Test func dashInASubscription() {
    marbles { m in
      let source = m.hot("-a-|")
      m.expect(source.signal, "-a", subscription: "^—!")  // must fail with carets: '—' is U+2014 EM DASH, not -
    }
  }

  @Test func zeroWidthCharacter() {
    marbles { m in
      let source = m.hot("-a-​|")  // must fail with carets: an invisible character, U+200B ZERO WIDTH SPACE
      m.expect(source.signal, "-a-|")
    }
  }

  @Test func lookAlikeLetter() {
    marbles { m in
      let source = m.hot("-a-b-|")
      m.expect(source.signal, "-а-b-|")  // must fail with carets: 'а' is U+0430 CYRILLIC SMALL LETTER A, not a
    }
  }

  @Test func unclosedGroup() {
    marbles { m in
      let source = m.hot("-(ab--c-|")  // must fail with carets: ( is not closed
      m.expect(source.signal, "-(ab)--c-|")
    }
  }

  @Test func unknownKey() {
    marbles { m in
      let source = m.hot("-a|")
      m.expect(source.signal, "-b|", values: ["a": "a"])  // must fail with carets: no value for 'b'
    }
  }

  @Test func unusedKey() {
    marbles { m in
      let source = m.hot("-a|")
      m.expect(source.signal, "-a|", values: ["a": "a", "b": "b"])  // must fail with carets: the diagram never uses 'b'
    }
  }

  @Test func emptyFixtureFile() {
    do {
      for fixture in try FixtureParser.parse("// Nothing yet.\n", filePath: "empty.marbles") {
        FixtureRunner(operators: [:]).run(fixture)
      }
    } catch {
      fail("\(error)")  // must fail: the file holds no case
    }
  }
}

/// Tests that check nothing, or not all.
@Suite struct EmptyTests {
  @Test func neverRun() {
    let m = MarbleTest()  // must fail: The marble test never ran.
    m.expect(m.hot("-a|").signal, "-a|")
  }

  @Test func keptAndNeverRun() {
    let m = MarbleTest()  // must fail without its test: The marble test never ran, and is still retained
    m.expect(m.hot("-a|").signal, "-a|")
    Keeper.shared.keepAnything(m)
  }

  @Test func taskThatThrows() {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { throw Lost(at: 3) }  // must fail: The task threw Lost(at: 3)
    }
  }

  @Test func taskThatNeverFinishes() {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { await withUnsafeContinuation { (_: Waiting) in } }  // must fail: the task has not finished
    }
  }
}

private typealias Waiting = UnsafeContinuation<Void, Never>

// XCTest: private func fail(_ message: String, file: StaticString = #filePath, line: UInt = #line) {
private func fail(_ message: String, at location: SourceLocation = #_sourceLocation) {
  // XCTest: XCTFail(message, file: file, line: line)
  Issue.record(Comment(rawValue: message), sourceLocation: location)
}

private struct User: Equatable {
  var name: String
}

private struct Lost: Error, Equatable {
  var at: Int
}
