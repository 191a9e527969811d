import OperatorCatalogue
import SignalFindings
import SignalGraph
import SignalTesting
import Signals
import Testing

/// Every form of every operator, used as it should be: no rule finds anything.
@Suite("findings about operators that are used properly") struct CatalogueFindingsTests {
  private struct Failure: Error {}

  /// How the life of a subscription goes on after its values.
  enum Ending: CaseIterable { case none, finished, failed, disposed }

  @Test(arguments: OperatorCatalogue.forms, Ending.allCases)
  func properUseOfOperatorsIsNotFound(_ form: OperatorForm, _ ending: Ending) throws {
    try expectNothingFound(ending, form.contract.build)
  }

  @Test(arguments: OperatorCatalogue.all.flatMap(\.chains), Ending.allCases)
  func properUseOfChainsIsNotFound(_ chain: LeakChain, _ ending: Ending) throws {
    // What joins a source with itself does give half-new values, and gets an inner signal for each value that never ends.
    let isMeeting = chain.description.hasSuffix("of the same source")
    try expectNothingFound(ending, but: isMeeting ? ["glitch", "growth"] : [], chain.build)
  }

  private func expectNothingFound(
    _ ending: Ending, but allowed: [String] = [], _ build: (Signal<Int>, OperatorInputs) -> Signal<Int>
  ) throws {
    let recorder = GraphRecorder()
    let bag = DisposeBag()
    let scheduler = VirtualTimeScheduler()
    let (source, other) = (Emitter<Int>(), Emitter<Int>())
    let inputs = OperatorInputs(scheduler: scheduler, rest: .milliseconds(100), other: other.signal)
    var snapshots: [GraphSnapshot] = []
    try recorder.record {
      build(source.signal, inputs).subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
      other.send(OperatorInputs.firstOfOther)
      source.send(0)
      try scheduler.advance(by: .seconds(1))
      snapshots.append(recorder.snapshot())
      for value in 1...150 {
        source.send(value)
        if value % 10 == 0 { other.send(value) }
        try scheduler.advance(by: .milliseconds(250))
      }
      switch ending {
      case .none: break
      case .finished: source.finish()
      case .failed: source.fail(Failure())
      case .disposed: bag.disposeAll()
      }
      try scheduler.advance(by: .seconds(1))
      snapshots.append(recorder.snapshot())
    }
    snapshots[1].takenAt = snapshots[0].takenAt + 75
    let found = Rules.findings(in: Observation(snapshots[1], since: snapshots[0]))
    #expect(found.filter { !allowed.contains($0.rule) } == [])
    #expect(Rules.findings(in: Observation(snapshots[1])) == [])
    bag.disposeAll()
  }
}
