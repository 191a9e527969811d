import FaultyOperators
import SignalTesting
import Signals
import Testing

@Suite(.healthy) struct HealthFailures {
  private let bag = DisposeBag()

  @Test func aDroppedToken() {
    let keys = Emitter<Int>()
    _ = keys.signal.map { $0 * 2 }.subscribe { _ in }  // must fail: unused-subscription: this subscription was disposed
    keys.send(1)
  }

  @Test func aLateSubscriber() {
    let keys = Emitter<Int>()
    keys.finish()
    keys.signal.subscribe { _ in }.store(in: bag)  // must fail: late-subscriber: this subscription was made after its
  }

  @Test func aLeakOfAHealthyTest() {
    let keys = Emitter<Int>()
    let subscription = keys.signal.subscribe { _ in }  // must fail: subscription never disposed: subscribe
    Keeper.shared.keep(subscription)
    Keeper.shared.keep(keys)
  }

  @Test func aFailureInAHealthyTest() {
    let keys = Emitter<Int>()
    keys.signal.subscribe { _ in }.store(in: bag)  // must fail: unhandled failure of this subscription
    keys.fail(CancellationError())
  }

  @Test func aHealthyTestPasses() {
    let keys = Emitter<Int>()
    keys.signal.subscribe { _ in }.store(in: bag)
    keys.send(1)
  }
}

@Suite struct HealthFailuresOfAnAssertion {
  private let bag = DisposeBag()

  @Test func anAllowanceOfARule() {
    assertHealthy(allowing: ["late-subscriber"]) {  // must fail: unused allowance "late-subscriber": the rule finds
      let keys = Emitter<Int>()
      keys.signal.subscribe { _ in }.dispose()
    }
  }

  @Test func growthOverRounds() {
    let keys = Emitter<Int>()
    assertHealthy(repeating: 3) {
      keys.signal.subscribe { _ in }.store(in: bag)  // must fail: grows with every round: subscribe
    }
  }

  @Test func aDebounceThatStarves() {
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
