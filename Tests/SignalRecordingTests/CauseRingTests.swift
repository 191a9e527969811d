import SignalGraph
import Testing

@testable import SignalRecording

@Suite("The last causes that came to a place") struct CauseRingTests {
  @Test("are kept in their order, and no more than there is room for", arguments: [0, 3, 8, 9, 16, 21])
  func order(count: Int) {
    var ring = CauseRing()
    for number in 0..<UInt64(count) { ring.add(Cause(number: number, at: Double(number), thread: "main")) }
    #expect(ring.causes.map(\.number) == (0..<UInt64(count)).suffix(CauseRing.limit))
  }
}
