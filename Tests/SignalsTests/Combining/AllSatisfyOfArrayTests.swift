import Probes
import SignalTesting
import Signals
import Testing

/// Delivers whether all latest values are true; otherwise it is `combineLatest` of an array.
@Suite("allSatisfy of an array", .healthy)
struct AllSatisfyOfArrayTests {
  @Test("an answer for each value, once each input has delivered one; it finishes when all have")
  func values() {
    marbles { m in
      let first = m.hot("                -t---f---t-----|")
      let second = m.hot("               ---f---t---f-|")
      m.expect(
        allSatisfy([first.answers, second.answers]).asLetters,
        "                                ---f-f-f-t-f---|")
      m.expectSubscriptions(of: first, " ^--------------!")
      m.expectSubscriptions(of: second, "^------------!")
    }
  }

  @Test("no signals have their answer at once; one is enough; inside subscribe too")
  func few() {
    marbles { m in
      m.expect(allSatisfy([]).asLetters, "{t|}")

      let one = m.hot("                              -t-f-|")
      m.expect(allSatisfy([one.answers]).asLetters, "-t-f-|")

      let atOnce = m.cold("                                             {tf|}")
      m.expect(allSatisfy([atOnce.answers, atOnce.answers]).asLetters, "{ff|}")
    }
  }

  @Test("Law 16: an input that finishes without a value is the end, as no answer can come; the others are left")
  func finishesWithoutValue() {
    marbles { m in
      let answers = m.hot("                                             -t-f-t-|")
      let empty = m.hot("                                               ----|")
      m.expect(allSatisfy([answers.answers, empty.answers]).asLetters, "----|")
      m.expectSubscriptions(of: answers, "                              ^---!")
    }
  }

  @Test("Law 9: the first failure of any input is that of all; the others are left")
  func failure() {
    marbles { m in
      let first = m.hot("                                              -t-t-t-|")
      let second = m.hot("                                             --t-#", error: Failure(number: 1))
      m.expect(allSatisfy([first.answers, second.answers]).asLetters, "--tt#", error: Failure(number: 1))
      m.expectSubscriptions(of: first, "                               ^---!")
    }
  }

  @Test("one input that sends nothing: no answer, and no end")
  func nothing() {
    marbles { m in
      let answers = m.hot("                                             -t-f-|")
      let never = m.hot("                                               ------")
      m.expect(allSatisfy([answers.answers, never.answers]).asLetters, "------")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and every input is left at that moment")
  func disposal() {
    marbles { m in
      let first = m.hot("                -t---t-|")
      let second = m.hot("               ---t---|")
      m.expect(allSatisfy([first.answers, second.answers]).asLetters, "---t----", subscription: "^---!")
      m.expectSubscriptions(of: first, " ^---!")
      m.expectSubscriptions(of: second, "^---!")
    }
  }

  @Test("Law 2: what a handler writes into an input comes afterwards; what is true when all is quiet came last")
  func reentrant() {
    let inputs = [Property(true), Property(true)]
    let seen = Journal<Bool>()
    let subscription = allSatisfy(inputs.map(\.signal)).subscribe { answer in
      seen.append(answer)
      if answer, inputs[0].value { inputs[0].value = false }
    }
    #expect(seen.entries == [true, false])
    inputs[1].value.toggle()
    subscription.dispose()
    #expect(inputs.allSatisfy { $0.subscriberCount == 0 })
    #expect(seen.entries == [true, false, false])
  }

  @Test("it says what combineLatest would say, whatever the inputs do", arguments: 0..<50)
  func sameAsCombineLatest(_ seed: UInt64) {
    var state = seed
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let inputs = (0..<3).map { _ in Emitter<Bool>() }
    let (expected, actual) = (EventLog<Bool>(), EventLog<Bool>())
    let first = combineLatest(inputs.map(\.signal)).map { row in row.allSatisfy { $0 } }.log(to: expected)
    let second = allSatisfy(inputs.map(\.signal)).log(to: actual)
    for step in 0..<30 {
      let input = inputs[below(3)]
      switch below(20) {
      case 0: input.finish()
      case 1: input.fail(Failure(number: step))
      default: input.send(below(3) > 0)
      }
    }
    #expect(actual.events == expected.events)
    #expect(first.isDisposed == second.isDisposed)
  }
}
