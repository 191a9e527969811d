import Probes
import SignalTesting
import Signals
import Testing

/// Delivers whether two signals deliver the same values in the same order.
@Suite("sequenceEqual", .healthy)
struct SequenceEqualTests {
  @Test("true when both have finished with the same values, whenever each of them came")
  func same() {
    marbles { m in
      let first = m.hot("                -a--b-|")
      let second = m.hot("               --(ab)--|")
      m.expect(first.signal.sequenceEqual(second.signal).told, " ------(t|)")
      m.expect(second.signal.sequenceEqual(first.signal).told, " ------(t|)")
      m.expectSubscriptions(of: first, " ^-----!", "^-----!")
      m.expectSubscriptions(of: second, "^----!", "^----!")
    }
  }

  @Test("false as soon as two values differ; both are left")
  func different() {
    marbles { m in
      let first = m.hot("                -a--b----|")
      let second = m.hot("               --a---c--|")
      m.expect(first.signal.sequenceEqual(second.signal).told, "------(f|)")
      m.expectSubscriptions(of: first, " ^-----!")
      m.expectSubscriptions(of: second, "^-----!")
    }
  }

  @Test("false as soon as one has more than the other, which has finished")
  func more() {
    marbles { m in
      let short = m.hot("-a|")
      let long = m.hot(" ---a-b--|")
      m.expect(short.signal.sequenceEqual(long.signal).told, "-----(f|)")
      m.expect(long.signal.sequenceEqual(short.signal).told, "-----(f|)")

      let late = m.hot("-a----|")
      let early = m.hot("-ab-----|")
      m.expect(late.signal.sequenceEqual(early.signal).told, "------(f|)")
      m.expect(early.signal.sequenceEqual(late.signal).told, "------(f|)")
    }
  }

  @Test("two of no values are the same; with one that never ends nothing is known")
  func nothing() {
    marbles { m in
      let empty = m.hot("                            --|")
      m.expect(empty.signal.sequenceEqual(.empty()).told, "--(t|)")
      m.expect(Signal<String>.empty().sequenceEqual(.empty()).told, "{t|}")

      let letters = m.hot("                            -a-|")
      m.expect(letters.signal.sequenceEqual(.never()).told, "----")
    }
  }

  @Test("Law 9: a failure of either is the result's, before it is decided; not after")
  func failure() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      let failing = m.hot("               ---a-#", error: Failure(number: 1))
      m.expect(letters.signal.sequenceEqual(failing.signal).told, "-----#", error: Failure(number: 1))
      m.expect(failing.signal.sequenceEqual(letters.signal).told, "-----#", error: Failure(number: 1))

      let other = m.hot("                 -c-#", error: Failure(number: 1))
      m.expect(letters.signal.sequenceEqual(other.signal).told, "-(f|)")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and both are left")
  func disposal() {
    marbles { m in
      let first = m.hot("                -a--b-|")
      let second = m.hot("               -a--b-|")
      m.expect(first.signal.sequenceEqual(second.signal).told, "-------", subscription: "^--!")
      m.expectSubscriptions(of: first, " ^--!")
      m.expectSubscriptions(of: second, "^--!")
    }
  }

  @Test("a comparison of one's own, of two types; Law 11: what it throws is the failure")
  func comparison() {
    marbles { m in
      let digits = m.hot("-1---2|", of: Int.self)
      let letters = m.hot("--a-bb|")
      m.expect(
        digits.signal.sequenceEqual(letters.signal, by: { _, letter in letter < "c" }).told,
        "                 ------(f|)")
      m.expect(
        digits.signal.sequenceEqual(letters.signal, by: { _, _ in throw Failure() }).told,
        "                 --#", error: Failure())
    }
  }

  @Test("an endless signal is read as far as it is the same")
  func endless() {
    marbles { m in
      m.expect(Signal.sequence([1, 2, 4]).sequenceEqual(.sequence(1...)).told, "{f|}")
      m.expect(Signal<Int>.empty().sequenceEqual(.sequence(1...)).told, "{f|}")
    }
  }

  @Test("Law 7: a handler that disposes at the result gets no end")
  func disposedAtTheResult() {
    let (first, second) = (Emitter<Int>(), Emitter<Int>())
    let log = EventLog<Bool>()
    let kept = Box<Subscription?>(nil)
    kept.value = first.signal.sequenceEqual(second.signal).subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    first.finish()
    second.finish()
    #expect(log.events == [.value(true)])
  }

  @Test("values that were compared are released")
  func released() {
    let life = LifeCount()
    let (first, second) = (Emitter<LifeCount.Token>(), Emitter<LifeCount.Token>())
    let subscription = first.signal.sequenceEqual(second.signal, by: { _, _ in true }).subscribe { _ in }
    for _ in 0..<3 { first.send(life.token()) }
    #expect(life.alive == 3)
    for _ in 0..<5 { second.send(life.token()) }
    #expect(life.alive == 2)
    subscription.dispose()
    #expect(life.alive == 0)
  }
}

extension Signal where Value == Bool {
  /// The result as a key of a diagram.
  fileprivate var told: Signal<String> { map { $0 ? "t" : "f" } }
}
