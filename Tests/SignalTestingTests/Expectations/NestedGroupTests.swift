import SignalTesting
import Signals
import Testing

/// Groups in the place of signals of signals.
@Suite struct NestedGroupTests {
  @Test func groupsAreExpectedAsTheyCome() {
    marbles { m in
      let numbers = m.hot("-1-2-3-|", of: Int.self)
      m.expectNested(numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "1---3-|", "e": "2---|"])
      m.expectNested(
        numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "x---y-|", "e": "z---|"],
        values: ["x": 1, "y": 3, "z": 2])
    }
  }

  @Test func aGroupThatDiffersFails() {
    let message = failure(offset: 3) {
      marbles { m in
        let numbers = m.hot("-1-2-3-|", of: Int.self)
        m.expectNested(numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "1---5-|", "e": "2---|"])
      }
    }
    #expect(message.contains("the signal o, in time since it came:"), "\(message)")
  }
}
