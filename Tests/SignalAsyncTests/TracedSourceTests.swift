import SignalAsync
import SignalGraph
import SignalRecording
import Signals
import Synchronization
import Testing

/// Traced sequences that signals read.
@Suite("A signal of a traced AsyncSequence")
struct TracedSourceTests {
  private let recorder = GraphRecorder()

  /// The connections that the graph shows, as `stream numbers -> asyncSequence -`.
  private func edges() -> Set<String> {
    let snapshot = recorder.snapshot()
    let kinds = Dictionary(uniqueKeysWithValues: snapshot.definitions.map { ($0.id, $0.kind) })
    let titles = Dictionary(
      uniqueKeysWithValues: snapshot.nodes.map { ($0.id, "\(kinds[$0.definition] ?? "") \($0.name ?? "-")") })
    return Set(snapshot.edges.map { "\(titles[$0.source] ?? "?") -> \(titles[$0.target] ?? "?")" })
  }

  private func numbers(_ count: Int = 3) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(number) }
      continuation.finish()
    }
  }

  /// Subscribes where the recorder records, and waits for the end.
  private func values<Value: Sendable>(of signal: @Sendable () -> Signal<Value>) async -> [Value] {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let got = Mutex<[Value]>([])
    await recorder.record {
      let subscription = signal()
        .subscribe(onValue: { value in got.withLock { $0.append(value) } }, onFinish: { end.finish() })
      for await _ in ends {}
      withExtendedLifetime(subscription) {}
    }
    return Self.copy(of: got)
  }

  private static func copy<Value>(of got: borrowing Mutex<[Value]>) -> [Value] { got.withLock { $0.map(\.self) } }

  @Test("is connected to it, also through operators that are not traced")
  func sequence() async {
    let got = await values { [numbers] in
      Signal.asyncSequence(numbers(4).traced("numbers").map { $0 * 2 }.filter { $0 > 0 }).map { $0 + 1 }.named("odd")
    }
    #expect(got == [3, 5, 7])
    #expect(
      edges() == [
        "stream numbers -> asyncSequence -", "asyncSequence - -> map odd", "map odd -> subscribe -",
      ])
  }

  @Test("is connected to the last of a traced chain only")
  func chain() async {
    _ = await values { [numbers] in
      Signal.asyncSequence(numbers(3).traced("numbers").map { $0 }.traced("mapped"))
    }
    #expect(
      edges() == [
        "stream numbers -> map mapped", "map mapped -> asyncSequence -", "asyncSequence - -> subscribe -",
      ])
  }

  @Test("goes on from the values of another signal")
  func roundTrip() async {
    let got = await values { Signal.asyncSequence(Signal.sequence(1...3).values().traced("values")) }
    #expect(got == [1, 2, 3])
    #expect(
      edges() == [
        "sequence - -> subscribe -", "subscribe - -> signalValues values", "signalValues values -> asyncSequence -",
        "asyncSequence - -> subscribe -",
      ])
  }

  @Test("does not feed what its handlers iterate")
  func handlers() async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let other = numbers(1).traced("other")
    let subscription = await recorder.record {
      let subscription = Signal.asyncSequence(numbers(1)).subscribe { _ in
        Task {
          for await _ in other {}
          end.finish()
        }
      }
      for await _ in ends {}
      return subscription
    }
    #expect(recorder.snapshot().nodes.contains { $0.name == "other" && $0.valueCount == 1 })
    #expect(edges() == ["asyncSequence - -> subscribe -"])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "nothing of it is kept once the signal has ended, and a signal that is gone has no connection",
    .timeLimit(.minutes(20)))
  func gone() async {
    let sequence = numbers(3).traced("numbers")
    for _ in 0..<3 { _ = await values { Signal.asyncSequence(sequence) } }
    // The task that has ended them may not have left its closure yet.
    while !recorder.retainedNodes.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(recorder.retainedNodes.isEmpty)
    let snapshot = recorder.snapshot()
    let nodes = Set(snapshot.nodes.map(\.id))
    #expect(snapshot.edges.allSatisfy { nodes.contains($0.source) && nodes.contains($0.target) })
  }
}
