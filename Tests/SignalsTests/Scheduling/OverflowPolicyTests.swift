import Testing

@testable import Signals

@Suite struct OverflowPolicyTests {
  @Test func eachPolicyDecides() {
    #expect(OverflowPolicy.keepAll.decision(whileWaiting: .max) == .keep)
    #expect(OverflowPolicy.newest(2).decision(whileWaiting: 1) == .keep)
    #expect(OverflowPolicy.newest(2).decision(whileWaiting: 2) == .dropOldest)
    #expect(OverflowPolicy.oldest(2).decision(whileWaiting: 1) == .keep)
    #expect(OverflowPolicy.oldest(2).decision(whileWaiting: 2) == .drop)
    #expect(OverflowPolicy.fail(2).decision(whileWaiting: 1) == .keep)
    #expect(OverflowPolicy.fail(2).decision(whileWaiting: 2) == .fail)
  }

  @Test("with a limit of 0 or less nothing waits", arguments: [0, -1, .min])
  func nothingWaits(limit: Int) {
    #expect(OverflowPolicy.newest(limit).decision(whileWaiting: 0) == .drop)
    #expect(OverflowPolicy.oldest(limit).decision(whileWaiting: 0) == .drop)
    #expect(OverflowPolicy.fail(limit).decision(whileWaiting: 0) == .fail)
    #expect(OverflowPolicy.oldest(limit).limit == 0)
  }

  @Test func theErrorNamesTheLimit() {
    #expect(String(describing: OverflowError(limit: 3)) == "more values wait than the limit of 3")
  }
}
