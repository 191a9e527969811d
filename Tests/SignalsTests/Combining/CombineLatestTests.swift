import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the latest values of several signals together, once each has delivered one, whenever one delivers another.
@Suite("combineLatest", .healthy)
struct CombineLatestTests {
  @Test("a row for each value, once each input has delivered one; it finishes when all have")
  func values() {
    marbles { m in
      let digits = m.hot("                -1---2------|")
      let letters = m.hot("               ---a---b-|")
      let rows = ["x": "1a", "y": "2a", "z": "2b"]
      m.expect(
        combineLatest(digits.signal, letters.signal).map { $0 + $1 },
        "                                 ---x-y-z----|", values: rows)
      m.expectSubscriptions(of: digits, " ^-----------!")
      m.expectSubscriptions(of: letters, "^--------!")
    }
  }

  @Test("before the others have delivered, only the latest value of an input counts")
  func first() {
    marbles { m in
      let digits = m.hot(" -1-2-3-----|")
      let letters = m.hot("-------a-b-|")
      let rows = ["x": "3a", "y": "3b"]
      m.expect(
        digits.signal.combineLatest(letters.signal).map { $0 + $1 },
        "                  -------x-y-|", values: rows)
    }
  }

  @Test("values of one moment make a row each, in the order in which they are sent")
  func sameMoment() {
    marbles { m in
      let digits = m.hot(" -1--2-|")
      let letters = m.hot("-a--b-|")
      let rows = ["x": "1a", "y": "2a", "z": "2b"]
      m.expect(
        combineLatest(digits.signal, letters.signal).map { $0 + $1 },
        "                  -x--(yz)-|", values: rows)
    }
  }

  @Test("inputs that deliver inside subscribe are connected one after the other")
  func atOnce() {
    marbles { m in
      let digits = m.cold(" {12}-3|")
      let letters = m.cold("{ab}--|")
      let rows = ["w": "2a", "x": "2b", "y": "3b"]
      m.expect(
        combineLatest(digits.signal, letters.signal).map { $0 + $1 },
        "                   {wx}-y|", values: rows)
    }
  }

  @Test("any number of inputs of any types")
  func manyInputs() {
    marbles { m in
      let digits = m.hot(" -1------5-|", of: Int.self)
      let letters = m.hot("---a------|")
      let flags = m.hot("  -----t----|", values: ["t": true])
      let numbers = m.hot("-------9--|", of: Double.self)
      let rows = ["x": "1a true", "y": "5a true"]
      let three = combineLatest(digits.signal, letters.signal, flags.signal).map { "\($0)\($1) \($2)" }
      m.expect(three, "    -----x--y-|", values: rows)
      let wide = ["x": "1a true 9.0", "y": "5a true 9.0"]
      let four = digits.signal.combineLatest(letters.signal, flags.signal, numbers.signal)
        .map { a, b, c, d in "\(a)\(b) \(c) \(d)" }
      m.expect(four, "     -------xy-|", values: wide)
    }
  }

  @Test("Law 16: an input that finishes without a value is the end, as no row can come; the others are left")
  func finishesWithoutValue() {
    marbles { m in
      let digits = m.hot("               -1-2-3-|")
      let empty = m.hot("                ----|")
      m.expect(
        combineLatest(digits.signal, empty.signal).map { $0 + $1 },
        "                                ----|")
      m.expectSubscriptions(of: digits, "^---!")
      m.expectSubscriptions(of: empty, " ^---!")
    }
  }

  @Test("Law 9: the first failure of any input is that of all; the others are left")
  func failure() {
    marbles { m in
      let digits = m.hot("                -1-2-3-|")
      let letters = m.hot("               --a-#", error: Failure(number: 1))
      let rows = ["x": "1a", "y": "2a"]
      m.expect(
        combineLatest(digits.signal, letters.signal).map { $0 + $1 }, "--xy#", values: rows, error: Failure(number: 1))
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
        combineLatest(digits.signal, never.signal).map { $0 + $1 },
        "                                ------")
      m.expectSubscriptions(of: digits, "^----!")
      m.expectSubscriptions(of: never, " ^")
    }
  }

  @Test("Law 9: what ends while it is being subscribed to leaves no one to subscribe to")
  func endsAtOnce() {
    marbles { m in
      let digits = m.hot("-1-|")
      m.expect(
        combineLatest(Signal<String>.empty(), digits.signal).map { $0 + $1 },
        "                 {|}")
      let failing = Signal<String>.fail(Failure(number: 1))
      m.expect(
        combineLatest(failing, digits.signal).map { $0 + $1 },
        "                 {#}", error: Failure(number: 1))
      m.expectNoSubscriptions(of: digits)
    }
  }

  @Test("a signal combined with itself: a row for each of the two ways of a value")
  func itself() {
    marbles { m in
      let digits = m.hot("-1---2----|")
      let rows = ["x": "11", "y": "21", "z": "22"]
      m.expect(
        digits.signal.combineLatest(digits.signal).map { $0 + $1 },
        "                 -x---(yz)----|", values: rows)
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and every input is left at that moment")
  func disposal() {
    marbles { m in
      let digits = m.hot("                -1---2-|")
      let letters = m.hot("               ---a---|")
      let rows = combineLatest(digits.signal, letters.signal).map { $0 + $1 }
      m.expect(rows, "                    ---x----", values: ["x": "1a"], subscription: "^---!")
      m.expectSubscriptions(of: digits, " ^---!")
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and every input is left at that moment")
  func throwingBelow() {
    marbles { m in
      let digits = m.hot("                -1---2-|")
      let letters = m.hot("               ---a---|")
      let result = combineLatest(digits.signal, letters.signal).map { _ -> String in throw Failure() }
      m.expect(result, "                  ---#", error: Failure())
      m.expectSubscriptions(of: digits, " ^--!")
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("an endless input is read as far as somebody takes rows")
  func endless() {
    marbles { m in
      m.expect(
        combineLatest(Signal.just(0), Signal.sequence(1...)).map { $0 + $1 }.prefix(3),
        "{123|}")
    }
  }
}
