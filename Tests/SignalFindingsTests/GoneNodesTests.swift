import SignalGraph
import SignalRecording
import Signals
import Testing

/// What is counted of nodes that are not kept any more.
@Suite("gone nodes") struct GoneNodesTests {
  private let recorder = GraphRecorder(endedLimit: 8)

  /// Opens and closes a screen: two sources, operators and inner signals, all of which end.
  private func visit(_ times: Int) {
    for _ in 0..<times {
      recorder.record {
        let bag = DisposeBag()
        let ticks = Emitter<Int>()
        ticks.signal.filter { $0 > 0 }.map { $0 }.scan(0, +).subscribe { _ in }.store(in: bag)
        Signal.just(1)
          .flatMap {
            Signal.just($0)
              .compactMap { $0 }
          }
          .named("pages").subscribe { _ in }.store(in: bag)
        for value in 0..<4 { ticks.send(value) }
      }
    }
  }

  /// What has been at each kind of place: how many nodes, how many of them ended, and how many values passed.
  private func totals() -> [String: [UInt64]] {
    let snapshot = recorder.snapshot()
    var totals: [String: [UInt64]] = [:]
    for definition in snapshot.definitions {
      let nodes = snapshot.nodes.filter { $0.definition == definition.id }
      let gone = definition.gone ?? GoneNodes()
      totals["\(definition.kind):\(definition.line)", default: []] += [
        gone.nodes + UInt64(nodes.count), gone.nodes + UInt64(nodes.count { $0.state != .live }),
        nodes.reduce(gone.values) { $0 + $1.valueCount },
      ]
    }
    return totals
  }

  @Test func allOfAChainAreCounted() {
    visit(30)
    for (kind, total) in totals() {
      #expect(total[0] == 30 && total[1] == 30, "\(kind): \(total)")
      let values: UInt64 = kind.hasPrefix("emitter") ? 120 : total[2] > 30 ? 90 : 30
      #expect(total[2] == values, "\(kind): \(total)")
    }
    #expect(totals().count >= 9, "\(totals())")
  }

  @Test func namesAreKept() {
    visit(30)
    #expect(recorder.snapshot().definitions.contains { $0.gone?.names == ["pages"] })
  }
}
