import Probes
import SignalTesting
import Signals
import Testing

/// Delivers values last, when the signal has finished.
@Suite("append")
struct AppendTests {
  @Test("the values come where the signal finishes, in order, and then the end")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      m.expect(
        letters.signal.append("1", "2"), "  -a-b-(12|)")
      m.expectSubscriptions(of: letters, "^----!")
    }
  }

  @Test("a sequence, and a row of calls, which is read from its beginning")
  func sequences() {
    marbles { m in
      let digits = m.hot("                                   -8-9-|", of: Int.self)
      m.expect(digits.signal.append(1...3), "                -8-9-(123|)")
      m.expect(digits.signal.append(contentsOf: [1, 2, 3]), "-8-9-(123|)")
      m.expect(digits.signal.append(1).append(2).append(3), "-8-9-(123|)")
      m.expect(digits.signal.prepend(7).append(1), "         {7}-8-9-(1|)")
    }
  }

  @Test("a sequence that is itself a value is that one value")
  func sequenceAsValue() {
    let log = EventLog<[Int]>()
    let subscription = Signal.just([1]).append([2, 3]).log(to: log)
    #expect(log.events == [.value([1]), .value([2, 3]), .finished])
    #expect(subscription.isDisposed)
  }

  @Test("no values: nothing is added")
  func none() {
    marbles { m in
      let digits = m.hot("                            -8-9-|", of: Int.self)
      m.expect(digits.signal.append(contentsOf: []), "-8-9-|")
      m.expect(digits.signal.append(), "              -8-9-|")
    }
  }

  @Test("each subscription gets them anew")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let result = letters.signal.append("1")
      m.expect(result, "   -a-b-(1|)")
      m.expect(result, "   ---b-(1|)", subscription: "--^")
    }
  }

  @Test("after values inside subscribe, after only the end; not after a failure, and not without an end")
  func ends() {
    marbles { m in
      let atOnce = m.cold("                {ab|}")
      m.expect(atOnce.signal.append("1"), "{ab1|}")

      let empty = m.cold("                {|}")
      m.expect(empty.signal.append("1"), "{1|}")

      let failing = m.cold("                -a#", error: Failure(number: 1))
      m.expect(failing.signal.append("1"), "-a#", error: Failure(number: 1))

      let never = m.hot("                 ----")
      m.expect(never.signal.append("1"), "----")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      m.expect(letters.signal.append("1"), "-a----", subscription: "^-!")
      m.expectSubscriptions(of: letters, "^-!")
    }
  }

  @Test("Law 7: who disposes at one of the values gets neither another one nor the end")
  func disposalInside() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    kept.value = emitter.signal.append(7, 8, 9).subscribeToEvents { event in
      log.append(event)
      if event == .value(8) { kept.value?.dispose() }
    }
    emitter.finish()
    #expect(log.events == [.value(7), .value(8)])
  }

  @Test("Law 11: what a closure below throws over one of them is the failure, and no further one comes")
  func throwing() {
    marbles { m in
      let letters = m.hot("-a-|")
      let result = letters.signal.append("1", "2", "3").map { text in
        if text == "2" { throw Failure() }
        return text
      }
      m.expect(result, "   -a-(1#)", error: Failure())
    }
  }

  @Test("endless values are read as far as somebody takes them, not further")
  func endless() {
    let read = Box(0)
    marbles { m in
      let digits = m.hot("-8|", of: Int.self)
      m.expect(
        digits.signal.append(contentsOf: CountedSequence(read: read)).prefix(3),
        "                 -8(12|)")
    }
    #expect(read.value == 2)
  }

  @Test("a long row of calls needs no deep stack")
  func longRow() {
    let count = 100_000
    var signal = Signal.just(0)
    for number in 1...count { signal = signal.append(number) }
    let last = EventLog<Int>()
    let subscription = signal.filter { $0 == count }.log(to: last)
    #expect(last.events == [.value(count), .finished])
    #expect(subscription.isDisposed)
  }

  @Test("Law 2: what a handler sends into the ended source is lost; the values come")
  func reentrant() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.append(7, 8).handle { _ in emitter.send(5) }.log(to: log)
    emitter.finish()
    #expect(log.events == [.value(7), .value(8), .finished])
    #expect(subscription.isDisposed)
  }
}
