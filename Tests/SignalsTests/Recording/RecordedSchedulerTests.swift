import Dispatch
import SignalGraph
import Signals
import Testing

/// The graph says what each node's work runs on, and how long it waits.
@Suite("schedulers in the graph") struct RecordedSchedulerTests {
  private actor Counter {}

  private struct Soon: Scheduler {
    var queue: Int
    var now: SchedulerInstant { .uptime }
    func schedule(_ work: @escaping @Sendable () -> Void) {}
    func schedule(
      after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
    ) -> any Disposable { DisposeBag() }
  }

  private let bag = DisposeBag()
  private let recorder = GraphRecorder()
  private let source = Emitter<Int>()

  /// The nodes of signals that are subscribed to, by kind.
  private func nodes<Value>(_ signals: Signal<Value>...) -> [String: [Node]] {
    recorder.record {
      for signal in signals { signal.subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag) }
    }
    let snapshot = recorder.snapshot()
    let kinds = Dictionary(uniqueKeysWithValues: snapshot.definitions.map { ($0.id, $0.kind) })
    return Dictionary(grouping: snapshot.nodes) { kinds[$0.definition] ?? "" }
  }

  private func names(_ schedulers: any Scheduler...) -> [String?] {
    let source = source
    let recorder = recorder
    let nodes = schedulers.flatMap { scheduler in
      recorder.record { source.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag) }
      return [scheduler]
    }
    let snapshot = recorder.snapshot()
    let hop = snapshot.definitions.first { $0.kind == "receive(on:)" }
    return Array(snapshot.nodes.filter { $0.definition == hop?.id }.map(\.scheduler).suffix(nodes.count))
  }

  @Test func schedulersHaveShortNames() {
    let images = DispatchQueue(label: "com.app.images")
    let counter = Counter()
    let names = names(
      .main, .mainImmediate, .immediate, VirtualTimeScheduler(), .queue(images), .qos(.utility), .qos(.userInitiated),
      .qos(.background), .qos(.default), .actor(counter), .clock(ContinuousClock()), Soon(queue: 1))
    withExtendedLifetime(counter) {}
    #expect(
      names == [
        "main", "main", "immediate", "virtual", "com.app.images", "qos.utility", "qos.userInitiated",
        "qos.background", "qos.default", "Counter", "clock", "Soon",
      ])
  }

  @Test func thoseOfOneNameAreToldApart() {
    let (first, second) = (VirtualTimeScheduler(), VirtualTimeScheduler())
    let worker: any Scheduler = .qos(.utility)
    let names = names(
      first, second, first, worker, .qos(.utility), worker, Soon(queue: 1), Soon(queue: 2), Soon(queue: 1))
    #expect(
      names == [
        "virtual", "virtual #2", "virtual", "qos.utility", "qos.utility #2", "qos.utility", "Soon", "Soon #2", "Soon",
      ])
  }

  @Test func operatorsOfTimeSayHowLongTheyWait() {
    let scheduler = VirtualTimeScheduler()
    let (second, values) = (Duration.seconds(1), source.signal)
    let found = nodes(
      values.delay(for: second, on: scheduler), values.delayValues(for: second, on: scheduler),
      values.debounce(for: second, on: scheduler), values.throttle(for: second, on: scheduler, latest: true),
      values.audit(for: second, on: scheduler), values.sample(every: second, on: scheduler),
      values.timeout(after: second, on: scheduler), values.repeat(after: second, on: scheduler),
      values.collect(for: second, on: scheduler).map(\.count), values.window(for: second, on: scheduler).map { _ in 0 },
      values.grouped(timeout: second, on: scheduler) { $0 }.map { _ in 0 },
      Signal<Void>.timer(after: second, on: scheduler).map { 0 }, .interval(every: second, on: scheduler))
    for kind in [
      "delay", "delayValues", "debounce", "throttle", "audit", "sample(every:on:)", "timeout", "repeat(after:)",
      "collect(for:on:)", "window(for:on:)", "grouped", "timer", "interval",
    ] {
      let nodes = found[kind] ?? []
      #expect(nodes.map(\.scheduler) == ["virtual"], "\(kind)")
      #expect(nodes.map(\.interval) == [1], "\(kind)")
      #expect(nodes.map(\.leadTime) == [nil], "\(kind)")
    }
    #expect(found["subscribe"]?.allSatisfy { $0.scheduler == nil && $0.interval == nil } == true)
    #expect(found["map"]?.allSatisfy { $0.scheduler == nil && $0.interval == nil } == true)
    #expect(found["emitter"]?.map(\.scheduler) == [nil])
  }

  @Test func anIntervalMayBeginAtAnotherTime() {
    let scheduler = VirtualTimeScheduler()
    let found = nodes(.interval(every: .seconds(2), on: scheduler, after: .milliseconds(500)))
    #expect(found["interval"]?.map(\.interval) == [2])
    #expect(found["interval"]?.map(\.leadTime) == [0.5])
  }

  @Test func whatHasNoTimeOfItsOwnSaysOnlyWhereItRuns() {
    let scheduler = VirtualTimeScheduler()
    let found = nodes(
      source.signal.receive(on: scheduler), source.signal.subscribed(on: scheduler),
      source.signal.retry(after: .constant(.seconds(1)), on: scheduler))
    for kind in ["receive(on:)", "subscribed(on:)", "retry(after:)"] {
      #expect(found[kind]?.map(\.scheduler) == ["virtual"], "\(kind)")
      #expect(found[kind]?.map(\.interval) == [nil], "\(kind)")
    }
  }

  @Test func aChainWithSeveralSaysItOfEach() {
    let (first, second) = (VirtualTimeScheduler(), VirtualTimeScheduler())
    let found = nodes(
      source.signal.delay(for: .seconds(1), on: first).map { $0 + 1 }.receive(on: second)
        .debounce(for: .seconds(3), on: first))
    #expect(found["delay"]?.map(\.scheduler) == found["debounce"]?.map(\.scheduler))
    #expect(found["delay"]?.map(\.interval) == [1])
    #expect(found["debounce"]?.map(\.interval) == [3])
    #expect(found["receive(on:)"]?.map(\.scheduler) != found["delay"]?.map(\.scheduler))
  }

  @Test func aChainThatHasEndedKeepsNoScheduler() {
    weak var kept: VirtualTimeScheduler?
    do {
      let scheduler = VirtualTimeScheduler()
      kept = scheduler
      recorder.record { source.signal.delay(for: .seconds(1), on: scheduler).subscribe { _ in } }.dispose()
    }
    #expect(kept == nil)
    let delays = recorder.snapshot().nodes.filter { $0.interval == 1 }
    #expect(delays.map(\.scheduler) == ["virtual"])
  }
}
