import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the first values of several signals together, then the second ones, and so on.
@Suite("zip", .healthy)
struct ZipTests {
  @Test("a row as soon as each input has delivered its value; values wait until then")
  func values() {
    marbles { m in
      let digits = m.hot("                -12----3---|")
      let letters = m.hot("               ---a-b---c-|")
      let rows = ["x": "1a", "y": "2b", "z": "3c"]
      m.expect(
        zip(digits.signal, letters.signal).map { $0 + $1 },
        "                                 ---x-y---z-|", values: rows)
      m.expectSubscriptions(of: digits, " ^----------!")
      m.expectSubscriptions(of: letters, "^----------!")
    }
  }

  @Test("Law 16: it finishes when an input that finished has no value waiting; the others are left at that moment")
  func ends() {
    marbles { m in
      let digits = m.hot("                -1-2|")
      let letters = m.hot("               --a----b-c-|")
      let rows = ["x": "1a", "y": "2b"]
      m.expect(
        digits.signal.zip(letters.signal).map { $0 + $1 },
        "                                 --x----(y|)", values: rows)
      m.expectSubscriptions(of: digits, " ^---!")
      m.expectSubscriptions(of: letters, "^------!")

      let one = m.hot("                -1---|")
      let many = m.hot("               -a-b-c-d-|")
      m.expect(
        zip(one.signal, many.signal).map { $0 + $1 },
        "                              -x---|", values: ["x": "1a"])
      m.expectSubscriptions(of: many, "^----!")

      let empty = m.hot("                --|")
      let others = m.hot("               -a-b-|")
      m.expect(
        zip(others.signal, empty.signal).map { $0 + $1 },
        "                                --|")
      m.expectSubscriptions(of: others, "^-!")
    }
  }

  @Test("several values of one moment, and those inside subscribe")
  func sameMoment() {
    marbles { m in
      let digits = m.hot(" -(123)-----|")
      let letters = m.hot("---(ab)-c-|")
      let rows = ["x": "1a", "y": "2b", "z": "3c"]
      m.expect(
        zip(digits.signal, letters.signal).map { $0 + $1 },
        "                  ---(xy)-z-|", values: rows)

      let first = m.cold("               {123|}")
      let second = m.cold("              {ab}-c-d|")
      m.expect(
        zip(first.signal, second.signal).map { $0 + $1 },
        "                                {xy}-(z|)", values: rows)
      m.expectSubscriptions(of: second, "^!")
    }
  }

  @Test("any number of inputs of any types")
  func manyInputs() {
    marbles { m in
      let digits = m.hot(" -12-------|", of: Int.self)
      let letters = m.hot("---a----b-|")
      let flags = m.hot("  -t---t----|", values: ["t": true])
      let numbers = m.hot("-------98-|", of: Double.self)
      let three = zip(digits.signal, letters.signal, flags.signal).map { "\($0)\($1) \($2)" }
      m.expect(three, "    ---x----y-|", values: ["x": "1a true", "y": "2b true"])
      let four = digits.signal.zip(letters.signal, flags.signal, numbers.signal)
        .map { a, b, c, d in "\(a)\(b) \(c) \(d)" }
      m.expect(four, "     -------xy-|", values: ["x": "1a true 9.0", "y": "2b true 8.0"])
    }
  }

  @Test("Law 9: the first failure of any input is that of all, also while values wait; the others are left")
  func failure() {
    marbles { m in
      let digits = m.hot("                -12-----|")
      let letters = m.hot("               --a-#", error: Failure(number: 1))
      let rows = zip(digits.signal, letters.signal).map { $0 + $1 }
      m.expect(rows, "                    --x-#", values: ["x": "1a"], error: Failure(number: 1))
      m.expectSubscriptions(of: digits, " ^---!")
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("one input that sends nothing: no row, and no end")
  func nothing() {
    marbles { m in
      let digits = m.hot("               -1-2-|")
      let never = m.hot("                ------")
      m.expect(
        zip(digits.signal, never.signal).map { $0 + $1 },
        "                                ------")
      m.expectSubscriptions(of: digits, "^----!")
      m.expectSubscriptions(of: never, " ^")
    }
  }

  @Test("a signal zipped with itself")
  func itself() {
    marbles { m in
      let digits = m.hot("-1-2-|")
      m.expect(
        digits.signal.zip(digits.signal).map { $0 + $1 },
        "                 -x-y-|", values: ["x": "11", "y": "22"])
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and every input is left at that moment")
  func disposal() {
    marbles { m in
      let digits = m.hot("                -12--3-|")
      let letters = m.hot("               ---a-b-|")
      let rows = zip(digits.signal, letters.signal).map { $0 + $1 }
      m.expect(rows, "                    ---x----", values: ["x": "1a"], subscription: "^---!")
      m.expectSubscriptions(of: digits, " ^---!")
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and every input is left at that moment")
  func throwingBelow() {
    marbles { m in
      let digits = m.hot("                -12--3-|")
      let letters = m.hot("               ---a-b-|")
      let result = zip(digits.signal, letters.signal).map { _ -> String in throw Failure() }
      m.expect(result, "                  ---#", error: Failure())
      m.expectSubscriptions(of: digits, " ^--!")
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("an endless input is read as far as somebody takes rows, and as far as the others have values")
  func endless() {
    let read = Box(0)
    marbles { m in
      m.expect(
        zip(Signal.just(0), Signal.sequence(1...)).map { $0 + $1 }.prefix(1),
        "{1|}")

      let counted = Signal.sequence(CountedSequence(read: read)).prefix(100)
      m.expect(
        zip(Signal.sequence([0, 1, 2]), counted).map { $0 + $1 },
        "{135|}")
    }
    #expect(read.value == 3)
  }

  @Test("any number of values wait, in order, through every growth of the memory for them")
  func waiting() {
    let first = Emitter<String>()
    let second = Emitter<Int>()
    let log = EventLog<Row>()
    let subscription = zip(first.signal, second.signal).map { Row(text: $0, number: $1) }.log(to: log)
    var sent = 0
    var paired = 0
    for step in 1...50 {
      for _ in 0..<step {
        first.send("value \(sent)")
        sent += 1
      }
      for _ in 0..<step / 2 {
        second.send(paired)
        paired += 1
      }
    }
    #expect(log.values == (0..<paired).map { Row(text: "value \($0)", number: $0) })
    withExtendedLifetime(subscription) {}
  }

  private struct Row: Equatable, Sendable {
    var text: String
    var number: Int
  }
}
