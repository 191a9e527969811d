import Dispatch
import SignalTesting
import Signals
import Testing

/// What is global belongs to nobody's scope, whoever uses it first.
@Suite struct GlobalVariableTests {
  private enum Globals {
    static let queue = DispatchQueueScheduler(qos: .utility)
    static let clock = Box { ClockScheduler(ContinuousClock()) }
    static let numbers = Emitter<Int>()
    static let settings = Settings()
  }

  /// Makes what it holds a few calls further down.
  private struct Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ make: () -> Value) { value = make() }
  }

  private final class Settings: Sendable {
    let volume = Property(3)
    let changes = Emitter<String>()
    let loud: Signal<Bool>

    init() { loud = volume.signal.map { $0 > 7 }.share() }
  }

  /// Subscribes when it is made.
  private final class Store: Sendable {
    let total = Property(0)
    private let bag = DisposeBag()
    private let kept: Subscription

    init(_ numbers: Emitter<Int>) {
      numbers.signal.scan(0, +).subscribe { [total] in total.value = $0 }.store(in: bag)
      numbers.signal.receive(on: DispatchQueueScheduler(qos: .utility)).subscribe { _ in }.store(in: bag)
      kept = numbers.signal.merge(with: total.signal).subscribe { _ in }
    }
  }

  private enum Stores {
    static let shared = Store(Globals.numbers)
    static let other = Store(Emitter<Int>())
    static let third = Store(Emitter<Int>())
  }

  private let bag = DisposeBag()

  @Test func aSchedulerThatIsUsedFirstInAScope() async {
    let work = await assertNoLeaks {
      _ = (Globals.queue, Globals.clock)
      // Nothing leads from there to the scope: another test might do it.
      return await Task.detached {
        [Globals.queue.schedule(after: .seconds(1_000)) {}, Globals.clock.value.schedule(after: .seconds(1_000)) {}]
      }.value
    }
    for work in work { work.dispose() }
  }

  @Test func aSourceThatIsUsedFirstInAScope() async {
    let bag = bag
    await assertNoLeaks {
      _ = (Globals.numbers, Globals.settings)
      await Task.detached {
        Globals.numbers.signal.subscribe { _ in }.store(in: bag)
        Globals.settings.volume.signal.subscribe { _ in }.store(in: bag)
        Globals.settings.changes.signal.subscribe { _ in }.store(in: bag)
        Globals.settings.loud.subscribe { _ in }.store(in: bag)
      }.value
    }
  }

  @Test func subscriptionOfAGlobalThatIsUsedFirstInAScopeIsNoLeak() {
    assertNoLeaks { Stores.shared.total.value = 1 }
  }

  @Test func subscriptionOfAGlobalThatIsUsedFirstInATaskIsNoLeak() async {
    await assertNoLeaks { await Task { Stores.other.total.value = 1 }.value }
  }

  @Test(.noLeaks) func subscriptionOfAGlobalThatIsUsedFirstInATestIsNoLeak() {
    Stores.third.total.value = 1
  }

  @Test func subscriptionAfterTheFirstUseIsALeakOfItsScope() {
    let check = LeakCheck(patience: .brief)
    check.recorder.record {
      _ = Stores.shared
      Globals.numbers.signal.subscribe { _ in }.store(in: bag)
    }
    #expect(check.leaks().map(\.kind) == [.neverDisposed])
    check.recorder.close()
  }

  @Test func whatTheScopeItselfLeaksOfThemIsFound() {
    let check = LeakCheck(patience: .brief)
    check.recorder.record { Globals.numbers.signal.subscribe { _ in }.store(in: bag) }
    #expect(check.leaks().map(\.kind) == [.neverDisposed])
    check.recorder.close()
  }

  @Test func whatIsNotGlobalBelongsToItsScope() async {
    let check = LeakCheck(patience: .brief)
    let bag = bag
    let work = await check.recorder.record {
      let queue = DispatchQueueScheduler(qos: .utility)
      let numbers = Emitter<Int>()
      return await Task.detached {
        numbers.signal.subscribe { _ in numbers.send(1) }.store(in: bag)
        return queue.schedule(after: .seconds(1_000)) {}
      }.value
    }
    #expect(Set(await check.leaks().map(\.kind)) == [.neverDisposed, .workStillPending])
    work.dispose()
    check.recorder.close()
  }
}
