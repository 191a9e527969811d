import SignalGraph
import Signals
import Testing

/// What is recorded of a subscription whose bag is released when nothing records any more.
@Suite(.serialized) struct ReleasedBagTests {
  /// How many values were lost with a subscription at which one waits.
  private static func lostValueCount(_ end: (inout DisposeBag?) -> Void) -> UInt64 {
    let recorder = GraphRecorder(endedLimit: 100, unhandledFailures: nil, findsSubscriptions: true)
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    var bag: DisposeBag? = DisposeBag()
    recorder.record {
      let subscription = numbers.signal.receive(on: scheduler).subscribe { _ in }
      bag?.insert(subscription)
    }
    numbers.send(1)
    end(&bag)
    return recorder.snapshot().definitions.compactMap(\.ends).reduce(0) { $0 + $1.lost }
  }

  @Test func disposalLosesValues() { #expect(Self.lostValueCount { $0?.disposeAll() } == 1) }

  @Test func releaseAfterTheRecordingLosesNoValues() { #expect(Self.lostValueCount { $0 = nil } == 0) }
}
