import SignalFindings
import SignalGraph
import SignalRecording
import Signals
import Testing

/// What is known of causes that began longer ago than their source remembers.
@Suite("where causes began") struct CauseStartTests {
  private let recorder = GraphRecorder()
  private let bag = DisposeBag()

  private func node(_ kind: String, in snapshot: GraphSnapshot) throws -> Node {
    let definition = try #require(snapshot.definitions.first { $0.kind == kind })
    return try #require(snapshot.nodes.first { $0.definition == definition.id })
  }

  @Test func aThrottleKnowsLongerThanItsSource() throws {
    let scheduler = VirtualTimeScheduler()
    let source = recorder.record { Emitter<Int>() }
    recorder.record {
      source.signal.throttle(for: .seconds(1), on: scheduler, latest: true).subscribe { _ in }.store(in: bag)
    }
    recorder.traceHandlers(true)
    defer { recorder.traceHandlers(false) }
    // It gives a value after a second; the source has forgotten its cause when twenty more have come.
    for value in 0..<70 {
      source.send(value)
      try scheduler.advance(by: .milliseconds(20))
    }
    let snapshot = recorder.snapshot()
    let why = Explanation(of: try node("subscribe", in: snapshot), in: Observation(snapshot))
    let trail = try #require(why.trails.first)
    #expect(trail.isComplete, "\(trail)")
    #expect(trail.hops.map(\.title) == ["`emitter`", "`throttle`", "`subscribe`"], "\(trail)")
    #expect(trail.hops.first?.beginning == "sent by the program")
  }

  @Test func whatTheSourceStillKnowsIsNotTold() throws {
    let source = recorder.record { Emitter<Int>() }
    recorder.record { source.signal.map { $0 }.subscribe { _ in }.store(in: bag) }
    recorder.traceHandlers(true)
    defer { recorder.traceHandlers(false) }
    source.send(1)
    let snapshot = recorder.snapshot()
    #expect(try node("map", in: snapshot).causes?.count == 1)
    #expect(snapshot.nodes.allSatisfy { $0.causes?.allSatisfy { $0.start == nil } ?? true })
  }

  @Test func whatHandlersSendIsForgottenWithTheTracing() throws {
    let (first, second) = recorder.record { (Emitter<Int>(), Emitter<Int>()) }
    recorder.record {
      second.signal.subscribe { _ in }.store(in: bag)
      first.signal.subscribe { value in
        second.send(value)
        // While the last handler runs, nobody asks any more.
        if value == 2 { recorder.traceHandlers(false) }
        second.send(value)
      }.store(in: bag)
    }
    recorder.traceHandlers(true)
    first.send(1)
    #expect(recorder.snapshot().edges.contains { $0.kind == .feedback })
    first.send(2)
    first.send(3)
    #expect(!recorder.snapshot().edges.contains { $0.kind == .feedback })
  }
}
