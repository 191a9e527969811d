import Probes
import SignalTesting
import Signals
import Testing

/// Leaves out each value that has the same property as the one before it.
@Suite("removeDuplicates(by: key path)")
struct RemoveDuplicatesByKeyPathTests {
  private struct User: Sendable, Equatable {
    var id: Int
    var name: String
  }

  @Test("a value whose property is that of the one before is left out; the property may come again later")
  func values() {
    let users = Signal.sequence([
      User(id: 1, name: "a"), User(id: 1, name: "b"), User(id: 2, name: "b"), User(id: 1, name: "c"),
    ])
    let log = EventLog<User>()
    users.removeDuplicates(by: \.id).log(to: log).dispose()
    #expect(log.values.map(\.name) == ["a", "b", "c"])
    #expect(log.ends == [.finished])
  }

  @Test("nothing, only the end, a failure, and an early disposal")
  func ends() {
    marbles { m in
      let never = m.hot("                                       ---")
      m.expect(never.signal.removeDuplicates(by: \.count), "    ---")
      let empty = m.hot("                                       --|")
      m.expect(empty.signal.removeDuplicates(by: \.count), "    --|")
      let failing = m.hot("                                     -a-b-#", error: Failure(number: 1))
      m.expect(failing.signal.removeDuplicates(by: \.count), "  -a---#", error: Failure(number: 1))
      let early = m.hot("                                       -a-b-|")
      m.expect(early.signal.removeDuplicates(by: \.self), "     -a----", subscription: "^-!")
      m.expectSubscriptions(of: early, "                        ^-!")
    }
  }

  @Test("each subscription remembers for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      let result = letters.signal.removeDuplicates(by: \.count)
      m.expect(result, "   -a-----|")
      m.expect(result, "   ---b---|", subscription: "--^")
    }
  }
}
