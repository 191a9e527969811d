import SignalTesting
import Signals
import Testing

/// Correct operators that end early, deliver little or deliver what is hard to compare: the checks find nothing wrong with them.
@Suite struct CorrectOperatorTests {
  private static let site = Site("CorrectOperatorTests", fileID: #fileID, line: #line, function: "correct")

  @Test("law 10: its early subscriber had its end before the source failed") func endsBeforeItsSource() {
    expectLaws(of: "prefix") { $0.prefix(1) }
  }

  @Test("law 10: shared by its subscribers, it ends for the late one as for the early one") func sharedEnd() {
    expectLaws(
      of: OperatorContract("shared", exemptions: [.newcomers: "newcomers share what has begun before they came"]) {
        upstream, _ in upstream.prefix(1).share()
      })
  }

  @Test("law 10: how it ends depends on whether a value has come") func endsByItsValues() {
    struct NoValue: Error {}
    let contract = OperatorContract<Int>("required", exemptions: [.ends: "without a value it fails"]) { upstream, _ in
      upstream.lift(Self.site, state: false) { hasValue, value, downstream in
        hasValue = true
        try downstream.send(value)
      } end: { hasValue, completion, _ in
        if case .finished = completion, !hasValue { throw NoValue() }
      }
    }
    expectLaws(of: contract)
  }

  @Test("law 9: no value comes of an endless source") func noValues() {
    expectLaws(of: "none") { $0.filter { _ in false } }
  }

  @Test("law 9: the only value comes when the source has finished") func valueAtTheEnd() {
    expectLaws(of: "sum") { (upstream: Signal<Int>) -> Signal<Int> in
      upstream.lift(Self.site, state: 0) { sum, value, _ in
        sum += value
      } end: { sum, completion, downstream in
        if case .finished = completion { try downstream.send(sum) }
      }
    }
  }

  @Test("law 9: all values come as one") func collected() {
    expectLaws(of: "collected") { (upstream: Signal<Int>) -> Signal<[Int]> in
      upstream.lift(Self.site, state: [Int]()) { all, value, _ in
        all.append(value)
      } end: { all, completion, downstream in
        if case .finished = completion { try downstream.send(all) }
      }
    }
  }

  @Test("law 9: few values come of many") func fewValues() {
    expectLaws(of: "every") { (upstream: Signal<Int>) -> Signal<Int> in
      upstream.lift(Self.site, state: 0) { seen, value, downstream in
        seen += 1
        if seen.isMultiple(of: 500) { try downstream.send(value) }
      }
    }
  }

  @Test("law 16: each input's failure is passed on or replaced") func failureOfOther() {
    expectLaws(of: OperatorContract("merge") { $0.merge(with: $1.other) })
    expectLaws(
      of: OperatorContract("replaced", failure: .isReplaced(by: [7])) {
        $0.merge(with: $1.other).catch { _ in .just(7) }
      })
    expectLaws(
      of: OperatorContract("replaced above", failure: .isReplaced(by: [])) {
        $0.catch { _ in .empty() }.prefix(untilOutputFrom: $1.other.filter { _ in false })
      })
    expectLaws(
      of: OperatorContract("ignoring", exemptions: [.failureOfOther: "the further input is not needed"]) {
        $0.merge(with: $1.other.catch { _ in .empty() })
      })
  }

  @Test("law 3: an operator that subscribes to its upstream twice") func subscribesTwice() {
    expectLaws(of: "merged") { $0.merge(with: $0.filter { _ in false }) }
    expectLaws(
      of: OperatorContract("zipped", exemptions: [.endlessAtOnce: "its second input is connected later"]) {
        upstream, _ in
        upstream.zip(upstream.map { $0 * 2 }).map { $0 + $1 }
      })
    expectLaws(
      of: OperatorContract("two hops", delivery: .scheduled, delivers: { $0 }) { upstream, inputs in
        Signal.merge(
          upstream.receive(on: inputs.scheduler), upstream.filter { _ in false }.receive(on: inputs.scheduler))
      })
  }

  @Test("values that are not equal to themselves") func notEqualToItself() {
    expectLaws(of: "roots", delivers: { $0.map { Double(2 - $0).squareRoot() } }) { upstream in
      upstream.map { Double(2 - $0).squareRoot() }
    }
    expectLaws(of: "optional roots") { upstream in upstream.map { Optional(Double(2 - $0).squareRoot()) } }
  }
}
