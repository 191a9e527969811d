import Probes
import Signals
import Testing

@Suite("Laws 9 and 13: what an operator owns is disposed newest first, always")
struct Law13OrderOfDisposalTests {
  private static func watched(_ count: Int, _ journal: Journal<Int>) -> [Signal<Int>] {
    (0..<count).map { index in
      Signal { producer in
        producer.onDisposal { journal.append(index) }
      }
    }
  }

  @Test("merge", arguments: [2, 3, 10, 100])
  func merging(count: Int) {
    let journal = Journal<Int>()
    Signal.merge(Self.watched(count, journal)).subscribe { _ in }.dispose()
    #expect(journal.entries == (0..<count).reversed())
  }

  @Test("flatMap, of which some inner signals have ended")
  func flattening() {
    let journal = Journal<Int>()
    let outer = Emitter<Int>()
    let ends = (0..<50).map { _ in Emitter<Int>() }
    let signals = Self.watched(50, journal)
    let subscription = outer.signal.flatMap { signals[$0].prefix(untilOutputFrom: ends[$0].signal) }.subscribe { _ in }
    for index in 0..<50 { outer.send(index) }
    for index in [3, 40, 49, 7] { ends[index].send(0) }
    #expect(journal.entries == [3, 40, 49, 7])
    subscription.dispose()
    #expect(journal.entries.dropFirst(4) == ArraySlice((0..<50).reversed().filter { ![3, 40, 49, 7].contains($0) }))
  }

  @Test("buffer(while:), which connects its source last")
  func buffering() {
    let journal = Journal<Int>()
    let (isHeld, source) = (Emitter<Bool>(), Self.watched(1, journal)[0])
    isHeld.signal.handle(onDispose: { journal.append(1) }).subscribe { _ in }.dispose()
    let subscription = source.buffer(while: isHeld.signal.handle(onDispose: { journal.append(2) })).subscribe { _ in }
    subscription.dispose()
    #expect(journal.entries == [1, 0, 2])
  }

  @Test("what a custom signal owns")
  func custom() {
    let journal = Journal<Int>()
    let signal = Signal<Int> { producer in
      for index in 0..<20 { producer.onDisposal { journal.append(index) } }
    }
    signal.subscribe { _ in }.dispose()
    #expect(journal.entries == (0..<20).reversed())
  }
}
