import Testing

@testable import SignalRecording

@Suite struct ThreadUsageTests {
  @Test func callThatNeverBlockedCountsWithItsCPUTime() {
    let start = ThreadUsage(cpuTime: 1_000_000, blockCount: 7)
    let end = ThreadUsage(cpuTime: 3_000_000, blockCount: 7)
    #expect(start.taken(until: end, elapsed: 150_000_000) == 2_001_000)
    #expect(start.taken(until: end, elapsed: 500_000) == 500_000)
  }

  @Test func callThatBlockedCountsWithItsElapsedTime() {
    let start = ThreadUsage(cpuTime: 1_000_000, blockCount: 7)
    let end = ThreadUsage(cpuTime: 3_000_000, blockCount: 8)
    #expect(start.taken(until: end, elapsed: 150_000_000) == 150_000_000)
  }

  #if !canImport(Darwin)
    @Test func computingThreadUsesCPUTimeOnly() throws {
      let start = try #require(ThreadUsage.current)
      var end = start
      var sum = 0
      while end.cpuTime < start.cpuTime + 5_000_000 {
        for number in 0..<10_000 { sum &+= number }
        end = try #require(ThreadUsage.current)
      }
      #expect(end.blockCount >= start.blockCount && sum != 1)
    }
  #endif
}
