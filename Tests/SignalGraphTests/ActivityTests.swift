import Foundation
import SignalGraph
import Testing

@Suite struct ActivityTests {
  private func graph(at moment: Double, _ nodes: [Node]) -> GraphSnapshot {
    GraphSnapshot(
      process: ProcessIdentity(name: "P", pid: 1, startedAt: 0), takenAt: moment,
      definitions: [Definition(id: 1, kind: "map", fileID: "A.swift", line: 1, function: "f()")], nodes: nodes)
  }

  private func node(_ id: UInt64, _ values: UInt64, since: Double? = 0, _ state: Node.State = .live) -> Node {
    Node(id: id, definition: 1, state: state, valueCount: values, since: since)
  }

  @Test func ratesAreThoseBetweenTwoLooks() {
    let before = graph(at: 10, [node(1, 5), node(2, 5, since: nil), node(3, 5)])
    let now = graph(
      at: 12, [node(1, 25), node(2, 6, since: nil), node(3, 5), node(4, 8, since: 11), node(5, 8, since: nil)]
    )
    .addingActivity(since: before)
    #expect(now.nodes.map(\.rate) == [10, 0.5, 0, 8, nil])
    #expect(now.nodes.map(\.lastEventAt) == [12, 12, 10, 12, 12])
    #expect(now.nodes.allSatisfy { $0.findings.isEmpty })
  }

  @Test func oneLookTellsNoRate() {
    let now = graph(at: 12, [node(1, 25), node(2, 0, since: 11)]).addingActivity(since: nil)
    #expect(now == graph(at: 12, [node(1, 25), node(2, 0, since: 11)]))
    var other = graph(at: 10, [node(1, 5)])
    other.process.pid = 2
    #expect(graph(at: 12, [node(1, 25)]).addingActivity(since: other).nodes[0].rate == nil)
    #expect(graph(at: 12, [node(1, 25)]).addingActivity(since: graph(at: 12, [node(1, 5)])).nodes[0].rate == nil)
    #expect(graph(at: 12, [node(1, 25)]).addingActivity(since: graph(at: 13, [node(1, 5)])).nodes[0].rate == nil)
  }

  @Test func theBusiestAreHot() {
    let before = graph(at: 10, (1...4).map { node($0, 0) } + [node(5, 0, .finished)])
    let now = graph(at: 11, [node(1, 1_000), node(2, 500), node(3, 499), node(4, 99), node(5, 3_000, .finished)])
    #expect(
      now.addingActivity(since: before).nodes.map { $0.findings.contains(.hot) } == [true, true, false, false, false])
    let quiet = graph(at: 11, [node(1, 99), node(2, 50)]).addingActivity(since: before)
    #expect(quiet.nodes.allSatisfy { $0.findings.isEmpty })
    let thresholds = ActivityThresholds(hotRate: 50, hotPart: 0.1)
    #expect(
      graph(at: 11, [node(1, 99), node(2, 50)]).addingActivity(since: before, thresholds: thresholds).nodes.map(
        \.findings)
        == [[.hot], [.hot]])
  }

  @Test func whatIsNewIsNotHotForItsFirstMoment() {
    let now = graph(at: 12, [node(2, 50, since: 11.99)]).addingActivity(since: graph(at: 10, []))
    #expect(now.nodes[0].rate == nil)
    #expect(now.nodes[0].findings.isEmpty)
  }

  @Test func whatHasNoValueForLongIsIdle() {
    // It was made long ago, and nothing ever came.
    let one = graph(at: 100, [node(1, 0, since: 40), node(2, 0, since: 41), node(3, 0, since: nil), node(4, 9)])
    #expect(one.addingActivity(since: nil).nodes.map(\.findings) == [[.idle], [], [], []])
    // From look to look.
    var last = graph(at: 0, [node(1, 7), node(2, 7), node(3, 0, since: nil), node(4, 7, .disposed)])
    for second in stride(from: 10.0, through: 60, by: 10) {
      last = graph(
        at: second, [node(1, 7), node(2, 7 + UInt64(second)), node(3, 0, since: nil), node(4, 7, .disposed)]
      )
      .addingActivity(since: last)
      #expect(last.nodes[0].findings == (second < 60 ? [] : [.idle]))
      #expect(last.nodes[1].findings.isEmpty && last.nodes[3].findings.isEmpty)
    }
    #expect(last.nodes[0].lastEventAt == 0)
    // It wakes.
    #expect(graph(at: 61, [node(1, 8)]).addingActivity(since: last).nodes[0].findings == [])
  }

  @Test func aTimeThatTheProgramToldStays() {
    var told = [node(1, 7), node(2, 9)]
    (told[0].lastEventAt, told[1].lastEventAt) = (20, 99.5)
    let now = graph(at: 100, told).addingActivity(since: graph(at: 98, [node(1, 7), node(2, 7)]))
    #expect(now.nodes.map(\.lastEventAt) == [20, 99.5])
    #expect(now.nodes.map(\.findings) == [[.idle], []])
    #expect(now.nodes.map(\.rate) == [0, 1])
  }

  @Test func otherFindingsStay() {
    var leaked = node(1, 0)
    leaked.findings = [.leaked, .hot]
    let now = graph(at: 12, [leaked]).addingActivity(since: graph(at: 10, [node(1, 0)]))
    #expect(now.nodes[0].findings == [.leaked])
  }

  @Test func countsThatRunBackwardsAreNoRate() {
    let now = graph(at: 12, [node(1, 3)]).addingActivity(since: graph(at: 10, [node(1, 5)]))
    #expect(now.nodes[0].rate == 0)
  }

  @Test func aSourceThatNeverSentIsIdleTooAndARetryThatTriesIsNot() {
    let process = ProcessIdentity(name: "App", pid: 1, startedAt: 0)
    func graph(at moment: Double) -> GraphSnapshot {
      var retry = Node(id: 2, definition: 1, since: 0)
      retry.attempts = Attempts(failed: 9, lastFailure: "Offline()", failedAt: moment - 1)
      return GraphSnapshot(
        process: process, takenAt: moment,
        definitions: [Definition(id: 1, kind: "map", fileID: "A/A.swift", line: 1, function: "f()")],
        nodes: [Node(id: 1, definition: 1), retry, Node(id: 3, definition: 1, since: 0)],
        edges: [Edge(source: 1, target: 3), Edge(source: 2, target: 3)])
    }
    for now in [graph(at: 100).addingActivity(since: nil), graph(at: 100).addingActivity(since: graph(at: 98))] {
      #expect(now.nodes.map { $0.findings.contains(.idle) } == [true, false, true])
    }
  }
}
