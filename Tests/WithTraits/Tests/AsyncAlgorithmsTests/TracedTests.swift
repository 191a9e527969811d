import AsyncAlgorithms
import SignalAsync
import SignalGraph
import Signals
import Testing

/// What is connected of traced chains of AsyncAlgorithms.
@Suite(.timeLimit(.minutes(20))) struct TracedTests {
  private let recorder = GraphRecorder(endedLimit: 1_000)

  private func numbers(_ name: String, _ count: Int = 3) -> TracedAsyncSequence<AsyncStream<Int>> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(number) }
      continuation.finish()
    }.traced(name)
  }

  /// The connections that are found while a sequence is iterated to its end, by name.
  private func connections<Elements: AsyncSequence>(_ elements: Elements) async throws -> Set<String> {
    try await recorder.record { for try await _ in elements {} }
    // A task of the operator may still be reading.
    while recorder.snapshot().nodes.contains(where: { $0.state == .live }), !Task.isCancelled { await Task.yield() }
    let snapshot = recorder.snapshot()
    let names = Dictionary(snapshot.nodes.map { ($0.id, $0.name ?? "") }) { first, _ in first }
    #expect(snapshot.nodes.allSatisfy { $0.state != .live && $0.state != .failed })
    return Set(snapshot.edges.map { "\(names[$0.source] ?? "") > \(names[$0.target] ?? "")" })
  }

  @Test func operatorsThatStartTasksAreLookedThrough() async throws {
    let (a, b) = (numbers("a"), numbers("b"))
    #expect(try await connections(merge(a, b).traced("end")) == ["a > end", "b > end"])
    #expect(try await connections(zip(a, b).traced("end")) == ["a > end", "b > end"])
    #expect(try await connections(combineLatest(a, b).traced("end")) == ["a > end", "b > end"])
    #expect(try await connections(a.debounce(for: .microseconds(1)).traced("end")).contains("a > end"))
    #expect(try await connections(a.buffer(policy: .bounded(2)).traced("end")).contains("a > end"))
  }

  @Test func operatorsThatAskInTheSameTaskAreLookedThrough() async throws {
    let a = numbers("a", 10)
    #expect(try await connections(a.chunks(ofCount: 2).traced("end")) == ["a > end"])
    #expect(try await connections(chain(a, numbers("b")).traced("end")) == ["a > end", "b > end"])
    #expect(
      try await connections(a.adjacentPairs().map { $0 }.removeDuplicates { $0 == $1 }.traced("end")).contains(
        "a > end"))
    #expect(try await connections(a._throttle(for: .zero, clock: .continuous).traced("end")).contains("a > end"))
  }

  @Test func eachOnlyWithItsNeighbour() async throws {
    let inner = merge(numbers("a"), numbers("b")).traced("merged")
    let found = try await connections(combineLatest(inner.map { $0 }, numbers("c")).traced("end"))
    #expect(found == ["a > merged", "b > merged", "merged > end", "c > end"])
  }

  /// What a closure subscribes to while it is asked is something else.
  @Test func theLoopOverASignalFeedsIt() async throws {
    let numbers = recorder.record { Property(1) }
    let bag = DisposeBag()
    try await recorder.record {
      let loop = numbers.signal.values().map { _ in numbers.signal.subscribe { _ in }.store(in: bag) }
      for try await _ in loop.traced("traced") { break }
    }
    let snapshot = recorder.snapshot()
    let traced = snapshot.nodes.first { $0.name == "traced" }?.id
    let loops = Set(snapshot.definitions.filter { $0.isLoop == true }.map(\.id))
    #expect(
      snapshot.edges.filter { $0.target == traced }.map(\.source)
        == snapshot.nodes.filter { loops.contains($0.definition) }.map(\.id))
    #expect(loops.count == 1)
    #expect(snapshot.nodes.count == 4)
  }

  /// It is filled by a task that was started before.
  @Test func whatAChannelCarriesIsNotConnected() async throws {
    let channel = AsyncChannel<Int>()
    async let filling: Void = recorder.record {
      for await number in numbers("a") { await channel.send(number) }
      channel.finish()
    }
    #expect(try await connections(channel.traced("end")) == [])
    await filling
  }

  @Test func theKindIsThatOfTheOperator() async throws {
    _ = try await connections(merge(numbers("a"), numbers("b")).traced("end"))
    _ = try await connections(numbers("a").traced("again"))
    #expect(Set(recorder.snapshot().definitions.map(\.kind)) == ["stream", "merge", "traced"])
  }

  @Test func anIterationLivesUntilItIsLeft() async throws {
    let before = recorder.snapshot()
    let stream = AsyncStream<Int>.makeStream()
    var iterators = recorder.record { (0..<30).map { _ in stream.stream.traced("loop").makeAsyncIterator() } }
    #expect(recorder.snapshot().nodes.count { $0.state == .live } == 30)
    iterators = []
    #expect(before.nodes.isEmpty && iterators.isEmpty)
    #expect(recorder.snapshot().nodes.count { $0.state == .live } == 0)
  }
}
