import Foundation
import Probes
import Synchronization
import Testing

@testable import Signals

/// A failure that no subscriber takes goes to a handler, never into nothing (law 11).
@Suite struct UnhandledFailureTests {
  /// What a handler was told.
  private struct Report: Equatable {
    var error: Failure?
    var line: UInt

    init(_ error: Failure, line: UInt) {
      self.error = error
      self.line = line
    }

    init(_ failure: UnhandledFailure) {
      error = failure.error as? Failure
      line = UInt(failure.site.line)
    }
  }

  private let journal = Journal<Report>()

  /// Runs something, and returns what reached a handler meanwhile.
  private func unhandled(_ body: () -> Void) -> [Report] {
    UnhandledFailure.withHandler({ [journal] in journal.append(Report($0)) }, operation: body)
    return journal.entries
  }

  private final class Owner: Sendable {}

  @Test func aClosureThatThrowsAboveAPlainSubscription() {
    let numbers = Emitter<Int>()
    let bag = DisposeBag()
    let errors = unhandled {
      numbers.signal.map { _ in throw Failure() }.subscribe { _ in }.store(in: bag)
      numbers.send(1)
      numbers.send(2)
    }
    #expect(errors == [Report(Failure(), line: #line - 4)])
  }

  @Test func eachFormWithoutAClosureForFailures() {
    let numbers = Emitter<Int>()
    let owner = Owner()
    let bag = DisposeBag()
    let line = UInt(#line)
    let errors = unhandled {
      numbers.signal.subscribe(line: line + 1) { _ in }.store(in: bag)
      numbers.signal.subscribe(line: line + 2, onValue: { _ in }).store(in: bag)
      numbers.signal.subscribe(line: line + 3, onFinish: {}).store(in: bag)
      numbers.signal.subscribe(with: owner, line: line + 4) { _, _ in }
      numbers.fail(Failure())
    }
    #expect(errors == (1...4 as ClosedRange<UInt>).map { Report(Failure(), line: line + $0) })
    withExtendedLifetime(owner) {}
  }

  @Test func handledFailuresStayAway() {
    let numbers = Emitter<Int>()
    let bag = DisposeBag()
    let errors = unhandled {
      numbers.signal.subscribe(onFailure: { _ in }).store(in: bag)
      numbers.signal.subscribeToEvents { _ in }.store(in: bag)
      numbers.signal.catch { _ in .just(1) }.subscribe { _ in }.store(in: bag)
      numbers.fail(Failure())
    }
    #expect(errors == [])
  }

  @Test func theRegularEndIsNoFailure() {
    let errors = unhandled { Signal.just(1).subscribe { _ in }.dispose() }
    #expect(errors == [])
  }

  @Test func eachSubscriberOfASharedSignalDecides() {
    let numbers = Emitter<Int>()
    let shared = numbers.signal.map { _ in throw Failure() }.share()
    let bag = DisposeBag()
    let handled = Journal<Failure?>()
    let errors = unhandled {
      shared.subscribe(onFailure: { handled.append($0 as? Failure) }).store(in: bag)
      shared.subscribe { _ in }.store(in: bag)
      numbers.send(1)
    }
    #expect(errors == [Report(Failure(), line: #line - 3)])
    #expect(handled.entries == [Failure()])
  }

  @Test func aProgramWithoutStandardErrorGoesOn() async {
    await #expect(processExitsWith: .success) {
      close(STDERR_FILENO)
      let numbers = Emitter<Int>()
      let subscription = numbers.signal.subscribe { _ in }
      numbers.fail(Failure())
      exit(subscription.isDisposed ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test func afterTheDisposalItGoesNowhere() {
    let numbers = Emitter<Int>()
    let kept = Box<Subscription?>(nil)
    let errors = unhandled {
      kept.value = numbers.signal.map { number in
        kept.value?.dispose()
        throw Failure()
      }.subscribe { (_: Int) in }
      numbers.send(1)
      numbers.signal.subscribe { _ in }.dispose()
      numbers.fail(Failure())
    }
    #expect(errors == [])
  }

  @Test func afterTheOwnersEndItGoesNowhere() {
    let numbers = Emitter<Int>()
    let errors = unhandled {
      var owner: Owner? = Owner()
      if let owner { numbers.signal.subscribe(with: owner) { _, _ in } }
      owner = nil
      numbers.fail(Failure())
    }
    #expect(errors == [])
  }

  @Test func theHandlerIsThatOfThePlaceWhereTheSubscriptionWasMade() {
    let numbers = Emitter<Int>()
    let bag = DisposeBag()
    _ = unhandled { numbers.signal.subscribe { _ in }.store(in: bag) }
    onThreads({ numbers.fail(Failure(number: 7)) })
    #expect(journal.entries == [Report(Failure(number: 7), line: #line - 2)])
  }

  @Test func theInnermostHandlerCounts() async {
    let numbers = Emitter<Int>()
    let inner = Journal<Report>()
    let bag = DisposeBag()
    await UnhandledFailure.withHandler { [journal] in
      journal.append(Report($0))
    } operation: {
      await UnhandledFailure.withHandler {
        inner.append(Report($0))
      } operation: {
        await Task.yield()
        await Task { numbers.signal.subscribe { _ in }.store(in: bag) }.value
      }
      numbers.fail(Failure())
    }
    #expect(inner.entries.map(\.error) == [Failure()])
    #expect(journal.entries == [])
  }

  @Test func aHandlerMaySendSubscribeAndDispose() {
    let numbers = Emitter<Int>()
    let others = Emitter<Int>()
    let log = EventLog<Int>()
    let bag = DisposeBag()
    UnhandledFailure.withHandler { _ in
      others.signal.log(to: log).store(in: bag)
      others.send(1)
      numbers.send(2)
    } operation: {
      numbers.signal.map { _ in throw Failure() }.subscribe { _ in }.store(in: bag)
      numbers.send(1)
    }
    #expect(log.values == [1])
  }

  // In processes of their own: tests that run beside these may fail too, and set the handler.

  @Test func theHandlerOfTheProcessGetsEveryOther() async {
    await #expect(processExitsWith: .success) {
      let journal = Journal<Report>()
      UnhandledFailure.handler = { journal.append(Report($0)) }
      let bag = DisposeBag()
      let line = UInt(#line)
      for _ in 0..<2 {
        Signal<Int>.fail(Failure()).subscribe(line: line) { _ in }.store(in: bag)
      }
      #expect(journal.entries == .init(repeating: Report(Failure(), line: line), count: 2))
    }
  }

  /// It once grew by a thunk with each look, until a call of it overflowed the stack.
  @Test func aHandlerThatIsLookedAtAMillionTimesStaysAsItIs() async {
    await #expect(processExitsWith: .success) {
      let journal = Journal<Report>()
      let line = UInt(#line)
      UnhandledFailure.handler = { journal.append(Report($0)) }
      for _ in 0..<1_000_000 { _ = UnhandledFailure.handler }
      Signal<Int>.fail(Failure()).subscribe(line: line) { _ in }.dispose()
      #expect(journal.entries == [Report(Failure(), line: line)])
    }
  }

  @Test func aPlaceIsNamedOnStandardErrorOnce() {
    func failure(line: UInt) -> UnhandledFailure {
      UnhandledFailure(Failure(), at: Site(SubscriptionSite(#fileID, line, #function)))
    }
    #expect([1, 2, 1, 1, 2].map { failure(line: $0).isFirstAtItsSite() } == [true, true, false, false, false])
  }

  @Test func theLineOnStandardErrorNamesThePlaceAndTheError() {
    struct TwoLines: Error, CustomStringConvertible {
      var description: String { "out of\npaper" }
    }
    let failure = UnhandledFailure(
      TwoLines(), at: Site("subscribe", fileID: "App/Feed.swift", line: 42, function: "load()"))
    #expect(failure.line.hasPrefix("App/Feed.swift:42: unhandled failure of this subscription: out of paper ("))
  }

  @Test func aFailurePrintsItsPlaceAndItsError() {
    let failure = UnhandledFailure(
      Failure(), at: Site("subscribe", fileID: "App/Feed.swift", line: 42, function: "load()"))
    #expect("\(failure)" == "App/Feed.swift:42: unhandled failure of this subscription: Failure(number: 0)")
    #expect("\(failure.site)" == "subscribe App/Feed.swift:42")
  }
}
