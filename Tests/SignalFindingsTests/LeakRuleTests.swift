import SignalFindings
import SignalGraph
import Testing

@Suite("leak") struct LeakRuleTests {
  private func graph(_ findings: [Node.Finding]) -> SampleGraph {
    var graph = SampleGraph()
    graph.define("emitter", line: 1)
    graph.define("map", line: 2)
    graph.define("subscribe", line: 3)
    graph.add(1, line: 1)
    for id: UInt64 in [10, 20] {
      graph.add(id, line: 2, from: [1], owner: "Screen", findings: findings)
      graph.add(id + 1, line: 3, from: [id], owner: "Screen", findings: findings)
    }
    return graph
  }

  @Test func whatOutlivesItsOwnerIsFoundOnceForItsPlace() throws {
    let found = Rules.findings(in: Observation(graph([.leaked]).snapshot))
    try #require(found.count == 1)
    #expect(found[0].rule == "leak")
    #expect(found[0].place == Place(fileID: "App/App.swift", line: 3, function: "main()"))
    #expect(found[0].message == "2 subscriptions made here are alive although `Screen` is gone")
    #expect(found[0].related.map(\.place.line) == [1])
    #expect(found[0].nodes == [11, 21])
  }

  @Test func whatLivesWithItsOwnerIsNotFound() {
    #expect(Rules.findings(in: Observation(graph([]).snapshot)) == [])
  }
}
