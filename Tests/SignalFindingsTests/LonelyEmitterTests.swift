import SignalFindings
import SignalGraph
import SignalRecording
import Signals
import Testing

@Suite("An emitter that only handlers know") struct LonelyEmitterTests {
  @Test func whatAHandlerSendsToItIsInTheGraph() throws {
    let recorder = GraphRecorder()
    let (keys, results) = (Emitter<Int>(), Emitter<Int>())
    recorder.record {
      let keep = keys.signal.subscribe { results.send($0) }
      let other = results.signal.subscribe { _ in }
      other.dispose()
      recorder.traceHandlers(true)
      keys.send(1)
      keys.send(2)
      withExtendedLifetime(keep) {}
      let snapshot = recorder.snapshot()
      let handler = snapshot.nodes.first { node in
        node.state == .live && snapshot.definitions.contains { $0.id == node.definition && $0.kind == "subscribe" }
      }
      let feedback = snapshot.edges.filter { $0.kind == .feedback }
      #expect(feedback.map(\.source) == [handler?.id])
      #expect(feedback.map(\.count) == [2])
    }
  }

  @Test func oneThatNobodyHasEverSubscribedTo() throws {
    let recorder = GraphRecorder()
    let (keys, results) = (Emitter<Int>(), Emitter<Int>())
    recorder.record {
      let keep = keys.signal.subscribe { results.send($0) }
      recorder.traceHandlers(true)
      keys.send(1)
      withExtendedLifetime(keep) {}
      #expect(recorder.snapshot().edges.filter { $0.kind == .feedback }.count == 1)
    }
  }
}
