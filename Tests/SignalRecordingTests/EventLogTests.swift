import SignalGraph
import Testing

@testable import SignalRecording

@Suite("The log of events") struct EventLogTests {
  private let log = EventLog()

  private func add(_ numbers: Range<UInt64>) {
    for number in numbers { log.add(GraphEvent(.sent, node: number, cause: 1, time: number, thread: "t")) }
  }

  private func nodes(from number: UInt64?, limit: Int = .max) -> ([UInt64], lost: UInt64, next: UInt64) {
    let reading = log.read(from: number, limit: limit)
    return (reading.events.map(\.node), reading.lost, reading.next)
  }

  @Test("knows when its clock began, by the calendar's clock of the moment")
  func beginning() {
    #expect(EventLog.startedAt(now: 5_500_000_000, secondsSince1970: 1_000) == 994.5)
    // The calendar's clock was set an hour back meanwhile.
    #expect(EventLog.startedAt(now: 6_500_000_000, secondsSince1970: 1_001 - 3_600) == 994.5 - 3_600)
  }

  @Test("keeps nothing while nobody records")
  func off() {
    add(0..<3)
    #expect(nodes(from: 0) == ([], 0, 0))
    log.begin()
    add(3..<5)
    log.end()
    add(5..<7)
    // The numbers go on, as somebody may have asked before.
    #expect(nodes(from: nil) == ([], 0, 2))
    #expect(nodes(from: 0) == ([], 2, 2))
    log.begin()
    add(7..<8)
    #expect(nodes(from: 2) == ([7], 0, 3))
  }

  @Test("is read in pieces")
  func pieces() {
    log.begin()
    add(0..<5)
    #expect(nodes(from: 0, limit: 2) == ([0, 1], 0, 2))
    #expect(nodes(from: 2, limit: 2) == ([2, 3], 0, 4))
    #expect(nodes(from: 4, limit: 2) == ([4], 0, 5))
    #expect(nodes(from: 5, limit: 2) == ([], 0, 5))
    #expect(nodes(from: 99, limit: 2) == ([], 0, 5))
    #expect(nodes(from: 0, limit: -1) == ([], 0, 0))
  }

  @Test("counts what it has no room for")
  func losses() {
    log.begin()
    let capacity = UInt64(EventLog.capacity)
    add(0..<capacity + 10)
    let reading = log.read(from: 3, limit: .max)
    #expect(reading.lost == 7 && reading.next == capacity + 10)
    #expect(reading.events.count == EventLog.capacity)
    #expect(reading.events.first?.node == 10 && reading.events.last?.node == capacity + 9)
  }
}

private func == (
  first: ([UInt64], lost: UInt64, next: UInt64), second: ([UInt64], UInt64, UInt64)
) -> Bool { first.0 == second.0 && first.lost == second.1 && first.next == second.2 }
