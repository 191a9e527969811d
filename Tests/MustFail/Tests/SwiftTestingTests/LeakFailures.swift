import FaultyOperators
import SignalTesting
import Signals
import Testing

@Suite(.noLeaks) struct LeakFailures {
  @Test func subscriptionNeverDisposed() {
    let keys = Emitter<Int>()
    let subscription = keys.signal
      .map { $0 * 2 }
      .named("doubled")
      // XCTest: .subscribe { _ in }  // must fail: still alive at the end of LeakFailuresXCTest.testSubscriptionNeverDisposed
      .subscribe { _ in }  // must fail: subscription never disposed: subscribe
    Keeper.shared.keep(subscription)
    Keeper.shared.keep(keys)
  }

  @Test func disposedButStillRetained() {
    let keys = Emitter<Int>()
    let subscription = keys.signal
      .observerKept(in: .shared)
      .subscribe { _ in }  // must fail: disposed but still retained: subscribe
    subscription.dispose()
    Keeper.shared.keep(keys)
  }

  @Test func endedButUpstreamStillSubscribed() {
    let keys = Emitter<Int>()
    let subscription = keys.signal
      .map { $0 + 1 }
      .firstWithoutStopping()
      .subscribe { _ in }  // must fail: ended but upstream still subscribed
    keys.send(1)
    Keeper.shared.keep(subscription)
    Keeper.shared.keep(keys)
  }

  @Test func timerStillPending() {
    let scheduler = VirtualTimeScheduler()
    let work = scheduler.schedule(after: .seconds(1)) {}  // must fail: timer or other scheduled work still pending
    Keeper.shared.keep(work)
    Keeper.shared.keep(scheduler)
  }

  @Test func sleepingTask() {
    let scheduler = VirtualTimeScheduler()
    scheduler.task { try await scheduler.sleep(for: .seconds(1)) }  // must fail: task still running: task
    try? scheduler.advance()
    Keeper.shared.keep(scheduler)
  }

  @Test func taskThatHeedsNoCancellation() {
    let scheduler = VirtualTimeScheduler()
    let keys = Emitter<Int>()
    let subscription = keys.signal
      .mapAsync(executor: scheduler) { _ in  // must fail: it was cancelled when its subscription ended
        await Keeper.shared.waitForEver()
      }
      .subscribe { _ in }
    keys.send(1)
    try? scheduler.advance()
    subscription.dispose()
    try? scheduler.advance()
    Keeper.shared.keep(scheduler)
  }

  @Test func loopThatReadsASignal() {
    let scheduler = VirtualTimeScheduler()
    let keys = Emitter<Int>()
    scheduler.task {  // must fail: task still running: task
      for try await _ in keys.signal.values() {}  // must fail: a task reads the signal
    }
    try? scheduler.advance()
    Keeper.shared.keep(scheduler)
    Keeper.shared.keep(keys)
  }
}

@Suite struct LeakFailuresOfAnAssertion {
  @Test func leakInAnAssertion() {
    assertNoLeaks {
      let keys = Emitter<Int>()
      let subscription = keys.signal.subscribe { _ in }  // must fail: subscription never disposed: subscribe
      Keeper.shared.keep(subscription)
      Keeper.shared.keep(keys)
    }
  }

  @Test func taskThatNobodyControls() {
    withVirtualTime { time in
      assertNoLeaks {  // must fail: task still running: Task { } LeakFailures
        time.background { Task { try await time.sleep(for: .seconds(1)) } }
        try? time.advance()
      }
    }
  }
}
