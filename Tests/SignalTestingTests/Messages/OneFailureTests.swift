import Dispatch
import SignalTesting
import Signals
import Testing

private struct Oops: Error {}

/// One mistake is one failure, also where it shows in several places.
@Suite struct OneFailureTests {
  @Test func aRealSchedulerIsToldWithWhatDoesNotCome() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-")
        let late = source.signal.delay(for: .seconds(60), on: .qos(.default))
        m.expect(late, "-a")
      }
    }
    #expect(message.hasPrefix("delay OneFailureTests.swift:"), "\(message)")
    #expect(message.contains("Differences that may follow from that, at OneFailureTests.swift:"), "\(message)")
    #expect(message.contains("frame 1: missing a"), "\(message)")
  }

  @Test func soIsATaskThatThrows() {
    let message = failure(offset: 3) {
      marbles { m in
        let emitter = Emitter<Int>()
        m.task { throw Oops() }
        m.expect(emitter.signal.prefix(while: { _ in true }), "-1", subscription: "^-!")
        m.at(.milliseconds(5)) { emitter.send(2) }
      }
    }
    #expect(message.hasPrefix("The task threw Oops()."), "\(message)")
    #expect(message.contains("frame 1: missing 1"), "\(message)")
  }

  @Test func runThatAnEventEndsReportsNoUnfinishedTask() {
    let message = failure(offset: 3) {
      marbles { m in
        let letters = Emitter<String>()
        m.expect(letters.signal, "---a")
        m.task { [scheduler = m.scheduler] in
          try await scheduler.sleep(for: .milliseconds(3))
          letters.send("a")
          try await scheduler.sleep(for: .milliseconds(3))
          letters.send("b")
          try await scheduler.sleep(for: .milliseconds(3))
        }
        m.task { [scheduler = m.scheduler] in
          await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            _ = scheduler.schedule(after: .milliseconds(9)) { continuation.resume() }
          }
        }
      }
    }
    #expect(message.contains("frame 6: extra b"), "\(message)")
    #expect(!message.contains("task has not finished") && !message.contains("still waiting"), "\(message)")
  }

  @Test func aSourceThatIsNotReachedIsToldWithWhatIsMissing() {
    let message = failure(offset: 4) {
      marbles { m in
        let first = m.hot("-a-")
        let second = m.cold("-b|")
        m.expect(first.signal.concat(second.signal), "-a--b|")
      }
    }
    #expect(message.contains("frame 4: missing b"), "\(message)")
    #expect(
      message.contains("This may follow from that, at OneFailureTests.swift:")
        && message.contains("The source \"-b|\" has no subscriber"),
      "\(message)")
  }

  @Test func whatHasTwoCausesIsTwoFailures() {
    let issues = issuesOf {
      marbles { m in
        let source = m.hot("-a-")
        let unused = m.hot("-b-")
        m.expect(source.signal, "-b-")
        m.expect(source.signal, "-c-")
        _ = unused
      }
    }
    #expect(issues.count == 2)
  }
}
