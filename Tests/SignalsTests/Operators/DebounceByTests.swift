import Probes
import SignalTesting
import Signals
import Testing

/// Delivers a value once a signal that was made for it says so, unless another value comes before that.
@Suite("debounce(by:)")
struct DebounceByTests {
  @Test("a value waits for the first value of its signal; a newer value leaves that signal and takes its place")
  func values() {
    marbles { m in
      let letters = m.hot("                                    -a----bc----d---|")
      let other = m.cold("                                      ---xy")
      m.expect(letters.signal.debounce(by: { _ in other.signal }), "----a-----c----d|")
      m.expectSubscriptions(of: letters, "                     ^---------------!")
      m.expectSubscriptions(
        of: other,
        "                                                       -^--!",
        "                                                       ------^!",
        "                                                       -------^--!",
        "                                                       ------------^--!")
    }
  }

  @Test("each value has a signal of its own")
  func own() {
    marbles { m in
      let letters = m.hot("-a---b---|")
      let (short, long) = (m.cold("-x"), m.cold("---x"))
      m.expect(
        letters.signal.debounce(by: { letter in letter == "a" ? long.signal : short.signal }),
        "                  ----a-b--|")
    }
  }

  @Test("Law 16: the end brings the value that waits with it, and leaves the other signal")
  func finishing() {
    marbles { m in
      let letters = m.hot("                                     -a-b|")
      let other = m.cold("                                       ----")
      m.expect(letters.signal.debounce(by: { _ in other.signal }), "----(b|)")
      m.expectSubscriptions(of: other, "                        -^-!", "---^!")
    }
  }

  @Test("a signal that finishes without a value changes nothing: the value goes on waiting")
  func withoutValue() {
    marbles { m in
      let letters = m.hot("                                     -a-----b---|")
      let other = m.cold("                                       --|")
      m.expect(letters.signal.debounce(by: { _ in other.signal }), "-----------(b|)")
      m.expectSubscriptions(of: other, "                        -^-!", "-------^-!")
    }
  }

  @Test("a failure of either passes at once, and the value that waits does not")
  func failure() {
    marbles { m in
      let failing = m.hot("                                     -a-#", error: Failure(number: 1))
      let never = m.cold("                                       ----")
      m.expect(failing.signal.debounce(by: { _ in never.signal }), "---#", error: Failure(number: 1))

      let letters = m.hot("                                       -a-------")
      let other = m.cold("                                           --#", error: Failure(number: 2))
      m.expect(letters.signal.debounce(by: { _ in other.signal }), "  ---#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "                          ^--!")
    }
  }

  @Test("Law 11: what the closure throws is the failure")
  func throwing() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      let result = letters.signal.debounce(by: { letter in
        if letter == "b" { throw Failure(number: 3) }
        return .just(letter)
      })
      m.expect(result, "                  -a-#", error: Failure(number: 3))
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("nothing, and only the end")
  func few() {
    marbles { m in
      let (never, empty) = (m.hot("---"), m.hot("--|"))
      m.expect(never.signal.debounce(by: { _ in Signal<Int>.never() }), "---")
      m.expect(empty.signal.debounce(by: { _ in Signal<Int>.never() }), "--|")
    }
  }

  @Test("Law 9: of a signal that delivers without end inside subscribe, one value is taken")
  func endless() {
    let taken = Box(0)
    let log = EventLog<Int>()
    let numbers = Emitter<Int>()
    let endless = Signal.sequence(sequence(first: 0) { $0 + 1 }).handle { _ in taken.withLock { $0 += 1 } }
    let subscription = numbers.signal.debounce(by: { _ in endless }).log(to: log)
    for number in 1...3 { numbers.send(number) }
    #expect(log.events == [.value(1), .value(2), .value(3)])
    #expect(taken.value == 3)
    subscription.dispose()
  }

  @Test("Law 7: after an early disposal nothing comes; both are left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("                                          -a---b-|")
      let other = m.cold("                                            --x")
      m.expect(letters.signal.debounce(by: { _ in other.signal }), "     ---a-----", subscription: "^-----!")
      m.expectSubscriptions(of: letters, "                           ^-----!")
      m.expectSubscriptions(of: other, "                             -^-!", "-----^!")
    }
  }

  @Test("Law 7: a handler that disposes at the value that comes with the end gets no end")
  func disposalAtEnd() {
    let numbers = Emitter<Int>()
    let log = EventLog<Int>()
    let bag = DisposeBag()
    numbers.signal.debounce(by: { _ in Signal<Int>.never() }).subscribeToEvents { event in
      log.append(event)
      bag.dispose()
    }.store(in: bag)
    numbers.send(1)
    numbers.finish()
    #expect(log.events == [.value(1)])
  }

  @Test("Law 2: what a handler sends comes after the value that is being handled")
  func nested() {
    let numbers = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = numbers.signal.debounce(by: { .just($0) }).handle { if $0 < 3 { numbers.send($0 + 1) } }.log(
      to: log)
    numbers.send(1)
    #expect(log.events == [.value(1), .value(2), .value(3)])
    subscription.dispose()
  }
}
