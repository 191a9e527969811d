import SignalTesting
import Signals
import Testing

struct WrongNumber: Error {}

@Suite(.noLeaks) struct UnhandledFailures {
  @Test func failureThatNobodyHandles() {
    let numbers = Emitter<Int>()
    let subscription = numbers.signal
      .map { if $0 < 0 { throw WrongNumber() } }
      .subscribe { _ in }  // must fail: unhandled failure of this subscription: WrongNumber()
    numbers.send(-1)
    subscription.dispose()
  }

  @Test func failureWithoutAClosureForIt() {
    let numbers = Emitter<Int>()
    let subscription = numbers.signal
      .subscribe(onValue: { _ in }, onFinish: {})  // must fail: unhandled failure of this subscription: WrongNumber()
    numbers.fail(WrongNumber())
    subscription.dispose()
  }

  @Test func failureOfWhatHasAnOwner() async {
    final class Owner: Sendable {}
    let numbers = Emitter<Int>()
    let owner = Owner()
    numbers.signal.subscribe(with: owner) { _, _ in }  // must fail: unhandled failure of this subscription
    await Task.detached { numbers.fail(WrongNumber()) }.value
    withExtendedLifetime(owner) {}
  }

  @Test func handledFailuresPass() {
    let numbers = Emitter<Int>()
    let first = numbers.signal.subscribe(onFailure: { _ in })
    let second = numbers.signal.subscribeToEvents { _ in }
    numbers.fail(WrongNumber())
    first.dispose()
    second.dispose()
  }
}

@Suite struct UnhandledFailuresOfMarbles {
  @Test func failureInAMarbleTest() {
    marbles { m in
      let numbers = m.cold("--#")
      let subscription = numbers.signal.subscribe { _ in }  // must fail: unhandled failure of this subscription
      m.expect(numbers.signal, "--#")
      m.task { _ = subscription }
    }
  }
}
