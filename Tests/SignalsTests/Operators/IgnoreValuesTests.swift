import Probes
import SignalTesting
import Signals
import Testing

/// Leaves out all values.
@Suite("ignoreValues")
struct IgnoreValuesTests {
  @Test("only the end comes, regular or not")
  func ends() {
    marbles { m in
      let letters = m.hot("                                   -a-b-|")
      m.expect(letters.signal.ignoreValues(as: String.self), "-----|")
      m.expectSubscriptions(of: letters, "                    ^----!")

      let failing = m.hot("                                   -a-#", error: Failure(number: 1))
      m.expect(failing.signal.ignoreValues(as: String.self), "---#", error: Failure(number: 1))

      let never = m.hot("                                   -a--")
      m.expect(never.signal.ignoreValues(as: String.self), "----")

      let atOnce = m.cold("                                  {ab|}")
      m.expect(atOnce.signal.ignoreValues(as: String.self), "{|}")
    }
  }

  @Test("it takes the type that is asked for, and else has no values at all")
  func types() {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let digits = m.cold("-1|", of: Int.self)
      m.expect(
        letters.signal.ignoreValues().concat(digits.signal),
        "                  ------1|")
      m.expect(
        letters.signal.ignoreValues().merge(with: digits.signal),
        "                  -1---|")
      m.expect(
        digits.signal.merge(with: letters.signal.ignoreValues()),
        "                  -1---|")
      m.expect(
        Signal.concat(letters.signal.ignoreValues(), digits.signal),
        "                  ------1|")
      m.expect(
        letters.signal.ignoreValues().append(7),
        "                  -----(7|)")
    }
    let never = Signal.just(1).ignoreValues()
    let asked: Signal<String> = Signal.just(1).ignoreValues()
    #expect(type(of: never) == Signal<Never>.self)
    #expect(type(of: asked) == Signal<String>.self)
  }

  @Test("the end is told where there is no value to tell")
  func finish() {
    let emitter = Emitter<Int>()
    let isFinished = Box(false)
    let subscription = emitter.signal.ignoreValues().subscribe(onFinish: { isFinished.value = true })
    emitter.send(1)
    #expect(!isFinished.value)
    emitter.finish()
    #expect(isFinished.value && subscription.isDisposed)
  }

  @Test("behind and before operators that are joined with it")
  func joined() {
    let emitter = Emitter<Int>()
    let log = EventLog<String>()
    let calls = Journal<Int>()
    let subscription = emitter.signal.map { $0 + 1 }.handle { calls.append($0) }.ignoreValues(as: Int.self)
      .filter { _ in true }.map { "\($0)" }.log(to: log)
    emitter.send(1)
    emitter.send(2)
    emitter.finish()
    #expect(calls.entries == [2, 3])
    #expect(log.events == [.finished])
    #expect(subscription.isDisposed)
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      m.expect(letters.signal.ignoreValues(as: String.self), "------", subscription: "^--!")
      m.expectSubscriptions(of: letters, "^--!")
    }
  }
}
