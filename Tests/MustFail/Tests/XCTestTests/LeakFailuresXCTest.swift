import FaultyOperators
import SignalTesting
import Signals
import XCTest

final class LeakFailuresXCTest: NoLeaksTestCase {
  func testSubscriptionNeverDisposed() {
    let keys = Emitter<Int>()
    let subscription = keys.signal
      .map { $0 * 2 }
      .named("doubled")
      .subscribe { _ in }  // must fail: still alive at the end of LeakFailuresXCTest.testSubscriptionNeverDisposed
    Keeper.shared.keep(subscription)
    Keeper.shared.keep(keys)
  }

  func testDisposedButStillRetained() {
    let keys = Emitter<Int>()
    let subscription = keys.signal
      .observerKept(in: .shared)
      .subscribe { _ in }  // must fail: disposed but still retained: subscribe
    subscription.dispose()
    Keeper.shared.keep(keys)
  }

  func testEndedButUpstreamStillSubscribed() {
    let keys = Emitter<Int>()
    let subscription = keys.signal
      .map { $0 + 1 }
      .firstWithoutStopping()
      .subscribe { _ in }  // must fail: ended but upstream still subscribed
    keys.send(1)
    Keeper.shared.keep(subscription)
    Keeper.shared.keep(keys)
  }

  func testTimerStillPending() {
    let scheduler = VirtualTimeScheduler()
    let work = scheduler.schedule(after: .seconds(1)) {}  // must fail: timer or other scheduled work still pending
    Keeper.shared.keep(work)
    Keeper.shared.keep(scheduler)
  }

  func testSleepingTask() {  // must fail: work at an unknown place
    let scheduler = VirtualTimeScheduler()
    scheduler.task { try await scheduler.sleep(for: .seconds(1)) }
    try? scheduler.advance()
    Keeper.shared.keep(scheduler)
  }
}

final class LeakFailuresOfAnAssertionXCTest: XCTestCase {
  func testLeakInAnAssertion() {
    assertNoLeaks {
      let keys = Emitter<Int>()
      let subscription = keys.signal.subscribe { _ in }  // must fail: subscription never disposed: subscribe
      Keeper.shared.keep(subscription)
      Keeper.shared.keep(keys)
    }
  }
}
