import SignalTesting
import Signals
import Synchronization
import Testing

/// Operators whose bug shows only with certain values or ends. Each is exempt from the check of endless sources, which it cannot pass.
@Suite struct RareViolationTests {
  private static let exemptions: [OperatorCheck: String] = [
    .endlessAtOnce: "its subscription is there only once everything that comes at once has come"
  ]

  private func problem(
    delivers: (@Sendable ([Int]) -> [Int])? = nil, exemptions: [OperatorCheck: String] = Self.exemptions,
    _ build: @escaping @Sendable (Signal<Int>) -> Signal<Int>
  ) -> String {
    let contract = OperatorContract("faulty", delivers: delivers, exemptions: exemptions) { up, _ in build(up) }
    return ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
  }

  @Test func failureBeforeAnyValueThatIsLostIsFound() {
    let problem = problem { $0.finishingForEarlyFailures() }
    #expect(problem.contains("a source that fails"), "\(problem)")
  }

  @Test func lostEqualNeighbourIsFound() {
    let problem = problem(delivers: { $0 }) { $0.losingEqualNeighbours() }
    #expect(problem.contains("missing 1"), "\(problem)")
  }

  @Test(arguments: [6, 12, 20]) func lostValueIsFound(_ number: Int) {
    let problem = problem(delivers: { $0 }) { $0.losing(number: number) }
    #expect(problem.contains("missing"), "\(problem)")
  }

  @Test func lateLossIsFound() {
    let problem = problem(delivers: { $0 }) { $0.losing(number: 250) }
    #expect(problem.contains("missing"), "\(problem.prefix(2_000))")
  }

  @Test func lostNegativeIsFound() {
    let problem = problem(delivers: { $0 }) { $0.losingNegatives() }
    #expect(problem.contains("missing"), "\(problem)")
  }

  @Test func lockThatIsHeldInTheHandlerOfAnEndIsFound() {
    let problem = problem { $0.endingUnderALock() }
    #expect(problem.contains("breaks law 4"), "\(problem)")
    #expect(problem.contains("the handler of the end"), "\(problem)")
  }

  @Test func failureThatComesLaterIsFound() {
    let problem = problem { $0.failingLater() }
    #expect(problem.contains("breaks law 5"), "\(problem)")
  }

