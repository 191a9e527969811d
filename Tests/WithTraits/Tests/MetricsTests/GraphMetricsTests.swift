import CoreMetrics
import MetricsTestKit
import SignalGraph
import SignalTesting
import Signals
import Testing

@testable import SignalFindings
@testable import SignalObservability

/// What the live graph says to a backend that keeps it in memory.
@Suite struct GraphMetricsTests {
  private let recorder = GraphRecorder()
  private let backend = TestMetrics()
  private let bag = DisposeBag()

  private func labels(_ kind: String, line: Int) -> [(String, String)] {
    [("place", "\(#fileID):\(line)"), ("kind", kind)]
  }

  private func gauge(_ label: String, _ labels: [(String, String)] = []) throws -> Double? {
    try backend.expectGauge(label, labels).lastValue
  }

  @Test func countsRatesAndWhatLivesAreReportedByPlace() throws {
    let metrics = GraphMetrics(recorder: recorder, factory: backend)
    let prices = recorder.record { Emitter<Int>() }
    let line = #line - 1
    recorder.record { prices.signal.filter { $0 > 1 }.subscribe { _ in }.store(in: bag) }
    for price in 0..<5 { prices.send(price) }
    metrics.report()
    prices.send(5)
    prices.send(0)
    metrics.report()
    #expect(try backend.expectCounter("signals_values_total", labels("emitter", line: line)).values == [5, 2])
    #expect(try backend.expectCounter("signals_values_total", labels("filter", line: line + 2)).values == [3, 1])
    #expect(try backend.expectCounter("signals_values_total", labels("subscribe", line: line + 2)).totalValue == 4)
    #expect(try gauge("signals_live", labels("subscribe", line: line + 2)) == 1)
    #expect(try gauge("signals_values_per_second", labels("emitter", line: line)) ?? 0 > 0)
    #expect(try gauge("signals_places_left_out") == 0)
    bag.disposeAll()
    metrics.report()
    #expect(try gauge("signals_live", labels("subscribe", line: line + 2)) == 0)
    let ended = labels("subscribe", line: line + 2)
    #expect(try backend.expectCounter("signals_ended_total", ended + [("how", "disposed")]).totalValue == 1)
    #expect(try backend.expectCounter("signals_ended_total", ended + [("how", "failed")]).totalValue == 0)
  }

  @Test func rateIsThatSinceTheLastReport() throws {
    func snapshot(at moment: Double, values: UInt64) -> GraphSnapshot {
      GraphSnapshot(
        process: ProcessIdentity(name: "P", pid: 1, startedAt: 0), takenAt: moment,
        definitions: [Definition(id: 1, kind: "map", fileID: "P/P.swift", line: 1, function: "f()")],
        nodes: [Node(id: 1, definition: 1, valueCount: values, waiting: 7, dropped: values / 10)])
    }
    let metrics = GraphMetrics(factory: backend)
    metrics.report(snapshot(at: 10, values: 100))
    metrics.report(snapshot(at: 14, values: 300))
    // Too late, and one that has forgotten.
    metrics.report(snapshot(at: 12, values: 200))
    metrics.report(snapshot(at: 15, values: 250))
    let labels = [("place", "P/P.swift:1"), ("kind", "map")]
    #expect(try backend.expectRecorder("signals_values_per_second", labels).values == [50, 0])
    #expect(try backend.expectCounter("signals_values_total", labels).values == [100, 200])
    #expect(try backend.expectCounter("signals_dropped_total", labels).values == [10, 20])
    #expect(try gauge("signals_waiting", labels) == 7)
  }

  @Test func dropsOfNodesThatAreNoLongerListedStayCounted() throws {
    func snapshot(at moment: Double, dropped: [UInt64: UInt64]) -> GraphSnapshot {
      GraphSnapshot(
        process: ProcessIdentity(name: "P", pid: 1, startedAt: 0), takenAt: moment,
        definitions: [Definition(id: 1, kind: "map", fileID: "P/P.swift", line: 1, function: "f()")],
        nodes: dropped.keys.sorted().map {
          Node(id: $0, definition: 1, valueCount: 0, waiting: 0, dropped: dropped[$0])
        })
    }
    let metrics = GraphMetrics(factory: backend)
    metrics.report(snapshot(at: 1, dropped: [1: 100, 2: 50]))
    metrics.report(snapshot(at: 2, dropped: [2: 60]))
    metrics.report(snapshot(at: 3, dropped: [2: 60, 3: 5]))
    metrics.report(snapshot(at: 4, dropped: [1: 100]))
    let labels = [("place", "P/P.swift:1"), ("kind", "map")]
    #expect(try backend.expectCounter("signals_dropped_total", labels).values == [150, 10, 5])
  }

