import Probes
import SignalTesting
import Signals
import Testing

/// Delivers each value together with the latest value of another signal.
@Suite("withLatest", .healthy)
struct WithLatestTests {
  @Test("a row for each value, once the other signal has delivered one; the other's values alone deliver nothing")
  func values() {
    marbles { m in
      let letters = m.hot("               -a---b-c---d-|")
      let digits = m.hot("                ---1----23-----|")
      let rows = ["x": "b1", "y": "c1", "z": "d3"]
      m.expect(
        letters.signal.withLatest(from: digits.signal).map { $0 + $1 },
        "                                 -----x-y---z-|", values: rows)
      m.expectSubscriptions(of: letters, "^------------!")
      m.expectSubscriptions(of: digits, " ^------------!")
    }
  }

  @Test("at one moment: a value of the other that was sent before counts, one that was sent after it does not")
  func sameMoment() {
    marbles { m in
      let before = m.hot(" -1---2--")
      let letters = m.hot("-a---b-|")
      let after = m.hot("  -1---2--")
      let rows = ["x": "a1", "y": "b2", "z": "b1"]
      m.expect(
        letters.signal.withLatest(from: before.signal).map { $0 + $1 }, "-x---y-|",
        values: rows.filter { $0.key != "z" })
      m.expect(
        letters.signal.withLatest(from: after.signal).map { $0 + $1 },
        "                  -----z-|", values: ["z": "b1"])
    }
  }

  @Test("the other signal is subscribed to first: what it delivers inside subscribe counts from the first value on")
  func atOnce() {
    marbles { m in
      let letters = m.cold("{ab}-c|")
      let digits = m.cold(" {12}")
      let rows = ["x": "a2", "y": "b2", "z": "c2"]
      m.expect(
        letters.signal.withLatest(from: digits.signal).map { $0 + $1 },
        "                   {xy}-z|", values: rows)
    }
  }

  @Test("any number of others, of any types")
  func manyOthers() {
    marbles { m in
      let letters = m.hot("-a-----b-c-|")
      let digits = m.hot(" -1------2---|", of: Int.self)
      let flags = m.hot("  ---t--------|", values: ["t": true])
      let numbers = m.hot("-----9------|", of: Double.self)
      let two = letters.signal.withLatest(from: digits.signal, flags.signal).map { "\($0)\($1) \($2)" }
      m.expect(two, "      -------x-y-|", values: ["x": "b1 true", "y": "c2 true"])
      let three = letters.signal.withLatest(from: digits.signal, flags.signal, numbers.signal)
        .map { a, b, c, d in "\(a)\(b) \(c) \(d)" }
      m.expect(three, "    -------x-y-|", values: ["x": "b1 true 9.0", "y": "c2 true 9.0"])
    }
  }

  @Test("it ends with the signal, not with the other, whose last value goes on counting")
  func ends() {
    marbles { m in
      let letters = m.hot("              -----a-b-|")
      let digits = m.hot("               -1-|")
      let rows = ["x": "a1", "y": "b1"]
      m.expect(
        letters.signal.withLatest(from: digits.signal).map { $0 + $1 },
        "                                -----x-y-|", values: rows)
      m.expectSubscriptions(of: digits, "^--!")

      let empty = m.hot("--|")
      m.expect(
        letters.signal.withLatest(from: empty.signal).map { $0 + $1 },
        "                ---------|")

      let only = m.hot("                 --|")
      let others = m.hot("               -1-2-3-|")
      m.expect(
        only.signal.withLatest(from: others.signal).map { $0 + $1 },
        "                                --|")
      m.expectSubscriptions(of: others, "^-!")
    }
  }

  @Test("Law 9: a failure of either is that of all, and the one that is left is left at that moment")
  func failure() {
    marbles { m in
      let letters = m.hot("               ---a---b-|")
      let digits = m.hot("                -1---#", error: Failure(number: 1))
      let rows = letters.signal.withLatest(from: digits.signal).map { $0 + $1 }
      m.expect(rows, "                    ---x-#", values: ["x": "a1"], error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^----!")

      let failing = m.hot("              ---#", error: Failure(number: 2))
      let others = m.hot("               -1-2-3-|")
      m.expect(
        failing.signal.withLatest(from: others.signal).map { $0 + $1 },
        "                                ---#", error: Failure(number: 2))
      m.expectSubscriptions(of: others, "^--!")
    }
  }

  @Test("either sends nothing")
  func nothing() {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let never = m.hot("  ------")
      m.expect(
        letters.signal.withLatest(from: never.signal).map { $0 + $1 },
        "                  -----|")
      m.expect(
        never.signal.withLatest(from: letters.signal).map { $0 + $1 },
        "                  ------")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and both are left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               ---a-b-|")
      let digits = m.hot("                -1---2-|")
      let rows = letters.signal.withLatest(from: digits.signal).map { $0 + $1 }
      m.expect(rows, "                    ---x----", values: ["x": "a1"], subscription: "^---!")
      m.expectSubscriptions(of: letters, "^---!")
      m.expectSubscriptions(of: digits, " ^---!")
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and both are left at that moment")
  func throwingBelow() {
    marbles { m in
      let letters = m.hot("               ---a-b-|")
      let digits = m.hot("                -1---2-|")
      let result = letters.signal.withLatest(from: digits.signal).map { _ -> String in throw Failure() }
      m.expect(result, "                  ---#", error: Failure())
      m.expectSubscriptions(of: letters, "^--!")
      m.expectSubscriptions(of: digits, " ^--!")
    }
  }

  @Test("an endless signal is read as far as somebody takes rows")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).withLatest(from: .just(0)).map { $0 + $1 }.prefix(3),
        "{123|}")
    }
  }
}
