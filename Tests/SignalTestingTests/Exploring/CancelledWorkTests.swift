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

  /// What a disposal sends to somebody who was disposed just before comes too late.
  @Test func whatADisposalSendsIsHeard() {
    let failures = heldFailures {
      cancelEverywhere { m in
        let source = UnlawfulSource<String>()
        let sending = Signal<String> { producer in producer.onDisposal { source.send("x") } }
        m.expect(source.signal, "---")
        m.expect(sending, "---")
        m.at(.milliseconds(2)) {}
      }
    }
    let silence = failures.first { $0.message.contains("An event arrived after the disposal (law 7).") }
    #expect(silence?.message.contains("The same at") == true)
    // The unlawful source keeps what subscribed.
    let kept = failures.first { $0.message.contains("disposed but still retained: an expectation <- unlawful") }
    #expect(kept?.message.contains("EventRecorder") == false)
    #expect(kept?.message.contains("subscribe(to:)") == false)
  }

  /// A leak of an expectation stands where the check is, and not in a file of this library.
  @Test(.waitsBriefly) func aLeakOfAnExpectationIsTheChecks() {
    let source = UnlawfulSource<String>()
    let line = #line + 2
    let failures = heldFailures {
      assertNoLeaks {
        marbles { m in m.expect(source.signal, "---") }
      }
    }
    #expect(failures.map(\.source?.line) == [line])
    #expect(failures.first?.message.contains("an expectation <- unlawful") == true)
  }
}