  @Test func stateThatOutlivesASubscriptionIsFound() {
    let problem = problem(delivers: { $0.map { $0 * 2 } }, exemptions: [:]) { upstream in
      let state = SharedState()
      return upstream.lift(Site("doubledOnce", fileID: #fileID, line: #line, function: #function), state: 0) {
        _, value, downstream in
        if !state.isOn { try downstream.send(value * 2) }
      } end: { _, _, _ in
        state.turnOn()
      }
    }
    #expect(problem.contains("a subscriber that comes after the end"), "\(problem)")
    #expect(problem.contains("keep state for each subscription"), "\(problem)")
  }

  @Test func stateOfTwoSubscribersIsNoMatterOfTheirOrder() {
    let problem = problem(delivers: { values in values.indices.map { values[...$0].reduce(0, +) } }) { upstream in
      let sum = SharedState()
      return upstream.map { sum.adding($0) }
    }
    #expect(problem.contains("the two share state"), "\(problem)")
    #expect(!problem.contains("law 2"), "\(problem)")
  }

  @Test(arguments: [2, 3]) func aFailureThatAPendingValueHidesIsFound(count: Int) {
    @Sendable func grouped(_ upstream: Signal<Int>, failsToo: Bool) -> Signal<[Int]> {
      upstream.lift(Site("groups", fileID: #fileID, line: #line, function: #function), state: [Int]()) {
        pending, value, downstream in
        pending.append(value)
        guard pending.count == count else { return }
        try downstream.send(pending)
        pending = []
      } end: { pending, completion, downstream in
        if pending.isEmpty { return }
        if case .failed = completion {
          if !failsToo { downstream.finish() }
          return
        }
        try downstream.send(pending)
      }
    }
    let issues = issuesOf { expectLaws(of: "groups") { grouped($0, failsToo: false) } }
    let problem = issues.first?.comments.first?.rawValue ?? ""
    #expect(problem.contains("breaks law 16, ends: a source that fails"), "\(problem)")
    // With two, nothing waits after the two values of the older check.
    if count == 2 { #expect(problem.contains("did not fail with that error"), "\(problem)") }
    expectLaws(of: "groups") { grouped($0, failsToo: true) }
  }

  @Test func aFailureThatLaterSubscribersGetIsFound() {
    let contract = OperatorContract<Int>("sticky", delivers: { $0 }) { upstream, _ in
      let failure = Mutex<(any Error)?>(nil)
      return Signal.deferred {
        if let error = failure.withLock({ $0 }) { return .fail(error) }
        return upstream.handle(onFailure: { error in failure.withLock { $0 = error } })
      }
    }
    let problem = ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
    #expect(problem.contains("after the failure of the first one"), "\(problem)")
  }

  @Test func pendingValuesLostAtTheEndAreFound() {
    let contract = OperatorContract("late", delivery: .scheduled, delivers: { $0 }) {
      upstream, inputs in
      upstream.lateAndLosing(by: inputs.rest, on: inputs.scheduler)
    }
    let problem = ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
    #expect(problem.contains("a source that sends a value and finishes at once"), "\(problem)")
  }

  @Test func failureBesideTheSchedulerIsFound() {
    let contract = OperatorContract("hopping", delivery: .scheduled, delivers: { $0 }) { upstream, inputs in
      upstream.hopping(on: inputs.scheduler, exceptFor: [.failures])
    }
    let problem = ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
    #expect(problem.contains("breaks law 14"), "\(problem)")
    #expect(problem.contains("with a source that fails"), "\(problem)")
  }

  @Test func valueInsideSubscribeBesideTheSchedulerIsFound() {
    let contract = OperatorContract("hopping", delivery: .scheduled, delivers: { $0 }) { upstream, inputs in
      upstream.hopping(on: inputs.scheduler, exceptFor: [.valuesInsideSubscribe])
    }
    let problem = ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
    #expect(problem.contains("breaks law 14"), "\(problem)")
    #expect(problem.contains("with a source that delivers inside subscribe"), "\(problem)")
  }

  @Test(arguments: [1, 2, 3]) func swallowedErrorIsFoundAtEachValue(_ value: Int) {
    let contract = OperatorContract<Int>("swallowing", delivers: { $0 }) { upstream, inputs in
      upstream.map { number in
        do { try inputs.visit(number) } catch { if number != value { throw error } }
        return number
      }
    }
    let problem = ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
    #expect(problem.contains("breaks law 11"), "\(problem)")
    #expect(problem.contains("The closure throws when it is called with \(value)."), "\(problem)")
  }

  @Test func swallowedErrorOfAClosureForTheFurtherInputIsFound() {
    let contract = OperatorContract<Int>("swallowing", delivers: { $0.map { $0 + 9 } }) { upstream, inputs in
      let other = inputs.other.filter { value in
        do { try inputs.visit(value) } catch { return false }
        return true
      }
      return upstream.withLatest(from: other).map { $0 + $1 }
    }
    let problem = ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
    #expect(problem.contains("breaks law 11"), "\(problem)")
    #expect(problem.contains("The closure throws when it is called with 9."), "\(problem)")
  }

  @Test func valuesLostAtAFailureInsideSubscribeAreFound() {
    let problem = problem(delivers: { $0 }) { $0.deliveringOnceSubscribed() }
    #expect(problem.contains("a source that delivers inside subscribe"), "\(problem)")
    #expect(problem.contains("The source fails inside subscribe, after three values."), "\(problem)")
  }

  @Test func operatorThatSubscribesAgainPasses() {
    #expect(problem(exemptions: [:]) { $0.retry(2) } == "")
  }

  @Test func stateThatALaterSubscriberSharesIsFound() {
    let problem = problem(exemptions: [:]) { upstream in
      let highest = Mutex(Int.min)
      let reset: @Sendable () -> Void = { highest.withLock { $0 = .min } }
      return upstream.map { value in
        highest.withLock { highest in
          highest = max(highest, value)
          return highest
        }
      }.handle(onFailure: { _ in reset() }, onFinish: reset)
    }
    #expect(problem.contains("a subscriber that comes after a value"), "\(problem)")
    #expect(problem.contains("the two share state"), "\(problem)")
    #expect(problem.contains("exemptions: [.laterSubscriber: \"why\"]"), "\(problem)")
  }

  @Test func correctOperatorPasses() {
    #expect(problem(delivers: { $0 }) { $0.handling { event, _, producer in producer.send(event: event) } } == "")
  }
}

/// What an operator keeps beside its subscriptions.
private final class SharedState: Sendable {
  private let sum = Mutex(0)

  var isOn: Bool { sum.withLock { $0 > 0 } }
  func turnOn() { sum.withLock { $0 += 1 } }
  func adding(_ value: Int) -> Int {
    sum.withLock { sum in
      sum += value
      return sum
    }
  }
}

/// The events that an operator does not deliver on its scheduler.
private enum Beside {
  case failures, valuesInsideSubscribe
}

/// Values that wait until they are taken.
private final class EarlyValues: Sendable {
  private let values = Mutex<[Int]?>([])

  /// - Returns: Whether the value waits.
  func add(_ value: Int) -> Bool {
    values.withLock { values in
      values?.append(value)
      return values != nil
    }
  }

  func take() -> [Int] {
    values.withLock { values in
      defer { values = nil }
      return values ?? []
    }
  }
}

extension Signal where Value == Int {
  /// Delivers on a scheduler, with exceptions.
  fileprivate func hopping(on scheduler: any Scheduler, exceptFor exceptions: Set<Beside>) -> Signal<Int> {
    let upstream = self
    return Signal { producer in
      let hasSubscribed = SharedState()
      let work = DisposeBag()
      producer.own(work)
      producer.own(
        upstream.subscribeToEvents { event in
          let isBeside =
            switch event {
            case .failed: exceptions.contains(.failures)
            case .value: exceptions.contains(.valuesInsideSubscribe) && !hasSubscribed.isOn
            case .finished: false
            }
          if isBeside {
            producer.send(event: event)
          } else {
            scheduler.schedule(after: .zero) { producer.send(event: event) }.store(in: work)
          }
        })
      hasSubscribed.turnOn()
    }
  }

  /// Delivers the values that come inside subscribe once it has subscribed, and loses them at a failure.
  fileprivate func deliveringOnceSubscribed() -> Signal<Int> {
    let upstream = self
    return Signal { producer in
      let early = EarlyValues()
      let deliver: @Sendable () -> Void = {
        for value in early.take() { producer.send(value) }
      }
      producer.own(
        upstream.subscribeToEvents { event in
          switch event {
          case .value(let value): if !early.add(value) { producer.send(value) }
          case .failed(let error): producer.fail(error)
          case .finished:
            deliver()
            producer.finish()
          }
        })
      deliver()
    }
  }

  /// Delays values, but not the end.
  fileprivate func lateAndLosing(by pause: Duration, on scheduler: any Scheduler) -> Signal<Int> {
    let upstream = self
    return Signal { producer in
      producer.own(
        upstream.subscribeToEvents { event in
          switch event {
          case .value(let value): producer.own(scheduler.schedule(after: pause) { producer.send(value) })
          case .failed(let error): producer.own(scheduler.schedule(after: .zero) { producer.fail(error) })
          case .finished: producer.own(scheduler.schedule(after: .zero) { producer.finish() })
          }
        })
    }
  }
}
