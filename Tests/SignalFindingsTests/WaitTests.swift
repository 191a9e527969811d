import SignalFindings
import SignalGraph
import SignalRecording
import Signals
import Testing

/// How long values waited: measured while handlers are traced, and told by the rules that it has to do with.
@Suite("values that wait") struct WaitTests {
  private let bag = DisposeBag()
  private let scheduler = VirtualTimeScheduler()

  private func spin(_ milliseconds: Int) {
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(milliseconds)
    while clock.now < end {}
  }

  private func waits(_ snapshot: GraphSnapshot) -> [WaitTimes] { snapshot.nodes.compactMap(\.waits) }

  @Test func timesAreMeasuredAtAHopWhileHandlersAreTraced() throws {
    let (recorder, source) = (GraphRecorder(), Emitter<Int>())
    recorder.record { source.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag) }
    source.send(0)
    try scheduler.advance()
    #expect(waits(recorder.snapshot()) == [])
    recorder.traceHandlers(true)
    for value in 1...3 {
      // Of two that wait together, the first is measured.
      source.send(value)
      source.send(value)
      spin(2)
      try scheduler.advance()
    }
    let measured = try #require(waits(recorder.snapshot()).first)
    #expect(measured.values == 3)
    #expect(measured.seconds >= 0.006)
    #expect(measured.longest >= 0.002 && measured.longest <= measured.seconds)
  }

  @Test func aValueIsMeasuredUntilItIsItsTurn() throws {
    let (recorder, source) = (GraphRecorder(), Emitter<Int>())
    recorder.record { source.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag) }
    for value in 0..<5 { source.send(value) }
    recorder.traceHandlers(true)
    source.send(5)
    spin(2)
    // It has not left, but has waited.
    let before = try #require(waits(recorder.snapshot()).first)
    #expect(before.values == 0 && before.longest >= 0.002)
    try scheduler.advance()
    let after = try #require(waits(recorder.snapshot()).first)
    #expect(after.values == 1 && after.longest >= before.longest)
  }

  @Test func whatWasMeasuredIsForgottenWhenTracingBeginsAnew() throws {
    let (recorder, source) = (GraphRecorder(), Emitter<Int>())
    recorder.record { source.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag) }
    recorder.traceHandlers(true)
    source.send(1)
    try scheduler.advance()
    recorder.traceHandlers(false)
    #expect(waits(recorder.snapshot()).map(\.values) == [1])
    source.send(2)
    try scheduler.advance()
    #expect(waits(recorder.snapshot()).map(\.values) == [1])
    recorder.traceHandlers(true)
    #expect(waits(recorder.snapshot()) == [])
    source.send(3)
    try scheduler.advance()
    #expect(waits(recorder.snapshot()).map(\.values) == [1])
  }

  @Test func valuesThatAreDroppedLeaveToo() throws {
    let (recorder, source) = (GraphRecorder(), Emitter<Int>())
    recorder.record {
      source.signal.receive(on: scheduler, overflow: .newest(2)).subscribe { _ in }.store(in: bag)
    }
    recorder.traceHandlers(true)
    for value in 0..<5 { source.send(value) }
    try scheduler.advance()
    // The first is dropped for the third, which is measured then, and dropped for the fifth.
    #expect(try #require(waits(recorder.snapshot()).first).values == 3)
  }

  @Test func whatWasDisposedWaitsForNothing() {
    let (recorder, source) = (GraphRecorder(), Emitter<Int>())
    recorder.record { source.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag) }
    recorder.traceHandlers(true)
    source.send(1)
    bag.disposeAll()
    #expect(waits(recorder.snapshot()) == [])
  }

  // MARK: In messages

  private func main(at moment: Double, handled seconds: Double, waits: WaitTimes?) -> GraphSnapshot {
    var graph = SampleGraph(takenAt: moment)
    graph.define("emitter", line: 1)
    graph.define("receive(on:)", line: 2)
    graph.define("subscribe", line: 3)
    graph.add(1, line: 1, values: UInt64(moment) * 30, since: nil)
    graph.add(2, line: 2, values: UInt64(moment), from: [1], waiting: 10 + UInt64(moment) * 20)
    graph.add(3, line: 3, values: UInt64(moment), from: [2])
    var snapshot = graph.snapshot
    snapshot.nodes[1].scheduler = "main"
    snapshot.nodes[1].waits = waits
    snapshot.nodes[2].handler = HandlerTimes(
      calls: UInt64(moment), seconds: seconds, mainSeconds: seconds, longest: 0.05)
    return snapshot
  }

  private func messages(_ waits: WaitTimes?, _ time: Observation.Time = .real) -> [String] {
    let before = main(at: 1, handled: 0, waits: nil)
    return Rules.findings(in: Observation(main(at: 11, handled: 5, waits: waits), since: before, time: time))
      .sorted { $0.rule < $1.rule }.map(\.message)
  }

  @Test func longWaitsAreToldByExplanations() throws {
    func notes(_ longest: Double) throws -> [String] {
      let graph = GraphView(main(at: 1, handled: 0, waits: WaitTimes(values: 2, seconds: 1, longest: longest)))
      return Explanation(of: try #require(graph.nodes[2]), in: Observation(graph.snapshot)).steps[0].notes
    }
    #expect(try notes(0.75) == ["it works on `main`", "30 values wait in it", "values waited up to 750 ms in it"])
    #expect(try notes(0.049) == ["it works on `main`", "30 values wait in it"])
  }

  @Test func longWaitsAreToldByTheRules() {
    #expect(
      messages(WaitTimes(values: 3, seconds: 2, longest: 1.2345)) == [
        "230 values wait at this `receive(on:)`, 200 more than 10 s before: 300 came and 10 went; one has waited for at least 1.2 s",
        "this handler took 50 % of the main thread's time, with 10 calls of up to 50 ms; values wait up to 1.2 s for the main thread",
      ])
  }

  @Test func shortWaitsAndThoseOfTestsAreNot() {
    let plain = messages(nil)
    #expect(plain.count == 2)
    #expect(messages(WaitTimes(values: 3, seconds: 0.1, longest: 0.049)) == plain)
    #expect(messages(WaitTimes(values: 3, seconds: 2, longest: 1.2), .virtual) == plain)
  }
}
