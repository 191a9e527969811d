import Probes
import SignalTesting
import Signals
import Testing

/// Delivers a value and then rests until a signal that was made for it says so.
@Suite("throttle(by:)")
struct ThrottleByTests {
  @Test("the first value of a rest; the rest ends with the first value of the signal, which is left")
  func leading() {
    marbles { m in
      let letters = m.hot("                                    -ab--cd--e---|")
      let other = m.cold("                                      ---xy")
      m.expect(letters.signal.throttle(by: { _ in other.signal }), "-a---c---e---|")
      m.expectSubscriptions(of: letters, "                     ^------------!")
      m.expectSubscriptions(
        of: other,
        "                                                       -^--!",
        "                                                       -----^--!",
        "                                                       ---------^--!")
    }
  }

  @Test("the last value of a rest comes at its end, and begins another one")
  func trailing() {
    marbles { m in
      let letters = m.hot("-ab------cd--e------|")
      let other = m.cold("  ---x")
      m.expect(
        letters.signal.throttle(edges: .trailing, by: { _ in other.signal }),
        "                  ----b-------d--e----|")
      m.expect(
        letters.signal.throttle(edges: [.leading, .trailing], by: { _ in other.signal }),
        "                  -a--b----c--d--e----|")
      m.expect(letters.signal.throttle(edges: [], by: { _ in other.signal }), "--------------------|")
    }
  }

  @Test("the closure gets the value with which the rest begins")
  func own() {
    marbles { m in
      let letters = m.hot("-ab--bc----|")
      let (short, long) = (m.cold("-x"), m.cold("---x"))
      m.expect(
        letters.signal.throttle(
          edges: [.leading, .trailing], by: { letter in letter == "b" ? short.signal : long.signal }),
        "                  -a--bbc----|")
    }
  }

  @Test("Law 16: the end waits for the rest where a value is waiting, and only there")
  func finishing() {
    marbles { m in
      let letters = m.hot("-ab|")
      let other = m.cold(" ---x")
      m.expect(letters.signal.throttle(by: { _ in other.signal }), "-a-|")
      m.expect(letters.signal.throttle(edges: .trailing, by: { _ in other.signal }), "----(b|)")
      m.expectSubscriptions(of: other, "-^-!", "-^--!")
    }
  }

  @Test("a signal that finishes without a value ends the rest: the value that waits is dropped")
  func withoutValue() {
    marbles { m in
      let letters = m.hot("-ab---c|")
      let other = m.cold(" --|")
      m.expect(letters.signal.throttle(edges: [.leading, .trailing], by: { _ in other.signal }), "-a----c|")
      let ending = m.hot(" -ab|")
      let later = m.cold(" ----|")
      m.expect(ending.signal.throttle(edges: [.leading, .trailing], by: { _ in later.signal }), "-a---|")
    }
  }

  @Test("a failure of either passes at once, and the value that waits does not")
  func failure() {
    marbles { m in
      let failing = m.hot("-ab#", error: Failure(number: 1))
      let never = m.cold("----")
      m.expect(
        failing.signal.throttle(edges: .trailing, by: { _ in never.signal }), "---#", error: Failure(number: 1))
      let letters = m.hot("-ab----")
      let other = m.cold("--#", error: Failure(number: 2))
      m.expect(
        letters.signal.throttle(edges: [.leading, .trailing], by: { _ in other.signal }), "-a-#",
        error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("Law 11: what the closure throws is the failure, in place of the value")
  func throwing() {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let result = letters.signal.throttle(by: { letter in
        if letter == "b" { throw Failure(number: 3) }
        return .just(letter)
      })
      m.expect(result, "   -a-#", error: Failure(number: 3))
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("nothing, and only the end")
  func few() {
    marbles { m in
      let (never, empty) = (m.hot("---"), m.hot("--|"))
      m.expect(never.signal.throttle(by: { _ in Signal<Int>.never() }), "---")
      m.expect(empty.signal.throttle(by: { _ in Signal<Int>.never() }), "--|")
    }
  }

  @Test("Law 9: of a signal that delivers without end inside subscribe, one value is taken", arguments: [false, true])
  func endless(isTrailing: Bool) {
    let taken = Box(0)
    let log = EventLog<Int>()
    let numbers = Emitter<Int>()
    let endless = Signal.sequence(sequence(first: 0) { $0 + 1 }).handle { _ in taken.withLock { $0 += 1 } }
    let subscription = numbers.signal.throttle(edges: isTrailing ? .trailing : .leading, by: { _ in endless })
      .log(to: log)
    for number in 1...3 { numbers.send(number) }
    #expect(log.events == [.value(1), .value(2), .value(3)])
    // A value of a trailing edge begins a rest of its own.
    #expect(taken.value == (isTrailing ? 6 : 3))
    subscription.dispose()
  }

  @Test("Law 7: after an early disposal nothing comes; both are left")
  func disposal() {
    marbles { m in
      let letters = m.hot("-ab--c-|")
      let other = m.cold("---x")
      m.expect(
        letters.signal.throttle(edges: .trailing, by: { _ in other.signal }),
        "                  ----b---", subscription: "^----!")
      m.expectSubscriptions(of: letters, "^----!")
      m.expectSubscriptions(of: other, "-^--!", "----^!")
    }
    let numbers = Emitter<Int>()
    let made = Box(0)
    let bag = DisposeBag()
    numbers.signal.throttle(by: { _ in
      made.withLock { $0 += 1 }
      return Signal<Int>.never()
    }).subscribe { _ in bag.dispose() }.store(in: bag)
    numbers.send(1)
    #expect(made.value == 1 && numbers.subscriberCount == 0)
  }

  @Test("Law 2: what a handler sends comes after the value that is being handled, and falls into its rest")
  func nested() {
    let (numbers, ends) = (Emitter<Int>(), Emitter<Void>())
    let log = EventLog<Int>()
    let subscription = numbers.signal.throttle(edges: [.leading, .trailing], by: { _ in ends.signal })
      .handle { if $0 < 3 { numbers.send($0 + 1) } }.log(to: log)
    numbers.send(1)
    #expect(log.events == [.value(1)])
    ends.send()
    #expect(log.events == [.value(1), .value(2)])
    ends.send()
    #expect(log.events == [.value(1), .value(2), .value(3)])
    subscription.dispose()
    #expect(ends.subscriberCount == 0)
  }
}
