import Signals
import Testing

@testable import SignalTesting

@Suite struct LibraryModelTests {
  static let operators = ValueModels.all + SelectionModels.all + CombiningModels.all + TimeModels.all

  @Test(arguments: operators.indices) func isWhatItsReferenceSays(index: Int) {
    let model = Self.operators[index]
    expectModel(of: model.name, others: model.otherCount, model.build, reference: model.reference)
  }

  @Test func chainsAreWhatTheirPartsAre() {
    expectModel(ofChainsOf: Self.operators, seeds: 0...3_999)
  }

  @Test func flattening() {
    for policy in FlatteningModel.Policy.allCases {
      expectModel(of: "\(policy)", inners: 3, seeds: 0...499) { upstream, inputs in
        let inner: @Sendable (Int) -> Signal<Int> = { [inners = inputs.inners] in inners[$0 % 3] }
        return switch policy {
        case .all: upstream.flatMap { inner($0) }
        case .latest: upstream.flatMapLatest { inner($0) }
        case .oneByOne: upstream.concatMap { inner($0) }
        case .unlessBusy: upstream.exhaustMap { inner($0) }
        }
      } reference: { events, inputs in
        FlatteningModel.events(policy, events, inputs)
      }
    }
  }

  @Test func subscribingAgain() {
    for isRetry in [false, true] {
      expectModel(of: isRetry ? "retry" : "repeat", inners: 1) { _, inputs in
        isRetry ? inputs.inners[0].retry(2) : inputs.inners[0].repeat(3)
      } reference: { _, inputs in
        var result: [TimedEvent<Int>] = []
        var start = TimedEvent<Int>(nanoseconds: 0, isInsideSubscribe: true, event: .finished)
        for number in 1...3 {
          let events = inputs.inners[0].map { timed in
            timed.isInsideSubscribe
              ? start.with(timed.event) : TimedEvent(timed.event, at: start.nanoseconds + timed.nanoseconds)
          }
          guard number < 3, let end = events.last, end.event.isEnd else { return result + events }
          if case .failed = end.event, !isRetry { return result + events }
          if case .finished = end.event, isRetry { return result + events }
          result += events.dropLast()
          start = end
        }
        return result
      }
    }
  }
}
