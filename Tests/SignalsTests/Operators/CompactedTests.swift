import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the values that are not nil.
@Suite("compacted")
struct CompactedTests {
  @Test("nil is left out; everything else comes unwrapped, at its own moment")
  func values() {
    marbles { m in
      let letters = m.hot("                                 -1-x-3-|")
      m.expect(letters.signal.map { Int($0) }.compacted(), "-1---3-|")
      m.expectSubscriptions(of: letters, "                  ^------!")
    }
  }

  @Test("a nil inside what is unwrapped stays")
  func nested() {
    let emitter = Emitter<Int??>()
    let log = EventLog<Int?>()
    let subscription = emitter.signal.compacted().log(to: log)
    emitter.send(1)
    emitter.send(.some(nil))
    emitter.send(nil)
    #expect(log.events == [.value(1), .value(nil)])
    subscription.dispose()
  }

  @Test("only nil, nothing, only the end, and a failure")
  func ends() {
    marbles { m in
      let none = m.hot("                                 -x-x-|")
      m.expect(none.signal.map { Int($0) }.compacted(), "-----|")

      let never = m.hot("                                 ----")
      m.expect(never.signal.map { Int($0) }.compacted(), "----")

      let empty = m.hot("                                 --|")
      m.expect(empty.signal.map { Int($0) }.compacted(), "--|")

      let failing = m.hot("                                 -x-1#", error: Failure(number: 1))
      m.expect(failing.signal.map { Int($0) }.compacted(), "---1#", error: Failure(number: 1))
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -1-x-3-|")
      m.expect(letters.signal.map { Int($0) }.compacted(), "-1------", subscription: "^--!")
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("a property that may be nil; what a handler sends comes afterwards")
  func property() {
    let name = Property<String?>(nil)
    let seen = Journal<String>()
    let subscription = name.signal.compacted().subscribe { text in
      seen.append(text)
      if text == "tea" { name.value = "milk" }
    }
    name.value = "tea"
    name.value = nil
    #expect(seen.entries == ["tea", "milk"])
    subscription.dispose()
  }
}
