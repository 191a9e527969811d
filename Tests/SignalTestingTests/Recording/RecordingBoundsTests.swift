import Signals
import Testing

@testable import SignalTesting

@Suite struct RecordingBoundsTests {
  @Test func timesBeyondThoseOfDiagramsAreSaid() throws {
    let scheduler = VirtualTimeScheduler()
    let signal = Signal.just(1).delay(for: .seconds(10_000_000_000), on: scheduler)
    let recorder = signal.record(timedBy: scheduler)
    let probe = signal.probe(on: scheduler)
    try scheduler.advance(by: .seconds(20_000_000_000))
    #expect(recorder.diagram == "The diagram is longer than 292 years. Shorten it.")
    let failures = heldFailures { probe.conclude() }
    #expect(failures.first?.message.contains("2 events of this probe were not read") == true)
  }
}
