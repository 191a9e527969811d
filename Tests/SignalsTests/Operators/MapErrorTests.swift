import Probes
import SignalTesting
import Signals
import Testing

/// Makes another failure of each failure.
@Suite("mapError")
struct MapErrorTests {
  private func mapped(_ signal: Signal<String>) -> Signal<String> {
    signal.mapError { error in Failure(number: ((error as? Failure)?.number ?? 0) + 10) }
  }

  @Test("values and the end pass unchanged; a failure becomes another one")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      m.expect(mapped(letters.signal), "  -a-b-|")
      m.expectSubscriptions(of: letters, "^----!")
      let failing = m.hot("               -a-#", error: Failure(number: 1))
      m.expect(mapped(failing.signal), "  -a-#", error: Failure(number: 11))
      let atOnce = m.cold("               {ab#}", error: Failure(number: 2))
      m.expect(mapped(atOnce.signal), "   {ab#}", error: Failure(number: 12))
      let never = m.hot("                 ---")
      m.expect(mapped(never.signal), "    ---")
    }
  }

  @Test("Law 11: what the closure throws is the failure too")
  func throwing() {
    marbles { m in
      let failing = m.hot("-a-#", error: Failure(number: 1))
      m.expect(
        failing.signal.mapError { _ in throw Failure(number: 3) },
        "                  -a-#", error: Failure(number: 3))
    }
  }

  @Test("an error of what is below is not changed, and the source is left")
  func below() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      let result = mapped(letters.signal).handle { if $0 == "b" { throw Failure(number: 5) } }
      m.expect(result, "                  -a-#", error: Failure(number: 5))
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes; a closure that disposes leaves no failure to be told")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-#")
      m.expect(mapped(letters.signal), "  -a--", subscription: "^-!")
      m.expectSubscriptions(of: letters, "^-!")
    }
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = emitter.signal.mapError { error in
      subscription.value?.dispose()
      return error
    }.log(to: log)
    emitter.fail(Failure())
    #expect(log.events == [])
  }
}
