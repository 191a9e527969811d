import Probes
import SignalTesting
import Signals
import Testing

/// Makes a signal of a value, and leaves out the values that come before it has finished.
@Suite("exhaustMap")
struct ExhaustMapTests {
  @Test("values that come while an inner signal runs are left out; it finishes after both")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b--c--|")
      let inner = m.cold("                 -1-2|")
      m.expect(letters.signal.exhaustMap { _ in inner.signal }, "--1-2--1-2|")
      m.expectSubscriptions(of: letters, "^--------!")
      m.expectSubscriptions(of: inner, "  -^---!", "------^---!")
    }
  }

  @Test("a value of the moment at which the inner signal finishes: what comes first counts")
  func sameMoment() {
    marbles { m in
      let before = m.hot("-a-b|")
      let inner = m.hot(" ---|")
      m.expect(before.signal.exhaustMap { $0 == "a" ? inner.signal : .just("x") }, "----|")
      let first = m.hot("---|")
      let after = m.hot("-a-b|")
      m.expect(after.signal.exhaustMap { $0 == "a" ? first.signal : .just("x") }, " ---x|")
    }
  }

  @Test("a signal that finishes at once leaves nothing out")
  func atOnce() {
    marbles { m in
      let letters = m.hot("-(ab)-c|")
      m.expect(letters.signal.exhaustMap { .just($0) }, "-(ab)-c|")
      m.expect(letters.signal.exhaustMap { .sequence([$0, $0]) }, "-(aabb)-(cc)|")
      m.expect(letters.signal.exhaustMap { _ in Signal<String>.empty() }, "----|")
    }
  }

  @Test("Law 9: the first failure of this signal or of the inner one; the other is left")
  func failure() {
    marbles { m in
      let letters = m.hot("               -a--|")
      let failing = m.cold("               -#", error: Failure(number: 1))
      m.expect(letters.signal.exhaustMap { _ in failing.signal }, "--#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^-!")

      let outer = m.hot("               -a-#", error: Failure(number: 2))
      let open = m.cold("                -1---|")
      m.expect(outer.signal.exhaustMap { _ in open.signal }, "--1#", error: Failure(number: 2))
      m.expectSubscriptions(of: open, "  -^-!")
    }
  }

  @Test("Law 11: what the closure throws is the failure")
  func throwing() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      let result = letters.signal.exhaustMap { letter -> Signal<String> in
        if letter == "b" { throw Failure() }
        return .just(letter)
      }
      m.expect(result, "                  -a-#", error: Failure())
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("nothing, and an inner signal that never finishes")
  func nothing() {
    marbles { m in
      m.expect(m.hot("--|").signal.exhaustMap { .just($0) }, "--|")
      m.expect(m.hot("---").signal.exhaustMap { .just($0) }, "---")
      m.expect(m.hot("-ab|").signal.exhaustMap { _ in Signal<String>.never() }, "-----")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and both are left")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a---|")
      let inner = m.cold("                 -1-2|")
      m.expect(letters.signal.exhaustMap { _ in inner.signal }, "--1---", subscription: "^--!")
      m.expectSubscriptions(of: letters, "^--!")
      m.expectSubscriptions(of: inner, "  -^-!")
    }
  }

  @Test("Law 2: what a handler sends comes after the value that is being handled, and counts if nothing runs then")
  func sendingInside() {
    let outer = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = outer.signal.exhaustMap { .just($0) }.handle { if $0 < 3 { outer.send($0 + 1) } }.log(to: log)
    outer.send(1)
    #expect(log.values == [1, 2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("an endless source and an endless inner signal are read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(Signal.sequence(1...).exhaustMap { .just($0) }.prefix(3), "{123|}")
      m.expect(Signal.just(1).exhaustMap { .sequence($0...) }.prefix(3), "{123|}")
    }
  }
}
