import SignalTesting
import Signals
import Testing

@Suite(.noLeaks) struct BatchesTests {
  @Test func deliversFullBatches() {
    marbles { m in
      let letters = m.hot("-a-b-c-d-")
      m.expect(letters.signal.batches(of: 2), "---x---y-", values: ["x": ["a", "b"], "y": ["c", "d"]])
    }
  }

  @Test func dropsTheRestAtTheEnd() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      m.expect(letters.signal.batches(of: 2), "---x---|", values: ["x": ["a", "b"]])
      m.expectSubscriptions(of: letters, "^------!")
    }
  }

  @Test func dropsTheRestAtAFailure() {
    marbles { m in
      let letters = m.hot("-a-#")
      m.expect(letters.signal.batches(of: 2), "---#", values: [:])
    }
  }
}
