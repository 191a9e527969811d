import Dispatch
import SignalGraph
import SignalRecording
import Signals
import Testing

@Suite("tracing that begins and ends at once") struct TracingRaceTests {
  @Test func tracesAllOrNothing() {
    let bag = DisposeBag()
    defer { bag.dispose() }
    let recorder = GraphRecorder()
    let source = recorder.record { Emitter<Int>() }
    recorder.record {
      for _ in 0..<200 { source.signal.map { $0 }.subscribe { _ in }.store(in: bag) }
    }
    for round in 0..<200 {
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        for step in 0..<20 { recorder.traceHandlers((index + step) % 2 == 0) }
      }
      source.send(round)
      let traced = recorder.snapshot().nodes.count { $0.causes != nil }
      #expect(traced == 0 || traced == 401)
      recorder.traceHandlers(false)
    }
  }
}
