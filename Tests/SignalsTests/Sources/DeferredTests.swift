import Probes
import SignalTesting
import Signals
import Testing

/// Asks a closure for the signal anew for each subscription.
@Suite("deferred")
struct DeferredTests {
  @Test("the closure is called when somebody subscribes, and its signal is subscribed to at that moment")
  func values() {
    let count = Box(0)
    marbles { m in
      let letters = m.cold("-a-b-|")
      let deferred = Signal.deferred {
        count.value += 1
        return letters.signal
      }
      m.expect(deferred, "  -a-b-|")
      m.expect(deferred, "  ------a-b-|", subscription: "-----^")
      #expect(count.value == 0)
      m.expectSubscriptions(
        of: letters,
        "                   ^----!",
        "                   -----^----!")
    }
    #expect(count.value == 2)
  }

  @Test("each subscription may get another signal")
  func another() {
    marbles { m in
      let left = Box(["b", "a"])
      let deferred = Signal.deferred { .just(left.withLock { $0.removeLast() }) }
      m.expect(deferred, "{a|}")
      m.expect(deferred, "---(b|)", subscription: "---^")
    }
  }

  @Test("values inside subscribe, only the end, a failure, and nothing")
  func ends() {
    marbles { m in
      let atOnce = m.cold("                  {ab}-c|")
      m.expect(.deferred { atOnce.signal }, "{ab}-c|")

      let empty = m.cold("                  {|}")
      m.expect(.deferred { empty.signal }, "{|}")

      let failing = m.cold("                  -#", error: Failure(number: 1))
      m.expect(.deferred { failing.signal }, "-#", error: Failure(number: 1))

      let never = m.cold("                  ----")
      m.expect(.deferred { never.signal }, "----")
    }
  }

  @Test("Law 11: what the closure throws is the failure, inside subscribe")
  func throwing() {
    marbles { m in
      m.expect(
        Signal<String>.deferred { throw Failure(number: 2) },
        "{#}", error: Failure(number: 2))
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the signal is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.cold("                  -a-b-|")
      m.expect(.deferred { letters.signal }, "-a------", subscription: "^--!")
      m.expectSubscriptions(of: letters, "    ^--!")
    }
  }

  @Test("an endless signal is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.deferred { .sequence(1...) }.prefix(3),
        "{123|}")
    }
  }
}
