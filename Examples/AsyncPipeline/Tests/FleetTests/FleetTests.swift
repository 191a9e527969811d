import Fleet
import SignalGraph
import SignalRecording
import Testing

@Suite struct FleetTests {
  /// Each connection is found, also into the tasks of `merge` and `combineLatest`.
  @Test func thePictureIsWhole() async {
    let recorder = GraphRecorder(endedLimit: 1_000)
    await recorder.record {
      await Fleet(every: .microseconds(1), count: 60).watch { _ in }
    }
    let snapshot = recorder.snapshot()
    let names = Dictionary(snapshot.nodes.map { ($0.id, $0.name ?? "") }) { first, _ in first }
    let edges = Set(snapshot.edges.map { "\(names[$0.source] ?? "") -> \(names[$0.target] ?? "")" })
    #expect(
      edges == [
        "van 7 -> all vans", "van 12 -> all vans", "all vans -> too warm", "limit -> too warm", "too warm -> alarms",
        "van 3 -> stretches", "stretches -> map", "van 5 -> diary",
      ])
    #expect(snapshot.edges.count == edges.count)
    #expect(snapshot.nodes.allSatisfy { $0.state == .finished }, "\(snapshot.nodes.map { ($0.name, $0.state) })")
    #expect(snapshot.nodes.first { $0.name == "van 7" }?.valueCount == 60)
    #expect(snapshot.nodes.first { $0.name == "all vans" }?.valueCount == 120)
  }
}
