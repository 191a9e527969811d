import Probes
import SignalTesting
import Signals
import Testing

/// Delivers each value, makes a signal of it, and does the same with every value of that signal.
@Suite("expand")
struct ExpandTests {
  @Test("each value begins a signal whose values do the same; it finishes after all")
  func values() {
    marbles { m in
      let source = m.hot("               -1--|", of: Int.self)
      let step = m.cold("                 --x|")
      let result = source.signal.expand { number in number < 8 ? step.signal.map { _ in number * 2 } : .empty() }
      m.expect(result, "                 -1-2-4-8|")
      m.expectSubscriptions(of: source, "^---!")
      m.expectSubscriptions(of: step, "  -^--!", "---^--!", "-----^--!")
    }
  }

  @Test("several at a time run beside each other")
  func besideEachOther() {
    marbles { m in
      let source = m.hot("-1-5|", of: Int.self)
      let step = m.cold("  --x|")
      let result = source.signal.expand { number in
        [1, 5].contains(number) ? step.signal.map { _ in number + 1 } : .empty()
      }
      m.expect(result, "  -1-(52)-6|")
    }
  }

  @Test(
    "with maxConcurrent 1, or less, a value is delivered and begins its signal in its turn", arguments: [1, 0, Int.min])
  func oneByOne(maxConcurrent: Int) {
    marbles { m in
      let source = m.hot("-1-5---------|", of: Int.self)
      let step = m.cold("  ---x|")
      let result = source.signal.expand(maxConcurrent: maxConcurrent) { number in
        [1, 5].contains(number) ? step.signal.map { _ in number + 1 } : .empty()
      }
      // 5 waits until the signal of 1 has finished, and 2 waits behind it.
      m.expect(result, "  -1---5---(26)---|")
    }
  }

  @Test("what is found at once comes level by level")
  func levels() {
    let log = EventLog<Int>()
    Signal.just(1).expand { $0 < 8 ? .sequence([2 * $0, 2 * $0 + 1]) : .empty() }.log(to: log).dispose()
    #expect(log.values == Array(1...15))
    #expect(log.ends == [.finished])
  }

  @Test("a recursion that is found at once needs no stack", arguments: [true, false])
  func deep(isJust: Bool) {
    let count = Box(0)
    let log = EventLog<Int>()
    Signal.just(0)
      .expand { $0 == 100_000 ? .empty() : isJust ? .just($0 + 1) : .sequence([$0 + 1]) }
      .handle { _ in count.withLock { $0 += 1 } }
      .filter { $0 == 100_000 }
      .log(to: log).dispose()
    #expect(count.value == 100_001)
    #expect(log.events == [.value(100_000), .finished])
  }

  @Test("and so does one that waits for its turn, and one that comes later")
  func deepLater() {
    let start = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = start.signal.expand(maxConcurrent: 1) { $0 == 50_000 ? .empty() : .sequence([$0 + 1]) }
      .filter { $0 == 50_000 }.log(to: log)
    start.send(0)
    start.finish()
    #expect(log.events == [.value(50_000), .finished])
    withExtendedLifetime(subscription) {}
  }

  @Test("an endless signal, at either level, is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(Signal.sequence(1...).expand { _ in .empty() }.prefix(3), "{123|}")
      m.expect(Signal.just(1).expand { .just($0 + 1) }.prefix(3), "{123|}")
      m.expect(Signal.just(1).expand { _ in .sequence(2...) }.prefix(3), "{123|}")
    }
  }

  @Test("Law 9: the first failure of any of them; all others are left")
  func failure() {
    marbles { m in
      let source = m.hot("               -1----|", of: Int.self)
      let failing = m.cold("              --#", of: Int.self, error: Failure(number: 1))
      m.expect(source.signal.expand { _ in failing.signal }, "-1-#", error: Failure(number: 1))
      m.expectSubscriptions(of: source, "^--!")

      let outer = m.hot("               -1-#", of: Int.self, error: Failure(number: 2))
      let open = m.cold("                ----7|", of: Int.self)
      m.expect(outer.signal.expand { _ in open.signal }, "-1-#", error: Failure(number: 2))
      m.expectSubscriptions(of: open, "  -^-!")
    }
  }

  @Test("Law 11: what the closure throws is the failure, after the value")
  func throwing() {
    marbles { m in
      let source = m.hot("-1----|", of: Int.self)
      m.expect(source.signal.expand { _ in throw Failure() }, "-(1#)", error: Failure())
    }
  }

  @Test("nothing, and only the end")
  func nothing() {
    marbles { m in
      m.expect(Signal<Int>.never().expand { .just($0) }, "---")
      m.expect(Signal<Int>.empty().expand { .just($0) }, "{|}")
      m.expect(Signal.just(1).expand { _ in .never() }, " {1}--")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and nothing more begins")
  func disposal() {
    marbles { m in
      let source = m.hot("-1----|", of: Int.self)
      let step = m.cold("  --2--|", of: Int.self)
      m.expect(source.signal.expand { _ in step.signal }, "-1-2----", subscription: "^---!")
      m.expectSubscriptions(of: source, "^---!")
      m.expectSubscriptions(of: step, "-^--!", "---^!")
    }
  }

  @Test("Law 7: a handler that disposes lets no further signal begin")
  func disposedInside() {
    let source = Emitter<Int>()
    let made = Journal<Int>()
    let kept = Box<Subscription?>(nil)
    kept.value = source.signal.expand { value in
      made.append(value)
      return .sequence([value + 1, value + 2])
    }.subscribe { if $0 == 3 { kept.value?.dispose() } }
    source.send(1)
    #expect(made.entries == [1])
    #expect(source.subscriberCount == 0)
  }

  @Test("Law 2: what a handler sends comes after what is being found")
  func sendingInside() {
    let source = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = source.signal.expand { $0 % 10 < 2 ? .just($0 + 1) : .empty() }
      .handle { if $0 == 1 { source.send(11) } }.log(to: log)
    source.send(1)
    #expect(log.values == [1, 2, 11, 12])
    withExtendedLifetime(subscription) {}
  }
}
