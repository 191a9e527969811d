import SignalTesting
import Signals
import Testing

@Suite(.noLeaks) struct SearchTests {
  @Test func searchesOncePerPause() {
    marbles { m in
      let keys = m.hot("-a-b----c--|")
      m.expect(keys.signal.debounce(for: .milliseconds(3), on: m.scheduler), "------b----(c|)")
      m.expectSubscriptions(of: keys, "^----------!")
    }
  }
}
