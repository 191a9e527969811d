import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the first values and then finishes.
@Suite("prefix")
struct PrefixTests {
  @Test("Law 9: the last of the values brings the end with it, and the source is left at that moment")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      m.expect(letters.signal.prefix(2), "-a-(b|)")
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("more than there are: the source's own end comes", arguments: [4, Int.max])
  func all(count: Int) {
    marbles { m in
      let letters = m.hot("                   -a-b-c-|")
      m.expect(letters.signal.prefix(count), "-a-b-c-|")
      m.expectSubscriptions(of: letters, "    ^------!")
    }
  }

  @Test(
    "Law 16: with a count of 0 or less it finishes inside subscribe, and nobody subscribes to the source",
    arguments: [0, -1, Int.min])
  func none(count: Int) {
    marbles { m in
      let letters = m.hot("                   -a-b-c-|")
      m.expect(letters.signal.prefix(count), "{|}")
      m.expectNoSubscriptions(of: letters)
    }
  }

  @Test("of several values of one moment, and of those inside subscribe, no more than the count come")
  func sameMoment() {
    marbles { m in
      let together = m.hot("               -(abc)-|")
      m.expect(together.signal.prefix(2), "-(ab|)")
      m.expectSubscriptions(of: together, "^!")

      let atOnce = m.cold("              {abc}-|")
      m.expect(atOnce.signal.prefix(2), "{ab|}")
      m.expectSubscriptions(of: atOnce, "(^!)")
    }
  }

  @Test("nothing, only the end, and a failure before the count is reached")
  func few() {
    marbles { m in
      let never = m.hot("               ----")
      m.expect(never.signal.prefix(2), "----")

      let empty = m.hot("               --|")
      m.expect(empty.signal.prefix(2), "--|")

      let failing = m.hot("               -a-#", error: Failure(number: 1))
      m.expect(failing.signal.prefix(2), "-a-#", error: Failure(number: 1))
    }
  }

  @Test("each subscription counts for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      let result = letters.signal.prefix(2)
      m.expect(result, "   -a-(b|)")
      m.expect(result, "   ---b-(c|)", subscription: "--^")
      m.expectSubscriptions(
        of: letters,
        "                  ^--!",
        "                  --^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      m.expect(letters.signal.prefix(3), "-a------", subscription: "^-!")
      m.expectSubscriptions(of: letters, "^-!")
    }
  }

  @Test("Law 2: what a handler sends while it has the last value does not come")
  func sending() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.prefix(2).handle { emitter.send($0 + 1) }.log(to: log)
    emitter.send(1)
    #expect(log.events == [.value(1), .value(2), .finished])
    #expect(emitter.subscriberCount == 0 && subscription.isDisposed)
  }

  @Test("an endless source is read no further than the count")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).prefix(3),
        "{123|}")
    }
  }
}
