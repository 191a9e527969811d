import SignalGraph
import Testing

@testable import SignalRecording

@Suite("The memory of a chain")
struct ChainCapacityTests {
  private static func site(_ kind: StaticString, line: UInt = #line) -> Site {
    Site(kind, fileID: #fileID, line: line, function: #function)
  }

  @Test("has room for what the last chain of the same place needed, up to a kilobyte")
  func remembered() {
    let memory = CapacityMemory()
    #expect(memory.units(at: 255) == 0)
    memory.remember(40, at: 255)
    #expect((memory.units(at: 255), memory.units(at: 254)) == (40, 0))
    memory.remember(10_000, at: 255)
    #expect(memory.units(at: 255) == 128)
    memory.remember(3, at: 255)
    #expect(memory.units(at: 255) == 3)
  }

  @Test("has room at least for what is known, and the same place for the same chain")
  func known() {
    let rooms = (0..<2).map { _ in
      ChainCapacity(200, of: Self.site("known", line: 1), subscriber: Self.site("sub", line: 2))
    }
    #expect(rooms.map(\.units) == [200, 200])
    #expect(rooms[0].place == rooms[1].place)
  }

  @Test("shows an operator and the subscriber directly below it as two nodes, that count together")
  func pair() throws {
    let recorder = GraphRecorder()
    let place = Self.site("scan")
    let record = try #require(
      ChainRecord.begin(inheriting: recorder, owner: nil, capacity: ChainCapacity(ChainRecord.pairCapacity, of: place)))
    let both = RecordedGroup(place, subscriber: Self.site("subscribe"), in: record)
    let above = RecordedGroup(Self.site("map"), in: record)
    record.connected()
    for _ in 0..<3 { RecordedGroup.count(above.counters) }
    for _ in 0..<2 { RecordedGroup.count(both.counters) }

    let snapshot = recorder.snapshot()
    let kinds = snapshot.nodes.map { node in snapshot.definitions.first { $0.id == node.definition }?.kind }
    #expect(kinds == ["subscribe", "scan", "map"])
    #expect(snapshot.nodes.map(\.valueCount) == [2, 2, 3])
    let ids = snapshot.nodes.map(\.id)
    #expect(snapshot.edges.map { [$0.source, $0.target] } == [[ids[1], ids[0]], [ids[2], ids[1]]])

    both.ended(failure: nil)
    record.subscriptionEnded(.completed)
    both.freed()
    #expect(recorder.snapshot().nodes.map(\.state) == [.finished, .finished, .live])
    above.freed()
    let over = recorder.snapshot()
    #expect(over.nodes.map(\.state) == [.finished, .finished, .disposed])
    #expect(over.definitions.first { $0.kind == "subscribe" }?.ends == EndCounts(finished: 1))
  }

  @Test("is found where there was no room for the first node in the first block")
  func noRoom() throws {
    let recorder = GraphRecorder()
    let record = try #require(
      ChainRecord.begin(inheriting: recorder, owner: nil, capacity: ChainCapacity(0, of: Self.site("noCapacity"))))
    let groups = (0..<20).map { RecordedGroup(Self.site("step", line: 1_000 + UInt($0)), in: record) }
    record.connected()
    for (index, group) in groups.enumerated() { for _ in 0..<index { RecordedGroup.count(group.counters) } }
    #expect(recorder.snapshot().nodes.map(\.valueCount) == (0..<20).map { UInt64($0) })
    record.subscriptionEnded(.disposed)
    for group in groups { group.freed() }
    #expect(recorder.snapshot().definitions.compactMap(\.ends) == [EndCounts(disposed: 1)])
  }
}
