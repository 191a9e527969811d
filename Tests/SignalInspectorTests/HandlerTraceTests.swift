import Dispatch
import Foundation
import SignalRecording
import Signals
import Synchronization
import Testing

@testable import SignalInspector

@Suite("a trace that clients ask for") struct HandlerTraceTests {
  /// What is to be done after a time.
  private final class Alarms: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    func add(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

    /// Does what waits, which may ask for more.
    func ring() {
      let works = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for work in works { work() }
    }

    var count: Int { waiting.withLock { $0.count } }
  }

  private let recorder = GraphRecorder()
  private let alarms = Alarms()

  private func makeTrace() -> HandlerTrace {
    HandlerTrace(recorder: { [recorder] in recorder }) { [alarms] _, work in alarms.add(work) }
  }

  @Test func goesOnAfterRecordingWasTurnedOffAndOn() {
    let trace = makeTrace()
    trace.extend(by: .seconds(60))
    #expect(recorder.isTracing)
    // As when recording is turned off.
    recorder.endTracing()
    #expect(!recorder.isTracing)
    trace.extend(by: .seconds(60))
    #expect(recorder.isTracing)
    #expect(alarms.count == 1)
  }

  @Test func endsWithTheLastClient() {
    let trace = makeTrace()
    trace.extend(by: .zero)
    trace.extend(by: .seconds(60))
    alarms.ring()
    #expect(recorder.isTracing)
    #expect(alarms.count == 1)
    let other = makeTrace()
    other.extend(by: .zero)
    alarms.ring()
    #expect(recorder.isTracing)
  }

  @Test func endsAfterItsTimeUnlessTheProgramTracesToo() {
    let trace = makeTrace()
    trace.extend(by: .zero)
    alarms.ring()
    #expect(!recorder.isTracing)
    recorder.traceHandlers(true)
    trace.extend(by: .zero)
    alarms.ring()
    #expect(recorder.isTracing)
    trace.extend(by: .seconds(60))
    recorder.traceHandlers(false)
    #expect(recorder.isTracing)
  }

  @Test func oneThatEndsWhileAnotherClientAsks() throws {
    let trace = Mutex<HandlerTrace?>(nil)
    let isEnding = Atomic<Bool>(false)
    let hasAsked = Atomic<Bool>(false)
    let group = DispatchGroup()
    let tested = HandlerTrace(recorder: { [recorder] in
      guard isEnding.exchange(false, ordering: .relaxed) else { return recorder }
      // Before it is ended, another client asks; it has some time to be answered.
      DispatchQueue.global().async(group: group) {
        trace.withLock { $0 }?.extend(by: .seconds(60))
        hasAsked.store(true, ordering: .releasing)
      }
      for _ in 0..<50_000 where !hasAsked.load(ordering: .acquiring) { sched_yield() }
      return recorder
    }) { [alarms] _, work in alarms.add(work) }
    trace.withLock { $0 = tested }
    tested.extend(by: .zero)
    isEnding.store(true, ordering: .relaxed)
    alarms.ring()
    group.wait()
    #expect(recorder.isTracing)
  }
}
