import SignalTesting
import Signals
import Testing

/// What others have for the main queue is no business of a virtual time.
@Suite("the main queue of others")
struct MainQueueOfOthersTests {
  @Test("a value is delivered at once on the main actor, also while another test's work waits for the main queue")
  @MainActor func atOnce() throws {
    // It cannot run before this test has left the main actor.
    (MainScheduler.main as any Scheduler).schedule {}
    try withVirtualTime { time in
      let titles = Emitter<String>()
      var shown = ""
      let subscription = titles.signal.delay(for: .seconds(1), on: time).subscribeOnMain { shown = $0 }
      titles.send("a")
      try time.advance(by: .seconds(1))
      #expect(shown == "a")
      subscription.dispose()
    }
  }
}