  @Test func valuesAreCountedOnceByReportsAtTheSameTime() async throws {
    let metrics = GraphMetrics(findsFaults: false, recorder: recorder, factory: backend)
    let numbers = recorder.record { Emitter<Int>() }
    let line = #line - 1
    recorder.record { numbers.signal.subscribe { _ in }.store(in: bag) }
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          for number in 0..<300 {
            numbers.send(number)
            metrics.report()
          }
        }
      }
    }
    metrics.report()
    #expect(try backend.expectCounter("signals_values_total", labels("emitter", line: line)).totalValue == 900)
  }

  @Test func valuesAreCountedOnceIfALaterSnapshotIsReportedFirst() throws {
    let metrics = GraphMetrics(findsFaults: false, recorder: recorder, factory: backend)
    let numbers = recorder.record { Emitter<Int>() }
    let line = #line - 1
    recorder.record { numbers.signal.subscribe { _ in }.store(in: bag) }
    metrics.report {
      let earlier = recorder.snapshot()
      numbers.send(1)
      metrics.report(recorder.snapshot())
      return earlier
    }
    metrics.report()
    #expect(try backend.expectCounter("signals_values_total", labels("emitter", line: line)).totalValue == 1)
  }

  @Test func noMorePlacesThanAllowedHaveLabelsOfTheirOwn() throws {
    func snapshot(at moment: Double, places: Int, values: UInt64) -> GraphSnapshot {
      var snapshot = GraphSnapshot(process: ProcessIdentity(name: "P", pid: 1, startedAt: 0), takenAt: moment)
      for id in 1...places {
        snapshot.definitions.append(
          Definition(id: id, kind: "map", fileID: "P/P.swift", line: id, function: "f()"))
        snapshot.nodes.append(Node(id: UInt64(id), definition: id, valueCount: values * UInt64(id)))
      }
      return snapshot
    }
    let metrics = GraphMetrics(placeLimit: 3, factory: backend)
    metrics.report(snapshot(at: 1, places: 10, values: 1))
    metrics.report(snapshot(at: 2, places: 1_000, values: 2))
    let places = Set(backend.counters(label: "signals_values_total").map { $0.dimensions[0].1 })
    #expect(places == ["P/P.swift:10", "P/P.swift:9", "P/P.swift:8", "other"])
    #expect(try gauge("signals_places_left_out") == 997)
    let all = backend.counters(label: "signals_values_total").reduce(0) { $0 + $1.totalValue }
    #expect(all == 2 * (1...1_000).reduce(0, +))
    #expect(backend.counters.count + backend.recorders.count < 60)
  }

  @Test func findingsAreReportedByRuleAndGoAway() throws {
    let metrics = GraphMetrics(recorder: recorder, factory: backend)
    let sheet = GraphScope("sheet")
    let setting = recorder.record { Property(1) }
    let subscription = recorder.record {
      sheet.run { setting.signal.subscribe { _ in } }
    }
    metrics.report()
    #expect(try gauge("signals_findings", [("rule", "leak")]) == 0)
    sheet.end()
    metrics.report()
    #expect(try gauge("signals_findings", [("rule", "leak")]) == 1)
    #expect(try gauge("signals_findings", [("rule", "growth")]) == 0)
    subscription.dispose()
    metrics.report()
    #expect(try gauge("signals_findings", [("rule", "leak")]) == 0)
    #expect(backend.recorders(label: "signals_findings").count == Rules.all.count)
  }

  @Test func whoDoesNotWantFindingsHasNone() {
    GraphMetrics(findsFaults: false, recorder: recorder, factory: backend).report()
    #expect(backend.recorders(label: "signals_findings").isEmpty)
  }

  @Test func itReportsAtItsIntervalUntilItIsCancelled() throws {
    let time = VirtualTimeScheduler()
    try recorder.record {
      let step = GraphReporter("step")
      let metrics = GraphMetrics(recorder: recorder, factory: backend)
      let reporting = time.task { await metrics.run(every: .seconds(10), clock: time) }
      for _ in 0..<3 {
        step.countValue()
        try time.advance(by: .seconds(10))
      }
      #expect(backend.counters(label: "signals_values_total").map(\.totalValue) == [3])
      reporting.cancel()
      try time.advance(by: .seconds(100))
      step.countValue()
      try time.advance(by: .seconds(100))
      #expect(backend.counters(label: "signals_values_total").map(\.totalValue) == [3])
      step.finish()
    }
  }
}
