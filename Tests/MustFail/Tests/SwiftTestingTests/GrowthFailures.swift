import FaultyOperators
import SignalTesting
import Signals
import Testing

/// An object with a bag.
// Safe: used by one test at a time.
private final class Screen: @unchecked Sendable {
  let bag = DisposeBag()
  var panel: Panel?
  var onChange: (() -> Void)?

  func show() {}
}

private final class Panel: Sendable {
  private let screen: Screen

  init(_ screen: Screen) { self.screen = screen }
}

@Suite(.noLeaks) struct CycleFailures {
  @Test func aCycleThroughAClosure() {
    let keys = Emitter<Int>()
    let screen = Screen()
    keys.signal
      .subscribe { _ in screen.show() }  // must fail: a cycle: the holder of the subscription
      .store(in: screen.bag)
    Keeper.shared.keep(keys)
  }

  @Test func aCycleThroughItsOwner() {
    let keys = Emitter<Int>()
    let screen = Screen()
    keys.signal.subscribe(with: screen, in: screen.bag) { _, _ in  // must fail: a cycle: Screen.bag -> DisposeBag
      screen.show()
    }
    Keeper.shared.keep(keys)
  }

  @Test func aCycleThroughProperties() {
    let keys = Emitter<Int>()
    let screen = Screen()
    screen.panel = Panel(screen)
    keys.signal.subscribe(with: screen) { _, _ in }  // must fail: a cycle through properties: Screen.panel
    Keeper.shared.keep(keys)
  }

  @Test func aCycleThroughAStoredClosure() {
    let keys = Emitter<Int>()
    let screen = Screen()
    screen.onChange = { screen.show() }
    keys.signal.subscribe(with: screen) { _, _ in }  // must fail: captures of closures, such as Screen.onChange
    Keeper.shared.keep(keys)
  }
}

@Suite struct GrowthFailures {
  @Test func growsWithEveryRound() {
    let keys = Emitter<Int>()
    expectNoGrowth(repeating: 4) {
      let subscription = keys.signal
        .map { $0 * 2 }
        .subscribe { _ in }  // must fail: grows with every round: subscribe
      Keeper.shared.keep(subscription)
    }
  }

  @Test func workThatGrowsWithEveryRound() {
    let scheduler = VirtualTimeScheduler()
    expectNoGrowth {
      Keeper.shared.keep(scheduler.schedule(after: .seconds(1)) {})  // must fail: grows with every round: work of
    }
  }

  @Test func taskThatGrowsWithEveryRound() {
    let scheduler = VirtualTimeScheduler()
    expectNoGrowth {
      scheduler.task { try await scheduler.sleep(for: .seconds(1)) }  // must fail: grows with every round: task
      try? scheduler.advance()
    }
    Keeper.shared.keep(scheduler)
  }
}

// XCTest: final class AllowanceFailuresXCTest: NoLeaksTestCase {
@Suite struct AllowanceFailures {
  @Test func anAllowanceOfWhatDoesNotGrow() {
    expectNoGrowth(allowing: ["log"]) {  // must fail: unused allowance "log"
      Emitter<Int>().signal.named("log").subscribe { _ in }.dispose()
    }
  }

  @Test func anAllowanceThatNobodyNeeds() {
    assertNoLeaks(allowing: ["log"]) {  // must fail: unused allowance "log"
      Emitter<Int>().signal.named("log").subscribe { _ in }.dispose()
    }
  }

  // XCTest: func testAnAllowanceOfATest() { allowLeaks(named: "log")  // must fail: unused allowance "log"
  @Test(.noLeaks(allowing: ["log"])) func anAllowanceOfATest() {  // must fail: unused allowance "log"
    Emitter<Int>().signal.named("log").subscribe { _ in }.dispose()
  }
}
