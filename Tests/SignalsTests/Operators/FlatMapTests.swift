import Probes
import SignalGraph
import SignalTesting
import Signals
import Testing

/// Makes a signal of each value and delivers the values of all of them, as they come.
@Suite("flatMap")
struct FlatMapTests {
  @Test("each value begins its signal at its own moment, and all run side by side")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b----|")
      let a = m.cold("                     -1-2-3|")
      let b = m.cold("                       --4-5|")
      let result = letters.signal.flatMap { $0 == "a" ? a.signal : b.signal }
      m.expect(result, "                  --1-2435|")
      m.expectSubscriptions(of: letters, "^-------!")
      m.expectSubscriptions(of: a, "      -^-----!")
      m.expectSubscriptions(of: b, "      ---^----!")
    }
  }

  @Test("Law 16: it finishes when the source and every inner signal have")
  func ends() {
    marbles { m in
      let first = m.hot("               -a|")
      let long = m.cold("                ---1|")
      m.expect(
        first.signal.flatMap { _ in long.signal },
        "                               ----1|")
      m.expectSubscriptions(of: first, "^-!")

      let second = m.hot("-a-----|")
      let short = m.cold(" -1|")
      m.expect(
        second.signal.flatMap { _ in short.signal },
        "                 --1----|")

      let third = m.hot("               -a-|")
      let never = m.cold("               ---")
      m.expect(
        third.signal.flatMap { _ in never.signal },
        "                               ------")
      m.expectSubscriptions(of: never, "-^")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.flatMap { _ in never.signal },
        "                --|")
    }
  }

  @Test("inner signals that deliver at once, in the order of their values")
  func innerAtOnce() {
    marbles { m in
      let digits = m.hot("-1-(34)-|", of: Int.self)
      m.expect(
        digits.signal.flatMap { .just($0) },
        "                 -1-(34)-|")
      m.expect(
        digits.signal.flatMap { .sequence([$0, $0 + 1]) },
        "                 -(12)-(3445)-|")
      m.expect(
        digits.signal.flatMap { _ in Signal<Int>.empty() },
        "                 -----|")

      let atOnce = m.cold("{12|}", of: Int.self)
      m.expect(
        atOnce.signal.flatMap { .sequence([$0, $0 + 1]) },
        "                  {1223|}")
    }
  }

  @Test("Law 9: the first failure of an inner signal is that of all: the source and the other inner signals are left")
  func innerFails() {
    marbles { m in
      let letters = m.hot("               -a-b----|")
      let a = m.cold("                     ---1#", error: Failure(number: 1))
      let b = m.cold("                       ---4|")
      let result = letters.signal.flatMap { $0 == "a" ? a.signal : b.signal }
      m.expect(result, "                  ----1#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^----!")
      m.expectSubscriptions(of: b, "      ---^-!")
    }
  }

  @Test("Law 9: a failure of the source passes at once, and the inner signals are left")
  func outerFails() {
    marbles { m in
      let letters = m.hot("         -a-#", error: Failure(number: 1))
      let a = m.cold("               -1-2|")
      m.expect(
        letters.signal.flatMap { _ in a.signal },
        "                           --1#", error: Failure(number: 1))
      m.expectSubscriptions(of: a, "-^-!")
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure; the source and the inner signals are left")
  func throwing() {
    marbles { m in
      let letters = m.hot("               -a-x-b-|")
      let a = m.cold("                     -1-2|")
      let result = letters.signal.flatMap { letter in
        if letter == "x" { throw Failure() }
        return a.signal
      }
      m.expect(result, "                  --1#", error: Failure())
      m.expectSubscriptions(of: letters, "^--!")
      m.expectSubscriptions(of: a, "      -^-!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes; the source and the inner signals are left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let a = m.cold("                     -1-2-3|")
      m.expect(
        letters.signal.flatMap { _ in a.signal },
        "                                 --1-(21)--", subscription: "^----!")
      m.expectSubscriptions(of: letters, "^----!")
      m.expectSubscriptions(
        of: a,
        "                                 -^---!",
        "                                 ---^-!")
    }
  }

  @Test("Law 9: of several inner signals the newest is left first, and the source last")
  func orderOfDisposal() {
    let left = Journal<Int>()
    let outer = Emitter<Int>()
    let source = Signal<Int> { producer in
      producer.onDisposal { left.append(0) }
      producer.own(outer.signal.subscribe { producer.send($0) })
    }
    let subscription = source.flatMap { number in
      Signal<Int> { producer in producer.onDisposal { left.append(number) } }
    }.subscribe { _ in }
    for number in 1...3 { outer.send(number) }
    subscription.dispose()
    #expect(left.entries == [3, 2, 1, 0])
  }

  @Test(
    "with maxConcurrent 1, or less, each signal begins when the one before it has finished",
    arguments: [1, 0, -1, Int.min])
  func oneByOne(maxConcurrent: Int) {
    marbles { m in
      let letters = m.hot("               -ab-|")
      let a = m.cold("                     -1-2|")
      let b = m.cold("                         -3-4|")
      let result = letters.signal.flatMap(maxConcurrent: maxConcurrent) { $0 == "a" ? a.signal : b.signal }
      m.expect(result, "                  --1-2-3-4|")
      m.expectSubscriptions(of: letters, "^---!")
      m.expectSubscriptions(of: a, "      -^---!")
      m.expectSubscriptions(of: b, "      -----^---!")
    }
  }

  @Test("with maxConcurrent 2, the third signal begins when one of the others has finished")
  func twoAtATime() {
    marbles { m in
      let digits = m.hot("               -(123)-|", of: Int.self)
      let first = m.cold("                --1|")
      let second = m.cold("               ----2|")
      let third = m.cold("                   --3|")
      let inner = [first.signal, second.signal, third.signal]
      m.expect(
        digits.signal.flatMap(maxConcurrent: 2) { inner[$0 - 1] },
        "                                ---1-23|")
      m.expectSubscriptions(of: first, " -^--!")
      m.expectSubscriptions(of: second, "-^----!")
      m.expectSubscriptions(of: third, " ----^--!")
    }
  }

  @Test("Law 7: what waits for its turn is not begun after an early disposal, nor after a failure")
  func waiting() {
    marbles { m in
      let letters = m.hot("-ab-|")
      let a = m.cold("      -1-2|")
      let b = m.cold("     -3|")
      let result = letters.signal.flatMap(maxConcurrent: 1) { $0 == "a" ? a.signal : b.signal }
      m.expect(result, "   --1-----", subscription: "^--!")
      m.expectNoSubscriptions(of: b)

      let outer = m.hot("   -ab-|")
      let failing = m.cold(" -#", error: Failure(number: 1))
      let unused = m.cold(" -3|")
      let failed = outer.signal.flatMap(maxConcurrent: 1) { $0 == "a" ? failing.signal : unused.signal }
      m.expect(failed, "    --#", error: Failure(number: 1))
      m.expectNoSubscriptions(of: unused)
    }
  }

  @Test("a limit for what waits for its turn")
  func limits() {
    marbles { m in
      let digits = m.hot("-(1234)----------5---|")
      func result(_ overflow: OverflowPolicy) -> Signal<String> {
        digits.signal.flatMap(maxConcurrent: 1, overflow: overflow) { [scheduler = m.scheduler] digit in
          Signal.timer(after: .milliseconds(2), on: scheduler).map { digit }
        }
      }
      m.expect(result(.keepAll), "  ---1-2-3-4----5-|")
      m.expect(result(.newest(1)), "---1-4--------5-|")
      m.expect(result(.oldest(2)), "---1-2-3------5-|")
      m.expect(result(.oldest(0)), "---1----------5-|")
      m.expect(result(.fail(3)), "  ---1-2-3-4----5-|")
      m.expect(result(.fail(2)), "  -#", error: OverflowError(limit: 2))
    }
  }

  @Test("Law 9: when too many wait, the source and what runs are left at once; an endless one stops")
  func overflow() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      let inner = m.cold("  -1-2-3-4-5|")
      m.expect(
        letters.signal.flatMap(maxConcurrent: 1, overflow: .fail(1)) { _ in inner.signal },
        "                  --1-2#", error: OverflowError(limit: 1))
      m.expectSubscriptions(of: letters, "^----!")
      m.expectSubscriptions(of: inner, "-^---!")
      m.expect(
        Signal.sequence(1...).flatMap(maxConcurrent: 1, overflow: .fail(10)) { _ in Signal<String>.never() },
        "{#}", error: OverflowError(limit: 10))
    }
  }

  @Test("a value that comes when an inner signal has just ended drops none that waits", arguments: [false, true])
  func freeAgain(isRecorded: Bool) {
    let outer = Emitter<Int>()
    let inner = (0..<4).map { _ in Emitter<Int>() }
    let log = EventLog<Int>()
    func subscribe() -> Subscription {
      outer.signal.flatMap(maxConcurrent: 2, overflow: .oldest(1)) { inner[$0].signal }.subscribeToEvents { event in
        log.append(event)
        guard event == .value(10) else { return }
        // Both wait for this handler.
        inner[1].finish()
        outer.send(3)
      }
    }
    let subscription = isRecorded ? GraphRecorder().record(subscribe) : subscribe()
    for value in 0...2 { outer.send(value) }
    inner[0].send(10)
    #expect(inner.map(\.subscriberCount) == [1, 0, 1, 0])
    inner[2].finish()
    inner[3].send(30)
    #expect(log.values == [10, 30])
    subscription.dispose()
  }

  @Test("the graph shows how many values wait for their turn, and how many were dropped")
  func recordedWaiting() {
    let recorder = GraphRecorder()
    let outer = Emitter<Int>()
    let inner = Emitter<Int>()
    let subscription = recorder.record {
      outer.signal.flatMap(maxConcurrent: 1, overflow: .newest(2)) { _ in inner.signal.prefix(1) }.subscribe { _ in }
    }
    for value in 1...5 { outer.send(value) }
    var node = recorder.snapshot().node("flatMap")
    #expect(node?.waiting == 2 && node?.dropped == 2)
    inner.send(1)
    node = recorder.snapshot().node("flatMap")
    #expect(node?.waiting == 1 && node?.dropped == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test("an endless source and an endless inner signal are read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).flatMap { .just($0) }.prefix(3),
        "{123|}")
      m.expect(
        Signal.just(1).flatMap { .sequence($0...) }.prefix(3),
        "{123|}")
      m.expect(
        Signal.sequence(1...).flatMap(maxConcurrent: 1) { .sequence($0...) }.prefix(3),
        "{123|}")
    }
  }

  @Test("Law 2: a value that comes while others wait for their turn waits behind them")
  func newValueWaits() {
    let outer = Emitter<Int>()
    let inner = (0..<4).map { _ in Emitter<Int>() }
    let log = EventLog<Int>()
    let started = Journal<Int>()
    let subscription = outer.signal.flatMap(maxConcurrent: 1) { value in
      started.append(value)
      return inner[value].signal
    }.handle(onFinish: {}).log(to: log)
    outer.send(0)
    outer.send(1)
    // The first ends inside a handler, and a new value comes before the gate has started the one that waits.
    let sending = inner[0].signal.subscribe(onFinish: { outer.send(2) })
    inner[0].finish()
    #expect(started.entries == [0, 1])
    inner[1].finish()
    #expect(started.entries == [0, 1, 2])
    withExtendedLifetime((subscription, sending)) {}
  }

  @Test("Law 2: also when a handler sends it, behind the end of one of the signals that run")
  func handlerThatSends() {
    let outer = Emitter<Int>()
    let started = Journal<Int>()
    let inner = (0..<4).map { _ in Emitter<Int>() }
    let subscription = outer.signal.flatMap(maxConcurrent: 2) { value in
      started.append(value)
      return inner[value].signal
    }.subscribe { _ in
      // Both wait until the value has been handled.
      inner[1].finish()
      outer.send(3)
    }
    for value in 0..<3 { outer.send(value) }
    inner[0].send(100)
    #expect(started.entries == [0, 1, 2])
    inner[0].finish()
    #expect(started.entries == [0, 1, 2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 2: also when the value is sent by the end of the signal that was running")
  func endThatSends() {
    let outer = Emitter<Int>()
    let started = Journal<Int>()
    let first = Emitter<Int>()
    let subscription = outer.signal.flatMap(maxConcurrent: 1) { value -> Signal<Int> in
      started.append(value)
      return value == 0 ? first.signal.handle(onFinish: { outer.send(2) }) : .just(value)
    }.subscribe { _ in }
    outer.send(0)
    outer.send(1)
    first.finish()
    #expect(started.entries == [0, 1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 2: a value that follows an end on the same thread does not overtake, on any of several threads")
  func threads() {
    for _ in 0..<300 {
      let outer = Emitter<Int>()
      let gates = (0..<40).map { _ in Emitter<Int>() }
      let started = Journal<Int>()
      let subscription = outer.signal.flatMap(maxConcurrent: 1) { value in
        started.append(value)
        return gates[value].signal
      }.subscribe { _ in }
      onThreads {
        for value in 0..<40 { outer.send(value) }
      } _: {
        for gate in gates { gate.finish() }
      }
      #expect(started.entries == started.entries.sorted())
      withExtendedLifetime(subscription) {}
    }
  }

  @Test(
    "Law 7: values that wait for their turn are not made into signals once a handler has disposed",
    arguments: [false, true])
  func disposedWhileWaiting(isRecorded: Bool) {
    let outer = Emitter<Int>()
    let first = Emitter<Int>()
    let made = Journal<Int>()
    let kept = Box<Subscription?>(nil)
    func subscribe() -> Subscription {
      outer.signal.flatMap(maxConcurrent: 1) { value in
        made.append(value)
        return value == 1 ? first.signal : .just(value)
      }.subscribe { _ in kept.value?.dispose() }
    }
    kept.value = isRecorded ? GraphRecorder().record { subscribe() } : subscribe()
    for value in 1...4 { outer.send(value) }
    first.finish()
    #expect(made.entries == [1, 2])
    #expect(outer.subscriberCount == 0)
  }
}
