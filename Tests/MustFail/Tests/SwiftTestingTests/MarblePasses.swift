import SignalTesting
import Signals
import Testing

@Suite struct MarblePasses {
  @Test func passing() {
    marbles { m in
      let source = m.hot("-a-b----c--|")
      m.expect(source.signal.debounce(for: .milliseconds(3), on: m.scheduler), "------b----(c|)")
      m.expectSubscriptions(of: source, "^----------!")
    }
  }

  @Test func passingWithTasks() {
    marbles { m in
      let results = Emitter<Int>()
      m.expect(results.signal, "--1|")
      m.task { [clock = m.scheduler] in
        try await clock.sleep(for: .milliseconds(2))
        results.send(1)
        try await clock.sleep(for: .milliseconds(1))
        results.finish()
      }
    }
  }
}
