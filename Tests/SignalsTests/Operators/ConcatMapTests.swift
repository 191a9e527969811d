import Probes
import SignalTesting
import Signals
import Testing

/// Makes a signal of each value, and delivers them one after the other.
@Suite("concatMap")
struct ConcatMapTests {
  @Test("each begins when the one before it has finished; it finishes after the last")
  func values() {
    marbles { m in
      let letters = m.hot("               -ab-|")
      let a = m.cold("                     -1-2|")
      let b = m.cold("                         -3-4|")
      let result = letters.signal.concatMap { $0 == "a" ? a.signal : b.signal }
      m.expect(result, "                  --1-2-3-4|")
      m.expectSubscriptions(of: letters, "^---!")
      m.expectSubscriptions(of: a, "      -^---!")
      m.expectSubscriptions(of: b, "      -----^---!")
    }
  }

  @Test("Law 9: a failure of this signal, or of an inner one, ends it; what waits does not begin")
  func failure() {
    marbles { m in
      let letters = m.hot("-ab-|")
      let failing = m.cold(" -#", error: Failure(number: 1))
      let unused = m.cold("  -3|")
      let result = letters.signal.concatMap { $0 == "a" ? failing.signal : unused.signal }
      m.expect(result, "   --#", error: Failure(number: 1))
      m.expectNoSubscriptions(of: unused)

      let outer = m.hot("  -a-#", error: Failure(number: 2))
      let open = m.cold("    -1---|")
      m.expect(outer.signal.concatMap { _ in open.signal }, "--1#", error: Failure(number: 2))
    }
  }

  @Test("nothing, and one that never finishes")
  func nothing() {
    marbles { m in
      m.expect(m.hot("--|").signal.concatMap { _ in .just("a") }, "--|")
      m.expect(m.hot("---").signal.concatMap { _ in .just("a") }, "---")

      let unused = m.cold("-3|")
      let result = m.hot(" -ab|").signal.concatMap { $0 == "a" ? .never() : unused.signal }
      m.expect(result, "   ------")
      m.expectNoSubscriptions(of: unused)
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and nothing that waits begins")
  func disposal() {
    marbles { m in
      let letters = m.hot("-ab-|")
      let a = m.cold("      -1-2|")
      let b = m.cold("     -3|")
      let result = letters.signal.concatMap { $0 == "a" ? a.signal : b.signal }
      m.expect(result, "   --1-----", subscription: "^--!")
      m.expectSubscriptions(of: a, "-^-!")
      m.expectNoSubscriptions(of: b)
    }
  }

  @Test("a long row of signals that finish at once needs no stack")
  func deep() {
    let start = Emitter<Int>()
    let count = Box(0)
    let first = Emitter<Int>()
    let subscription = start.signal.concatMap { $0 == 0 ? first.signal : .sequence([$0]) }.subscribe { _ in
      count.value += 1
    }
    for value in 0...100_000 { start.send(value) }
    first.finish()
    #expect(count.value == 100_000)
    withExtendedLifetime(subscription) {}
  }

  @Test("it has its own name in the graph")
  func name() {
    let recorder = GraphRecorder()
    let emitter = Emitter<Int>()
    let subscription = recorder.record { emitter.signal.concatMap { .just($0) }.subscribe { _ in } }
    #expect(recorder.snapshot().node("concatMap") != nil)
    withExtendedLifetime(subscription) {}
  }
}
