import SignalGraph
import SignalRecording
import Signals
import Synchronization
import Testing

@Suite("the texts of failures") struct FailureTextTests {
  private final class Failure: Error, CustomStringConvertible, Sendable {
    let calls = Atomic<Int>(0)
    let words: String

    init(_ words: String) { self.words = words }

    var description: String {
      calls.add(1, ordering: .relaxed)
      return words
    }
  }

  private let bag = DisposeBag()
  private let recorder = GraphRecorder()

  /// The texts that the nodes of a chain keep, from a source that fails.
  private func texts(_ failure: any Error) -> [String] {
    let source = recorder.record { Emitter<Int>() }
    recorder.record {
      source.signal.map { $0 }.filter { _ in true }.removeDuplicates().share()
        .subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
    }
    source.fail(failure)
    let nodes = recorder.snapshot().nodes
    #expect(nodes.allSatisfy { $0.state == .failed })
    return nodes.compactMap(\.failure)
  }

  @Test func longOnesAreCut() {
    let texts = texts(Failure(String(repeating: "x", count: 100_000)))
    #expect(texts.count >= 5)
    #expect(texts.allSatisfy { $0.count == 1_000 && $0.hasSuffix("x…") })
  }

  @Test func aCharacterOfManyScalarsIsCut() {
    let texts = texts(Failure("e" + String(repeating: "\u{301}", count: 100_000)))
    #expect(texts.count >= 5)
    #expect(texts.allSatisfy { $0.utf8.count <= 10_000 })
  }

  @Test func shortOnesAreWhole() {
    let words = String(repeating: "x", count: 1_000)
    #expect(texts(Failure(words)).allSatisfy { $0 == words })
  }

  @Test func eachChainAsksOnce() {
    let failure = Failure("broken")
    let texts = texts(failure)
    #expect(texts.allSatisfy { $0 == "broken" })
    // Two sources, two chains.
    #expect(failure.calls.load(ordering: .relaxed) <= 4)
  }

  @Test func anotherFailureHasItsOwnText() {
    let source = recorder.record { Emitter<Int>() }
    recorder.record {
      source.signal.map { $0 }.mapError { _ in Failure("second") }.mapError { _ in Failure("third") }
        .subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
    }
    source.fail(Failure("first"))
    let nodes = recorder.snapshot().nodes
    #expect(Set(nodes.compactMap(\.failure)) == ["first", "second", "third"])
  }
}
