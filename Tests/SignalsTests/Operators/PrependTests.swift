import Probes
import SignalTesting
import Signals
import Testing

/// Delivers values first, when a subscription begins, and then everything else.
@Suite("prepend")
struct PrependTests {
  @Test("the values come inside subscribe, in order; then everything else at its own moment")
  func values() {
    marbles { m in
      let letters = m.hot("                   -a-b-|")
      m.expect(
        letters.signal.prepend("1", "2"),
        "                                 {12}-a-b-|")
      m.expectSubscriptions(of: letters, "    ^----!")
    }
  }

  @Test("a sequence, and a row of calls, which is read from its end")
  func sequences() {
    marbles { m in
      let digits = m.hot("                         -8-9-|", of: Int.self)
      m.expect(digits.signal.prepend(1...3), "{123}-8-9-|")
      m.expect(
        digits.signal.prepend(contentsOf: [1, 2, 3]),
        "                                     {123}-8-9-|")
      m.expect(
        digits.signal.prepend(3).prepend(2).prepend(1),
        "                                     {123}-8-9-|")
    }
  }

  @Test("no values: nothing is added")
  func none() {
    marbles { m in
      let digits = m.hot("               -8-9-|", of: Int.self)
      m.expect(
        digits.signal.prepend(contentsOf: []),
        "                                -8-9-|")
      m.expect(digits.signal.prepend(), "-8-9-|")
    }
  }

  @Test("each subscription gets them anew, whenever it comes")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      let result = letters.signal.prepend("1")
      m.expect(result, "   {1}-a-b-c-|")
      m.expect(result, "   --1b-c-|", subscription: "--^")
    }
  }

  @Test("before values inside subscribe, before the end, before a failure, and before nothing")
  func ends() {
    marbles { m in
      let atOnce = m.cold("                 {ab|}")
      m.expect(atOnce.signal.prepend("1"), "{1ab|}")

      let empty = m.cold("                 {|}")
      m.expect(empty.signal.prepend("1"), "{1|}")

      let failing = m.cold("                 {#}", error: Failure(number: 1))
      m.expect(failing.signal.prepend("1"), "{1#}", error: Failure(number: 1))

      let never = m.hot("                  ----")
      m.expect(never.signal.prepend("1"), "{1}----")
      m.expectSubscriptions(of: never, "   ^")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("                     -a-b-c-|")
      m.expect(letters.signal.prepend("1"), "{1}-a-b----", subscription: "   ^---!")
      m.expectSubscriptions(of: letters, "      ^---!")
    }
  }

  @Test("Law 9: one who has enough with the values gets no other, and nobody subscribes to the source")
  func enough() {
    marbles { m in
      let letters = m.hot("-a-|")
      m.expect(
        letters.signal.prepend("3").prepend("2").prepend("1").prefix(2),
        "                  {12|}")
      m.expectNoSubscriptions(of: letters)
    }
  }

  @Test("Law 11: what a closure below throws over one of them is the failure, and nobody subscribes to the source")
  func throwing() {
    marbles { m in
      let letters = m.hot("-a-|")
      let result = letters.signal.prepend("1", "2", "3").map { digit in
        if digit == "2" { throw Failure() }
        return digit
      }
      m.expect(result, "   {1#}", error: Failure())
      m.expectNoSubscriptions(of: letters)
    }
  }

  @Test("endless values are read as far as somebody takes them, not further")
  func endless() {
    let read = Box(0)
    marbles { m in
      let digits = m.hot("-8-|", of: Int.self)
      m.expect(
        digits.signal.prepend(contentsOf: CountedSequence(read: read)).prefix(3),
        "                 {123|}")
      m.expectNoSubscriptions(of: digits)
    }
    #expect(read.value == 3)
  }
}
