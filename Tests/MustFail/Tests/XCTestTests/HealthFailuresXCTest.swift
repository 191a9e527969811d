import FaultyOperators
import SignalTesting
import Signals
import XCTest

final class HealthFailuresXCTest: HealthyTestCase {
  private let bag = DisposeBag()

  override func tearDown() { bag.disposeAll() }

  func testADroppedToken() {
    let keys = Emitter<Int>()
    _ = keys.signal.map { $0 * 2 }.subscribe { _ in }  // must fail: unused-subscription: this subscription was disposed
    keys.send(1)
  }

  func testALateSubscriber() {
    let keys = Emitter<Int>()
    keys.finish()
    keys.signal.subscribe { _ in }.store(in: bag)  // must fail: late-subscriber: this subscription was made after its
  }

  func testALeakOfAHealthyTest() {
    let keys = Emitter<Int>()
    let subscription = keys.signal.subscribe { _ in }  // must fail: subscription never disposed: subscribe
    Keeper.shared.keep(subscription)
    Keeper.shared.keep(keys)
  }

  func testAFailureInAHealthyTest() {
    let keys = Emitter<Int>()
    keys.signal.subscribe { _ in }.store(in: bag)  // must fail: unhandled failure of this subscription
    keys.fail(CancellationError())
  }

  func testAHealthyTestPasses() {
    let keys = Emitter<Int>()
    keys.signal.subscribe { _ in }.store(in: bag)
    keys.send(1)
  }
}

final class HealthFailuresOfAnAssertionXCTest: XCTestCase {
  private let bag = DisposeBag()

  override func tearDown() { bag.disposeAll() }

  func testAnAllowanceOfARule() {
    assertHealthy(allowing: ["late-subscriber"]) {  // must fail: unused allowance "late-subscriber": the rule finds
      let keys = Emitter<Int>()
      keys.signal.subscribe { _ in }.dispose()
    }
  }

  func testGrowthOverRounds() {
    let keys = Emitter<Int>()
    assertHealthy(repeating: 3) {
      keys.signal.subscribe { _ in }.store(in: bag)  // must fail: grows with every round: subscribe
    }
  }

  func testADebounceThatStarves() {
    assertHealthy {
      let time = VirtualTimeScheduler()
      let keys = Emitter<Int>()
      let subscription = keys.signal
        .debounce(for: .milliseconds(100), on: time)  // must fail: starved: this `debounce` got
        .subscribe { _ in }
      for key in 0..<200 {
        keys.send(key)
        try? time.advance(by: .milliseconds(50))
      }
      subscription.dispose()
    }
  }
}
