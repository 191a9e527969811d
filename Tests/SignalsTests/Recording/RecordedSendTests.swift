import SignalGraph
import Signals
import Testing

/// What the live graph says of sends by handlers.
@Suite("Sends by handlers in the live graph") struct RecordedSendTests {
  /// As of a server whose page stays open: each request subscribes for a while.
  @Test func sendsOfHandlersThatAreGoneTakeNoPlaceOfLaterOnes() throws {
    let recorder = GraphRecorder(endedLimit: 1_000)
    let (requests, answers) = recorder.record { (Emitter<Int>(), Emitter<Int>()) }
    let reader = recorder.record { answers.signal.subscribe { _ in } }
    recorder.traceHandlers(true)
    // More than are stored at a time.
    for request in 0..<10_500 {
      let subscription = recorder.record { requests.signal.subscribe { answers.send($0) } }
      requests.send(request)
      subscription.dispose()
      if request.isMultiple(of: 1_000) { _ = recorder.snapshot() }
    }
    let last = recorder.record { requests.signal.subscribe { answers.send($0) } }
    requests.send(1)
    requests.send(2)
    let snapshot = recorder.snapshot()
    let live = Set(snapshot.nodes.filter { $0.state == .live }.map(\.id))
    let sends = snapshot.edges.filter { $0.kind == .feedback && live.contains($0.source) }
    #expect(sends.map(\.count) == [2])
    withExtendedLifetime((last, reader, requests, answers)) {}
  }
}
