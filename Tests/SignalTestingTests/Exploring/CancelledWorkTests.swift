import Signals
import Testing

@testable import SignalTesting

@Suite struct CancelledWorkTests {
  /// Work that is asked for without a place is the chain's, too.
  @Test func workThatStaysIsFoundWithoutAPlace() {
    let failures = heldFailures {
      cancelEverywhere { m in
        let scheduler = m.scheduler
        let late = Signal<Int> { producer in
          _ = scheduler.schedule(after: .milliseconds(5), tolerance: nil) {
            producer.send(1)
            producer.finish()
          }
        }
        m.expect(late, "-----(1|)")
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("timer or other scheduled work still pending") == true)
  }
}
