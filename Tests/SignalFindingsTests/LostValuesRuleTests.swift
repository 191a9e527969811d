import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("lost-values") struct LostValuesRuleTests {
  private let scheduler = VirtualTimeScheduler()

  private func findings(_ body: () -> Void) -> [Finding] {
    let recorder = GraphRecorder()
    recorder.record(body)
    return Rules.findings(in: Observation(recorder.snapshot()))
  }

  /// Sends a number of values to another scheduler, lets some arrive, and disposes the subscription.
  private func run(sending count: Int, thenDelivering isDelivering: Bool, andOneMore isOneMore: Bool = false) {
    let source = Emitter<Int>()
    let bag = DisposeBag()
    source.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag)
    for number in 0..<count { source.send(number) }
    if isDelivering { try? scheduler.advance(by: .milliseconds(1)) }
    if isOneMore { source.send(count) }
    bag.close()
    try? scheduler.advance(by: .milliseconds(1))
  }

  @Test func allValuesThatCameAreLost() {
    let found = findings { run(sending: 3, thenDelivering: false) }
    #expect(found.map(\.rule) == ["lost-values"])
    #expect(
      found.first?.message
        == "3 values that waited at this `receive(on:)` never arrived, because its subscription was disposed first")
    #expect(found.first?.place.line == 19)
  }

  @Test func eachSubscriptionLosesItsLastValue() {
    let found = findings { for _ in 0..<3 { run(sending: 3, thenDelivering: true, andOneMore: true) } }
    #expect(found.map(\.rule) == ["lost-values"])
    #expect(
      found.first?.message
        == "3 values that waited at this `receive(on:)` never arrived, because their 3 subscriptions were disposed first"
    )
  }

  /// The hop is the lowest node of the chain of an input.
  @Test func lossesInAnInputOfAnOperatorAreFound() {
    let found = findings {
      for _ in 0..<3 {
        let (source, other, bag) = (Emitter<Int>(), Emitter<Int>(), DisposeBag())
        source.signal.receive(on: scheduler).combineLatest(other.signal).subscribe { _ in }.store(in: bag)
        source.send(1)
        try? scheduler.advance(by: .milliseconds(1))
        source.send(2)
        bag.close()
      }
    }
    #expect(found.map(\.rule) == ["lost-values"])
    #expect(
      found.first?.message
        == "3 values that waited at this `receive(on:)` never arrived, because their 3 subscriptions were disposed first"
    )
  }

  /// A retry storm replaces the ended nodes of all other locations within seconds.
  @Test func lossesNoLongerInTheSnapshotAreReported() {
    let found = findings {
      for _ in 0..<3 { run(sending: 3, thenDelivering: true, andOneMore: true) }
      for number in 0..<600 { Signal.just(number).map { $0 }.subscribe { _ in }.store(in: DisposeBag()) }
    }
    #expect(found.map(\.rule) == ["lost-values"])
  }

  @Test("the loss of a closed screen is not reported, in the snapshot or out of it", arguments: [0, 600])
  func screenClosingBesideALiveSource(laterSubscriptions: Int) {
    let source = Emitter<Int>()
    let found = findings {
      for _ in 0..<5 {
        let bag = DisposeBag()
        source.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag)
        for number in 0..<3 { source.send(number) }
        try? scheduler.advance(by: .milliseconds(1))
        source.send(3)
        bag.close()
      }
      for number in 0..<laterSubscriptions {
        Signal.just(number).map { $0 }.subscribe { _ in }.store(in: DisposeBag())
      }
    }
    #expect(found == [])
  }

  @Test func anInnerSignalThatGivesWayLosesNothing() {
    let bag = DisposeBag()
    let found = findings {
      let texts = Emitter<String>()
      texts.signal.flatMapLatest { Signal.just($0).receive(on: scheduler) }.subscribe { _ in }.store(in: bag)
      for text in ["s", "si", "sig", "sign"] { texts.send(text) }
      try? scheduler.advance(by: .milliseconds(1))
    }
    #expect(found == [])
  }

  @Test func whatHasArrivedIsNotLost() {
    #expect(findings { for _ in 0..<5 { run(sending: 3, thenDelivering: true) } } == [])
  }

  @Test func aValueThatIsLostNowAndThenIsNotReported() {
    let found = findings {
      for round in 0..<5 { run(sending: 3, thenDelivering: true, andOneMore: round == 2) }
    }
    #expect(found == [])
  }

  @Test func whatAnOperatorBelowDoesNotWantIsNotLost() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>()
      source.signal.receive(on: scheduler).first().subscribe { _ in }.store(in: bag)
      for number in 0..<5 { source.send(number) }
      try? scheduler.advance(by: .milliseconds(1))
    }
    #expect(found == [])
  }
}
