import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the elements of a sequence, at once, and finishes.
@Suite("sequence")
struct SequenceTests {
  @Test("the elements in order and the end, inside subscribe, for each subscriber")
  func values() {
    marbles { m in
      let digits = Signal.sequence([1, 2, 3])
      m.expect(digits, "{123|}")
      m.expect(digits, "---(123|)", subscription: "---^")
    }
  }

  @Test("any sequence: none, one, a range, a set of characters")
  func kinds() {
    marbles { m in
      m.expect(Signal<Int>.sequence([]), "{|}")
      m.expect(
        Signal.sequence(CollectionOfOne(1)),
        "                                 {1|}")
      m.expect(Signal.sequence(1..<4), "  {123|}")
      m.expect(
        Signal.sequence("abc").map { String($0) },
        "                                 {abc|}")
    }
  }

  @Test("Law 9: an endless sequence is read as far as somebody takes values, not further")
  func endless() {
    let read = Box(0)
    marbles { m in
      m.expect(
        Signal.sequence(CountedSequence(read: read)).prefix(3),
        "{123|}")
    }
    #expect(read.value == 3)
  }

  @Test("Law 7: a handler that disposes gets no other value, and no end")
  func disposing() {
    let outer = Emitter<Int>()
    let log = EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    kept.value = outer.signal.flatMap { _ in Signal.sequence(1...) }.subscribeToEvents { event in
      log.append(event)
      if event == .value(2) { kept.value?.dispose() }
    }
    outer.send(0)
    #expect(log.events == [.value(1), .value(2)])
    #expect(outer.subscriberCount == 0)
  }

  @Test("Law 11: what a closure below throws is the failure, and no other element is read")
  func throwingBelow() {
    marbles { m in
      let result = Signal.sequence(1...).map { value in
        if value == 3 { throw Failure() }
        return value
      }
      m.expect(result, "{12#}", error: Failure())
    }
  }
}
