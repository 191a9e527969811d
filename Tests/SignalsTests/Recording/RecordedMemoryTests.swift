import SignalFindings
import SignalGraph
import Signals
import Testing

/// What the live graph says of values that are kept for new subscribers.
@Suite("Replay memory in the live graph")
struct RecordedMemoryTests {
  private func memory(_ make: () -> Signal<Int>) -> [UInt64?]? {
    let (recorder, bag) = (GraphRecorder(), DisposeBag())
    recorder.record { make().subscribe { _ in }.store(in: bag) }
    return recorder.snapshot().nodes.first { $0.memoryLimit != nil }.map { [$0.memoryLimit, $0.memoryCount] }
  }

  private func sent<Source: AnyObject>(_ source: Source, _ send: (Source) -> Void) -> Source {
    send(source)
    return source
  }

  @Test func limitAndHeldCountAreShown() {
    let long = sent(Emitter<Int>(replay: 10)) { source in for value in 1...4 { source.send(value) } }
    #expect(memory { long.signal } == [10, 4])
    let full = sent(Emitter<Int>(replay: 2)) { source in for value in 1...4 { source.send(value) } }
    #expect(memory { full.signal } == [2, 2])
    let one = sent(Emitter<Int>(replay: 1)) { source in for value in 1...4 { source.send(value) } }
    #expect(memory { one.signal } == [1, 1])
    let none = Emitter<Int>()
    let aging = Emitter<Int>(replay: 10, for: .seconds(1), on: VirtualTimeScheduler())
    #expect(memory { aging.signal } == [10, nil])
    #expect(memory { none.signal.share(replay: 5) } == [5, nil])
  }

  @Test func sourceWithoutReplayAndPropertyHaveNoMemory() {
    let (none, property) = (Emitter<Int>(), Property(0))
    for signal in [none.signal, property.signal] { #expect(memory { signal } == nil) }
  }

  @Test func whyNamesIt() throws {
    let (recorder, bag) = (GraphRecorder(), DisposeBag())
    let source = recorder.record { Emitter<Int>(replay: 10) }
    recorder.record { source.signal.subscribe { _ in }.store(in: bag) }
    source.send(1)
    let graph = recorder.snapshot()
    let subscriber = try #require(graph.nodes.first)
    let notes = Explanation(of: subscriber, in: Observation(graph)).steps.flatMap(\.notes)
    #expect(notes.contains("it keeps at most 10 values for new subscribers, now 1"))
  }
}
