import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("Steps of other pipelines") struct ReportedStepTests {
  private func snapshot(at moment: Double, _ change: (inout SampleGraph) -> Void) -> GraphSnapshot {
    var graph = SampleGraph(takenAt: moment)
    change(&graph)
    var snapshot = graph.snapshot
    for index in snapshot.definitions.indices { snapshot.definitions[index].isReported = true }
    return snapshot
  }

  private func connections(at moment: Double, _ count: Int) -> GraphSnapshot {
    snapshot(at: moment) { graph in
      graph.define("connection", line: 1, ends: EndCounts(disposed: 3))
      for id in 0..<UInt64(count) { graph.add(id + 1, line: 1, since: Double(id) * 0.5) }
    }
  }

  @Test func whatGrowsIsFoundAlsoWithoutAnInput() throws {
    let found = Rules.findings(in: Observation(connections(at: 20, 40), since: connections(at: 10, 20)))
    try #require(found.count == 1)
    #expect(found[0].rule == "growth")
    #expect(
      found[0].message
        == "40 of `connection` made here are alive, 20 more than 10 s before (120 a minute), and none has ended")
    #expect(!found[0].remedy.contains("DisposeBag"))
  }

  @Test func whatOutlivesItsOwnerIsFound() throws {
    let found = Rules.findings(
      in: Observation(
        snapshot(at: 0) { graph in
          graph.define("poll", line: 1)
          graph.add(1, line: 1, owner: "screen", findings: [.leaked])
        }))
    try #require(found.count == 1)
    #expect(found[0].message == "this `poll` is alive although `screen` is gone")
    #expect(!found[0].remedy.contains("DisposeBag"))
  }

  @Test func whereMoreAndMoreWaitsIsFound() throws {
    func graph(at moment: Double, _ came: UInt64, _ waiting: UInt64) -> GraphSnapshot {
      snapshot(at: moment) { graph in
        graph.define("zip", line: 1)
        graph.define("receive(on:)", line: 2)
        graph.add(1, line: 1, values: came)
        graph.add(2, line: 2, values: came - waiting, from: [1], waiting: waiting)
      }
    }
    let found = Rules.findings(in: Observation(graph(at: 10, 500, 200), since: graph(at: 0, 100, 50)))
    #expect(found.map(\.rule) == ["backlog"])
    #expect(found.first?.remedy == "do less for each value below it, or let fewer come")
  }

  /// Whatever somebody calls a step, rules for operators of that name do not judge it.
  @Test(
    "which are called as operators are", arguments: ["subscribe", "debounce", "timeout", "retry", "multicast", "merge"])
  func namesake(_ kind: String) {
    func graph(at moment: Double, _ values: UInt64) -> GraphSnapshot {
      var snapshot = snapshot(at: moment) { graph in
        let ends = EndCounts(finished: 0, failed: values, disposed: values, unused: values * 2, late: 3)
        graph.define("emitter", line: 1)
        graph.define(kind, line: 2, ends: ends)
        graph.define("subscribe", line: 3)
        graph.add(1, line: 1, values: values * 10)
        graph.add(2, line: 2, from: [1], ownerID: 1)
        graph.add(3, line: 3, from: [2], ownerID: 1)
        for id in UInt64(10)..<20 {
          graph.add(id, line: 2, from: [1], state: .failed, failure: "no value came for 1 s", ownerID: 1)
        }
      }
      snapshot.definitions[1].isBare = true
      return snapshot
    }
    let found = Rules.findings(in: Observation(graph(at: 100, 200), since: graph(at: 90, 100)))
    #expect(found == [])
  }

  @Test func anEndToEndProgramOfStepsIsHealthy() {
    let recorder = GraphRecorder()
    let before = recorder.snapshot()
    let steps = recorder.record { (GraphReporter("subscribe"), GraphReporter("timeout"), GraphReporter("zip")) }
    steps.0.deliver(to: steps.1)
    steps.1.deliver(to: steps.2)
    for _ in 0..<500 {
      for step in [steps.0, steps.1] { step.countValue() }
      let failed = recorder.record { GraphReporter("timeout") }
      failed.deliver(to: steps.1)
      failed.fail(CancellationError())
    }
    #expect(Rules.findings(in: Observation(recorder.snapshot(), since: before, time: .none)) == [])
    steps.2.finish()
  }
}

@Suite("Why nothing comes from a step that is asked for its values") struct DemandTests {
  private func explanation(isAsked: Bool, since: Double) throws -> Explanation {
    var graph = SampleGraph(takenAt: 100)
    graph.define("traced", line: 1)
    graph.define("traced", line: 2)
    graph.add(1, line: 1)
    graph.add(2, line: 2, from: [1])
    var snapshot = graph.snapshot
    snapshot.nodes[0].demand = Demand(isAsked: isAsked, since: since)
    snapshot.nodes[1].demand = Demand(isAsked: true, since: 90)
    let observation = Observation(snapshot)
    return Explanation(of: try #require(observation.now.nodes[2]), in: observation)
  }

  @Test func whereTheSourceIsWaitedFor() throws {
    #expect(
      try explanation(isAsked: true, since: 98).reason
        == "`traced` at App.swift:1 has emitted nothing: its consumer waits for 2 s for the next one, and it waits for its upstream"
    )
  }

  @Test func whereWhoTakesTheValuesIsBusy() throws {
    #expect(
      try explanation(isAsked: false, since: 97).reason
        == "`traced` at App.swift:1 received no request for a value: its consumer has been busy for 3 s with the last one, and has not requested the next"
    )
  }

  @Test func aTimeThatIsNotPlausibleIsLeftOut() throws {
    #expect(try !explanation(isAsked: true, since: .infinity).reason.contains("inf"))
    #expect(try explanation(isAsked: true, since: 200).reason.contains("waits for the next one"))
  }
}
