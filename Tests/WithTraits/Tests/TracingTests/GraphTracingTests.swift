import InMemoryTracing
import SignalTesting
import Signals
import Testing
import Tracing

@testable import SignalGraph
@testable import SignalObservability
@testable import SignalRecording

/// What becomes of causes with a tracer that keeps its spans in memory.
@Suite struct GraphTracingTests {
  private let recorder = GraphRecorder()
  private let tracer = InMemoryTracer()
  private let bag = DisposeBag()

  private func tracing(_ sampling: Double = 1, quiet: Double = 0) -> GraphTracing {
    GraphTracing(sampling: sampling, quiet: quiet, recorder: recorder, tracer: tracer)
  }

  private func names(_ span: FinishedInMemorySpan) -> [String] {
    span.events.map { String($0.name.prefix { $0 != " " }) }
  }

  @Test func aSpanReachesFromTheSendToItsLastEffectAlsoOverTime() throws {
    let time = VirtualTimeScheduler()
    let keys = recorder.record { Emitter<Int>() }
    let line = #line - 1
    recorder.record {
      keys.signal.named("keys").map { $0 + 1 }.delay(for: .seconds(5), on: time).named("later").subscribe { _ in }
        .store(in: bag)
    }
    let tracing = tracing(quiet: 0)
    tracing.start()
    keys.send(1)
    try time.advance(by: .seconds(5))
    tracing.look()
    let span = try #require(tracer.finishedSpans.first)
    #expect(tracer.finishedSpans.count == 1)
    #expect(span.operationName == "keys")
    #expect(names(span) == ["map", "later", "subscribe"])
    #expect(span.startInstant.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch)
    #expect(span.endInstant.nanosecondsSinceEpoch == span.events.last?.nanosecondsSinceEpoch)
    #expect(span.attributes["code.line.number"]?.toSpanAttribute() == .string("\(line)"))
    #expect(span.attributes["signals.origin"]?.toSpanAttribute() == .string("program"))
    #expect(span.parentSpanID == nil)
    // Nodes go on to tell of it.
    tracing.look()
    tracing.stop()
    #expect(tracer.finishedSpans.count == 1)
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test func whatHandlersSendOnIsBelow() throws {
    let (first, second) = recorder.record { (Emitter<Int>(), Emitter<Int>()) }
    recorder.record {
      first.signal.named("first").subscribe { second.send($0) }.store(in: bag)
      second.signal.named("second").subscribe { _ in }.store(in: bag)
    }
    let tracing = tracing()
    tracing.start()
    first.send(1)
    tracing.stop()
    let spans = tracer.finishedSpans
    let root = try #require(spans.first { $0.operationName == "first" })
    let below = try #require(spans.first { $0.operationName == "second" })
    #expect(spans.count == 2)
    #expect(below.parentSpanID == root.spanID)
    #expect(below.traceID == root.traceID)
    #expect(root.endInstant.nanosecondsSinceEpoch >= below.endInstant.nanosecondsSinceEpoch)
  }

  @Test func whoSendsInASpanHasItAbove() throws {
    let prices = recorder.record { Emitter<Int>() }
    recorder.record { prices.signal.named("prices").subscribe { _ in }.store(in: bag) }
    let tracing = tracing()
    tracing.start()
    let request = tracer.startSpan("request", context: .topLevel)
    InstrumentationContext.$current.withValue(request.context) { prices.send(1) }
    request.end()
    tracing.stop()
    let span = try #require(tracer.finishedSpans.first { $0.operationName == "prices" })
    #expect(span.parentSpanID == request.spanID)
    #expect(span.traceID == request.traceID)
  }

  @Test(
    arguments: [(0.0, 0...0), (0.1, 20...200), (1.0, 1_000...1_000), (7, 1_000...1_000), (-Double.infinity, 0...0)]
      as [(Double, ClosedRange<Int>)])
  func onlyAPartIsSampled(_ sampling: Double, _ expected: ClosedRange<Int>) {
    let numbers = recorder.record { Emitter<Int>() }
    recorder.record { numbers.signal.subscribe { _ in }.store(in: bag) }
    let tracing = tracing(sampling)
    tracing.start()
    for number in 0..<1_000 {
      numbers.send(number)
      if number % 4 == 3 { tracing.look() }
    }
    tracing.stop()
    #expect(expected.contains(tracer.finishedSpans.count), "\(tracer.finishedSpans.count)")
  }

  @Test func aSpanThatMayStillHaveEffectsWaits() {
    let numbers = recorder.record { Emitter<Int>() }
    recorder.record { numbers.signal.subscribe { _ in }.store(in: bag) }
    let tracing = tracing(quiet: 3_600)
    tracing.start()
    numbers.send(1)
    tracing.look()
    #expect(tracer.finishedSpans.isEmpty)
    tracing.stop()
    #expect(tracer.finishedSpans.count == 1)
  }

  @Test func profilingEndsWithATracingThatIsReleased() {
    var tracing: GraphTracing? = tracing()
    tracing?.start()
    #expect(recorder.isTracing)
    tracing = nil
    #expect(!recorder.isTracing)
  }

  @Test func aLateEffectIsNoSpanOfItsOwn() {
    func snapshot(_ causes: [Cause], at moment: Double) -> GraphSnapshot {
      var node = Node(id: 1, definition: 1)
      node.causes = causes
      return GraphSnapshot(
        process: ProcessIdentity(name: "P", pid: 1, startedAt: 0), takenAt: moment,
        definitions: [Definition(id: 1, kind: "emitter", fileID: "P/P.swift", line: 1, function: "f()")],
        nodes: [node])
    }
    var traces = Traces(quiet: 1)
    traces.add(snapshot([Cause(number: 1, at: 10, thread: "1", origin: .program)], at: 10)) { _ in true }
    #expect(traces.takeOver(at: 12).traces.map(\.number) == [1])
    // By now others have replaced it at its source.
    traces.add(snapshot([Cause(number: 2, at: 12, thread: "1", origin: .program)], at: 12)) { _ in true }
    var late = Cause(number: 1, at: 13, thread: "1")
    late.start = CauseStart(node: 1, at: 10, thread: "1", origin: .program)
    traces.add(snapshot([late], at: 13)) { _ in true }
    #expect(traces.takeOver(at: 20).traces.map(\.number) == [2])
  }

  @Test func theLatestContextsAreStoredWhenThereAreTooMany() {
    let contexts = SampledContexts(1)
    InstrumentationContext.$current.withValue(.topLevel) {
      for number in 1...10_000 { contexts.note(UInt64(number)) }
    }
    #expect(contexts.take(10_000) != nil && contexts.take(9_000) != nil && contexts.take(1) == nil)
  }

  @Test func whatWasSentWhileItWasOffIsNotTraced() {
    let numbers = recorder.record { Emitter<Int>() }
    recorder.record { numbers.signal.subscribe { _ in }.store(in: bag) }
    let tracing = tracing()
    numbers.send(1)
    tracing.look()
    tracing.start()
    tracing.stop()
    numbers.send(2)
    tracing.look()
    tracing.stop()
    #expect(tracer.finishedSpans.isEmpty)
  }

  @Test func itRunsUntilItIsCancelled() throws {
    let time = VirtualTimeScheduler()
    let numbers = recorder.record { Emitter<Int>() }
    recorder.record { numbers.signal.subscribe { _ in }.store(in: bag) }
    let tracing = tracing()
    let running = time.task { await tracing.run(clock: time) }
    try time.advance(by: .milliseconds(50))
    numbers.send(1)
    try time.advance(by: .milliseconds(100))
    #expect(tracer.finishedSpans.count == 1)
    running.cancel()
    try time.advance(by: .seconds(1))
    numbers.send(2)
    try time.advance(by: .seconds(1))
    #expect(tracer.finishedSpans.count == 1)
  }
}
