import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the last values, at the end.
@Suite("suffix")
struct SuffixTests {
  @Test("the last values come with the end, in their order")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-c--|")
      m.expect(letters.signal.suffix(2), "--------(bc|)")
      m.expectSubscriptions(of: letters, "^-------!")
    }
  }

  @Test("fewer than asked for: all", arguments: [4, Int.max])
  func few(count: Int) {
    marbles { m in
      let letters = m.hot("                   -a-b-c|")
      m.expect(letters.signal.suffix(count), "------(abc|)")
    }
  }

  @Test("a count of 0 or less: only the end", arguments: [0, -1, Int.min])
  func none(count: Int) {
    marbles { m in
      let letters = m.hot("                   -a-b-c|")
      m.expect(letters.signal.suffix(count), "------|")
      m.expectSubscriptions(of: letters, "    ^-----!")
    }
  }

  @Test("a failure comes alone; only the end, or nothing")
  func ends() {
    marbles { m in
      let failing = m.hot("               -a-#", error: Failure(number: 1))
      m.expect(failing.signal.suffix(2), "---#", error: Failure(number: 1))
      let empty = m.hot("               --|")
      m.expect(empty.signal.suffix(2), "--|")
      let never = m.hot("               -a-")
      m.expect(never.signal.suffix(2), "---")
    }
  }

  @Test("of values inside subscribe")
  func atOnce() {
    marbles { m in
      m.expect(Signal.sequence(["a", "b", "c"]).suffix(2), "{bc|}")
    }
  }

  @Test("Law 7: a handler that disposes in the middle of the last values gets no further one, and no end")
  func disposal() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = emitter.signal.suffix(3).subscribeToEvents { event in
      log.append(event)
      if event == .value(2) { subscription.value?.dispose() }
    }
    for value in 1...3 { emitter.send(value) }
    emitter.finish()
    #expect(log.events == [.value(1), .value(2)])
  }

  @Test("a handler that throws in the middle of them fails the result")
  func throwing() {
    marbles { m in
      let letters = m.hot("-a-b-c|")
      let result = letters.signal.suffix(3).handle { if $0 == "b" { throw Failure(number: 2) } }
      m.expect(result, "------(a#)", error: Failure(number: 2))
    }
  }

  @Test("no more values are kept than are wanted")
  func memory() {
    let lives = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let subscription = emitter.signal.suffix(2).subscribe { _ in }
    for _ in 0..<5 { emitter.send(lives.token()) }
    #expect(lives.alive == 2)
    subscription.dispose()
    #expect(lives.alive == 0)
  }
}
