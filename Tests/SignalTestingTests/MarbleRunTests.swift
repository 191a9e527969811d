import SignalTesting
import Signals
import Testing

/// Marble tests that pass: what sources send, when, and in which order.
@Suite struct MarbleRunTests {
  struct Failure: Error, Equatable {
    var number: Int
  }

  @Test func debounce() {
    marbles { m in
      let typing = m.hot("-a-b----c--|")
      m.expect(typing.signal.debounce(for: .milliseconds(3), on: m.scheduler), "------b----(c|)")
      m.expectSubscriptions(of: typing, "^----------!")
    }
  }

  @Test func withoutAClosure() {
    let m = MarbleTest()
    let numbers = m.cold("-1-2|", of: Int.self)
    m.expect(numbers.signal.map { $0 * 10 }, "-x-y|", values: ["x": 10, "y": 20])
    m.run()
  }

  @Test func aHotSourceRunsWithoutSubscribers() {
    marbles { m in
      let source = m.hot("a-^-b-c-|")
      m.expect(source.signal, "--b-c-|")
      m.expect(source.signal, "----c-|", subscription: "---^")
      m.expect(source.signal, "----------|", subscription: "----------^")
      m.expectSubscriptions(of: source, "^-----!", "---^--!", "----------(^!)")
    }
  }

  @Test func aColdSourceStartsAnewForEachSubscriber() {
    marbles { m in
      let source = m.cold("{a}b-|")
      m.expect(source.signal, "{a}b-|")
      m.expect(source.signal, "---(ab)-|", subscription: "---^")
      m.expectSubscriptions(of: source, "^-!", "---^-!")
    }
  }

  @Test func theValueAtSubscribingIsSeenAndTheOneAtUnsubscribingIsNot() {
    marbles { m in
      let source = m.hot("-a-b-c-d-|")
      m.expect(source.signal, "---b--", subscription: "---^-!")
      m.expectSubscriptions(of: source, "---^-!")
    }
  }

  @Test func hotSourcesComeInOrderOfCreationBeforeOtherWork() {
    marbles { m in
      let first = m.hot("--1")
      let cold = m.cold("--3")
      let second = m.hot("--2")
      m.expect(.merge([cold.signal, second.signal, first.signal]), "--(123)")
    }
  }

  @Test func errorsByName() {
    marbles { m in
      let source = m.cold("-a-#two", errors: ["two": Failure(number: 2)])
      m.expect(source.signal, "-a-#x", errors: ["x": Failure(number: 2)])
      m.expect(source.signal, "-a-#", error: Failure(number: 2))
      m.expect(source.signal, "-?-#")
    }
  }

  @Test func tuplesCompareWithAClosure() {
    marbles { m in
      let letters = m.hot("-a--|")
      let numbers = m.hot("--1-|", of: Int.self)
      m.expect(
        letters.signal.combineLatest(numbers.signal), "--x-|", values: ["x": ("a", 1)], by: { $0 == $1 })
    }
  }

  @Test func aMultiLineDiagram() {
    marbles { m in
      let source = m.hot(
        """
        -a-b
            -c-d-|
        """)
      m.expect(
        source.signal,
        """
        -a-b
            -c-d-|
        """)
    }
  }

  @Test func longTimesAndShortFrames() {
    marbles(frame: .microseconds(100)) { m in
      let source = m.cold("-a 1s b|")
      m.expect(source.signal.delay(for: .microseconds(200), on: m.scheduler), "---a 1s b|")
    }
  }

  @Test func theDialectOfRxJS() {
    marbles(dialect: .rxjs) { m in
      let source = m.cold("(ab)-c|")
      m.expect(source.signal.prepend("x"), "(xab)c|")
    }
  }

  @Test func nestedSignals() {
    marbles { m in
      let x = m.cold("{1}2-3|")
      let y = m.cold("-8|")
      let outer = m.hot("-a--b--|", values: ["a": x.signal, "b": y.signal])
      m.expectNested(outer.signal, "-x--y--|", signals: ["x": "{1}2-3|", "y": "-8|"])
      m.expectSubscriptions(of: x, "-^--!")
    }
  }

  @Test func asynchronousCodeRunsUnderTheSameTime() {
    marbles { m in
      let results = Emitter<Int>()
      m.expect(results.signal, "--1--2|", values: ["1": 1, "2": 2])
      m.task { [clock = m.scheduler] in
        try await clock.sleep(for: .milliseconds(2))
        results.send(1)
        async let later: Void = clock.sleep(for: .milliseconds(3))
        try await later
        results.send(2)
        try await clock.sleep(for: .milliseconds(1))
        results.finish()
      }
    }
  }

  @Test func asynchronousSequences() {
    marbles { m in
      let stream = AsyncStream<Int> { continuation in
        m.task { [clock = m.scheduler] in
          for number in 1...3 {
            try await clock.sleep(for: .milliseconds(2))
            continuation.yield(number)
          }
          continuation.finish()
        }
      }
      m.expect(stream, "--1-2-(3|)")
    }
  }

  @Test func nobodySubscribesAsExpected() {
    marbles { m in
      let source = m.cold("-a")
      m.expect(source.signal.prefix(0), "{|}")
      m.expectNoSubscriptions(of: source)
    }
  }
}
