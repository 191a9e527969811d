import SignalFindings
import SignalGraph
import Signals
import Testing

@testable import SignalRecording

@Suite("busy-main") struct BusyMainRuleTests {
  private func graph(at moment: Double, _ times: HandlerTimes) -> GraphSnapshot {
    var graph = SampleGraph(takenAt: moment)
    graph.define("emitter", line: 1)
    graph.define("subscribe", line: 2)
    graph.add(1, line: 1)
    graph.add(2, line: 2, from: [1])
    var snapshot = graph.snapshot
    snapshot.nodes[1].handler = times
    return snapshot
  }

  private func findings(_ times: HandlerTimes, earlier: HandlerTimes = HandlerTimes()) -> [Finding] {
    Rules.findings(in: Observation(graph(at: 10, times), since: graph(at: 0, earlier)))
  }

  @Test func muchOfTheTime() {
    let found = findings(HandlerTimes(calls: 100, seconds: 4, mainSeconds: 4, longest: 0.05))
    #expect(found.map(\.rule) == ["busy-main"])
    #expect(found.first?.place.line == 2)
    #expect(
      found.first?.message == "this handler took 40 % of the main thread's time, with 100 calls of up to 50 ms")
  }

  @Test func oneLongCall() {
    #expect(
      findings(HandlerTimes(calls: 1, seconds: 0.3, mainSeconds: 0.3, longest: 0.3)).map(\.rule) == ["busy-main"])
  }

  @Test(
    "a long call from before it was watched is no trouble, and each later one is",
    arguments: [
      (HandlerTimes(calls: 3, seconds: 0.152, mainSeconds: 0.152, longest: 0.15), false),
      (HandlerTimes(calls: 2, seconds: 0.29, mainSeconds: 0.29, longest: 0.15), true),
      (HandlerTimes(calls: 3, seconds: 0.32, mainSeconds: 0.32, longest: 0.16), true),
    ])
  func earlierLongCall(times: HandlerTimes, isFound: Bool) {
    let earlier = HandlerTimes(calls: 1, seconds: 0.15, mainSeconds: 0.15, longest: 0.15)
    #expect(findings(times, earlier: earlier).isEmpty == !isFound)
  }

  @Test("a handler that waits is told not to block", arguments: [(0.1, true), (2, false), (nil, false)])
  func waiting(cpuTime: Double?, isWaiting: Bool) throws {
    var times = HandlerTimes(calls: 10, seconds: 4, mainSeconds: 4, longest: 0.4)
    times.mainCPUSeconds = cpuTime
    let found = try #require(findings(times).first)
    #expect(found.message.hasSuffix("of up to 400 ms, and waited nearly all of that time") == isWaiting)
    #expect(found.remedy.hasPrefix(isWaiting ? "do not block the main thread" : "do the work above a hop"))
  }

  @Test(
    "other threads, little time and earlier times are nobody's trouble",
    arguments: [
      HandlerTimes(calls: 100, seconds: 9, mainSeconds: 0, longest: 0.5),
      HandlerTimes(calls: 100, seconds: 1, mainSeconds: 1, longest: 0.01),
    ])
  func healthy(times: HandlerTimes) {
    #expect(findings(times) == [])
    #expect(findings(times, earlier: times) == [])
  }

  @Test func onlyTheTimeInWhichItWasWatchedCounts() {
    let times = HandlerTimes(calls: 100, seconds: 4, mainSeconds: 4, longest: 0.05)
    #expect(findings(times, earlier: times) == [])
  }

  /// A `map` that takes 2 ms of CPU time, once.
  @MainActor private func times(of body: (VirtualTimeScheduler, DisposeBag) -> Emitter<Int>) throws -> GraphSnapshot {
    let (recorder, scheduler, bag) = (GraphRecorder(), VirtualTimeScheduler(), DisposeBag())
    let source = recorder.record { body(scheduler, bag) }
    recorder.traceHandlers(true)
    source.send(1)
    try scheduler.advance(by: .milliseconds(1))
    let snapshot = recorder.snapshot()
    bag.close()
    return snapshot
  }

  private func slow(_ number: Int) -> Int {
    let clock = ContinuousClock()
    let (end, cpuEnd) = (clock.now + .milliseconds(2), ThreadUsage.current.map { $0.cpuTime + 2_000_000 })
    while clock.now < end || ThreadUsage.current.map({ $0.cpuTime }) ?? .max < cpuEnd ?? 0 {}
    return number
  }

  @MainActor @Test func aSlowOperatorBelowAHopCountsAsPartOfTheHandler() throws {
    let snapshot = try times { scheduler, bag in
      let source = Emitter<Int>()
      source.signal.receive(on: scheduler).map(slow).filter { $0 > 0 }.subscribe { _ in }.store(in: bag)
      return source
    }
    let handler = try #require(snapshot.nodes.compactMap(\.handler).first)
    #expect(handler.calls == 1)
    #expect(handler.mainSeconds >= 0.002)
    var before = snapshot
    before.nodes.indices.forEach { before.nodes[$0].handler = nil }
    before.takenAt = snapshot.takenAt - handler.mainSeconds
    let found = Rules.findings(in: Observation(snapshot, since: before))
    #expect(found.map(\.rule) == ["busy-main"])
    #expect(
      found.first?.message.hasPrefix("this handler, with the operators between it and its hop, took 100 % of the main")
        == true)
    #expect(found.first?.related.map(\.message) == ["values come to the main thread with this `receive(on:)`"])
  }
}
