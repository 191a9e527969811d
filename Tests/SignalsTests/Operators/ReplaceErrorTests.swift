import Probes
import SignalTesting
import Signals
import Testing

/// Delivers a value in place of a failure.
@Suite("replaceError(with:)")
struct ReplaceErrorTests {
  @Test("values and the end pass unchanged; in place of a failure the value comes, and the end")
  func values() {
    marbles { m in
      let letters = m.hot("                             -a-b-|")
      m.expect(letters.signal.replaceError(with: "z"), "-a-b-|")
      let failing = m.hot("                             -a-#", error: Failure(number: 1))
      m.expect(failing.signal.replaceError(with: "z"), "-a-(z|)")
      m.expectSubscriptions(of: failing, "              ^--!")
      let atOnce = m.cold("                             {a#}", error: Failure(number: 1))
      m.expect(atOnce.signal.replaceError(with: "z"), " {az|}")
      let never = m.hot("                               ---")
      m.expect(never.signal.replaceError(with: "z"), "  ---")
      let empty = m.hot("                               --|")
      m.expect(empty.signal.replaceError(with: "z"), "  --|")
    }
  }

  @Test("an error of what is below is not replaced, not even one about the value itself")
  func below() {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let result = letters.signal.replaceError(with: "z").handle { if $0 == "b" { throw Failure(number: 5) } }
      m.expect(result, "   -a-#", error: Failure(number: 5))
      let failing = m.hot("-a-#", error: Failure(number: 1))
      let second = failing.signal.replaceError(with: "z").handle { if $0 == "z" { throw Failure(number: 6) } }
      m.expect(second, "   -a-#", error: Failure(number: 6))
    }
  }

  @Test("Law 7: a handler that disposes at the value hears of no end; an early disposal leaves the source")
  func disposal() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = emitter.signal.replaceError(with: 7).subscribeToEvents { event in
      log.append(event)
      subscription.value?.dispose()
    }
    emitter.fail(Failure())
    #expect(log.events == [.value(7)])

    marbles { m in
      let letters = m.hot("                             -a-#")
      m.expect(letters.signal.replaceError(with: "z"), "-a--", subscription: "^-!")
      m.expectSubscriptions(of: letters, "              ^-!")
    }
  }
}
