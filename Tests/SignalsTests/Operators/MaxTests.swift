import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the largest value at the end.
@Suite("max")
struct MaxTests {
  @Test("the largest value comes at the end, by its own order or by another")
  func values() {
    marbles { m in
      let digits = m.hot("                       -3-1-4-|", of: Int.self)
      m.expect(digits.signal.max(), "            -------(4|)")
      m.expect(digits.signal.max(by: isBefore), "-------(4|)")
      m.expect(digits.signal.max { $0 > $1 }, "  -------(1|)")
      m.expectSubscriptions(of: digits, "^------!", "^------!", "^------!")

      let atOnce = m.cold("          {314|}", of: Int.self)
      m.expect(atOnce.signal.max(), "{4|}")
    }
  }

  @Test("of values that are equal by the order, the first one comes")
  func first() {
    marbles { m in
      let letters = m.hot("                           -a-b-c-|")
      m.expect(letters.signal.max { _, _ in false }, "-------(a|)")
    }
  }

  @Test("without a value nothing comes but the end; without an end, and after a failure, nothing either")
  func nothing() {
    marbles { m in
      let empty = m.hot("                       --|", of: Int.self)
      m.expect(empty.signal.max(), "            --|")
      m.expect(empty.signal.max(by: isBefore), "--|")

      let never = m.hot("           -1--", of: Int.self)
      m.expect(never.signal.max(), "----")

      let failing = m.hot("                       -1-#", of: Int.self, error: Failure(number: 1))
      m.expect(failing.signal.max(), "            ---#", error: Failure(number: 1))
      m.expect(failing.signal.max(by: isBefore), "---#", error: Failure(number: 1))
    }
  }

  @Test("one value needs no comparison; each subscription looks for itself")
  func subscriptions() {
    marbles { m in
      let digits = m.hot("-9-8-7-|", of: Int.self)
      let result = digits.signal.max()
      m.expect(result, "  -------(9|)")
      m.expect(result, "  -------(8|)", subscription: "--^")

      let one = m.hot("                       -0|", of: Int.self)
      m.expect(one.signal.max(by: isBefore), "--(0|)")
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let digits = m.hot("                       -1-0-3-|", of: Int.self)
      m.expect(digits.signal.max(by: isBefore), "---#", error: Failure())
      m.expectSubscriptions(of: digits, "        ^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let digits = m.hot("               -1-2-3-|", of: Int.self)
      m.expect(digits.signal.max(), " --------", subscription: "^---!")
      m.expectSubscriptions(of: digits, "^---!")
    }
  }

  @Test(
    "Laws 2 and 7: a value that is sent inside the closure counts; who disposes at the result is not told of the end")
  func reentrant() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    let result = emitter.signal.max { first, second in
      if first + second == 9 { emitter.send(8) }
      return first < second
    }
    kept.value = result.subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    emitter.send(4)
    emitter.send(5)
    emitter.finish()
    #expect(log.events == [.value(8)])
  }
}

/// Throws where one is 0.
private func isBefore(_ first: Int, _ second: Int) throws -> Bool {
  if first == 0 || second == 0 { throw Failure() }
  return first < second
}
