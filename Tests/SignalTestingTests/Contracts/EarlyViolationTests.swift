import Foundation
import Signals
import Synchronization
import Testing

@testable import SignalTesting

/// Operators whose bug shows only before the first value, while values wait, or at the further input.
@Suite struct EarlyViolationTests {
  /// A variable that closures share.
  private final class Shared<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>
    init(_ value: Value) { stored = Mutex(value) }
    var value: Value {
      get { stored.withLock { $0 } }
      set { stored.withLock { $0 = newValue } }
    }
  }

  private func problem(
    _ delivery: OperatorDelivery = .synchronous, load: OperatorLoad = .everyValueComesThrough,
    exemptions: [OperatorCheck: String] = [.endlessAtOnce: "a producer subscribes before it owns"],
    _ build: @escaping @Sendable (Signal<Int>, OperatorInputs, Producer<Int>) -> Void
  ) -> String {
    let contract = OperatorContract<Int>(
      "faulty", delivery: delivery, load: load, exemptions: delivery == .synchronous ? exemptions : [:]
    ) { upstream, inputs in
      Signal { producer in build(upstream, inputs, producer) }
    }
    return ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
  }

  private static func pass(_ upstream: Signal<Int>, to producer: Producer<Int>) -> Subscription {
    upstream.subscribe(
      onValue: { producer.send($0) }, onFailure: { producer.fail($0) }, onFinish: { producer.finish() })
  }

  @Test func failureOfTheFurtherInputBeforeAnyValueIsFound() {
    let problem = problem { upstream, inputs, producer in
      let isStarted = Shared(false)
      producer.own(
        inputs.other.subscribe(onValue: { _ in }, onFailure: { if isStarted.value { producer.fail($0) } }))
      producer.own(Self.pass(upstream.handle { _ in isStarted.value = true }, to: producer))
    }
    #expect(problem.contains("The further input failed before the source had sent a value."), "\(problem)")
  }

  @Test func failureOfTheFurtherInputInsideSubscribeIsFound() {
    let problem = problem { upstream, inputs, producer in
      let isSubscribed = Shared(false)
      producer.own(
        inputs.other.subscribe(onValue: { _ in }, onFailure: { if isSubscribed.value { producer.fail($0) } }))
      isSubscribed.value = true
      producer.own(Self.pass(upstream, to: producer))
    }
    #expect(problem.contains("The further input failed inside subscribe, and the signal has not ended."), "\(problem)")
  }

  @Test func furtherInputThatOutlivesTheFailureOfTheSourceIsFound() {
    let problem = problem { upstream, inputs, producer in
      let gate = Gate(inputs.other.subscribe(onValue: { _ in }, onFailure: { producer.fail($0) }).retained())
      producer.own(
        upstream.subscribe(
          onValue: { producer.send($0) },
          onFailure: {
            gate.forget()
            producer.fail($0)
          }, onFinish: { producer.finish() }))
      producer.own(gate)
    }
    #expect(problem.contains("its inputs still have 1 subscription"), "\(problem)")
    #expect(problem.contains("The source failed, and with it the operator, but not the further input."), "\(problem)")
  }

  /// A subscription that can be forgotten instead of disposed.
  private final class Gate: Disposable, Sendable {
    private let token: Mutex<Subscription?>
    init(_ token: Subscription) { self.token = Mutex(token) }
    var isDisposed: Bool { token.withLock { $0 == nil } }
    func forget() { token.withLock { $0 = nil } }
    func dispose() {
      let token = token.withLock { token in
        defer { token = nil }
        return token
      }
      token?.dispose()
    }
  }

  /// It removes the wrong one of three subscribers.
  private final class Hub: Sendable {
    private struct State {
      var targets: [(number: Int, producer: Producer<Int>)] = []
      var count = 0
      var connection: Subscription?
    }

    private let state = Mutex(State())
    private let upstream: Signal<Int>

    init(_ upstream: Signal<Int>) { self.upstream = upstream }

    private var targets: [Producer<Int>] { state.withLock { $0.targets.map(\.producer) } }

    var signal: Signal<Int> {
      Signal { [self] producer in
        let (number, isFirst) = state.withLock { state in
          state.count += 1
          state.targets.append((state.count, producer))
          return (state.count, state.targets.count == 1)
        }
        producer.onDisposal { [self] in
          let connection = state.withLock { state -> Subscription? in
            guard let index = state.targets.firstIndex(where: { $0.number == number }) else { return nil }
            state.targets.remove(at: state.targets.count == 3 ? 2 - index : index)
            guard state.targets.isEmpty else { return nil }
            defer { state.connection = nil }
            return state.connection
          }
          connection?.dispose()
        }
        guard isFirst else { return }
        let connection = upstream.subscribe(
          onValue: { [self] value in targets.forEach { $0.send(value) } },
          onFailure: { [self] error in targets.forEach { $0.fail(error) } },
          onFinish: { [self] in targets.forEach { $0.finish() } })
        state.withLock { $0.connection = connection }
      }
    }
  }

  @Test func wrongSubscriberOfThreeIsFound() {
    let contract = OperatorContract<Int>("hub", exemptions: [.endlessAtOnce: "a producer subscribes before it owns"]) {
      upstream, _ in Hub(upstream).signal
    }
    let problem = ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
    #expect(problem.contains("several subscribers, one of which stops early"), "\(problem)")
  }

  @Test func timerThatOutlivesAnEarlyDisposalIsFound() {
    let problem = problem { upstream, inputs, producer in
      _ = inputs.scheduler.schedule(after: inputs.rest) {}
      producer.own(Self.pass(upstream, to: producer))
    }
    #expect(problem.contains("the scheduler still holds 1 work item"), "\(problem)")
    #expect(problem.contains("No input had sent a value"), "\(problem)")
  }

  @Test func upstreamThatIsOwnedFromTheFirstValueIsFound() {
    let held = Shared<[Shared<Subscription?>]>([])
    let problem = problem { upstream, _, producer in
      let subscription = Shared<Subscription?>(nil)
      held.value.append(subscription)
      subscription.value = Self.pass(
        upstream.handle { _ in
          if let first = subscription.value { producer.own(first) }
          subscription.value = nil
        }, to: producer)
    }
    #expect(problem.contains("its inputs still have 1 subscription"), "\(problem)")
    held.value = []
  }

  @Test(.enabled(if: TaskHooks.areThere)) func taskThatOutlivesAnEarlyDisposalIsFound() {
    let problem = problem { upstream, _, producer in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task { for await _ in stream {} }
      producer.own(
        Self.pass(
          upstream.handle(
            onValue: { _ in continuation.finish() }, onFailure: { _ in continuation.finish() },
            onFinish: { continuation.finish() }), to: producer))
    }
    #expect(problem.contains("1 task of the operator is still running"), "\(problem)")
  }

  @Test func endOfAnEmptySourceBesideTheSchedulerIsFound() {
    let problem = problem(.scheduled) { upstream, inputs, producer in
      let count = Shared(0)
      producer.own(
        upstream.subscribe(
          onValue: { _ in count.value += 1 }, onFailure: { _ in },
          onFinish: { if count.value == 0 { producer.finish() } }
        ))
      producer.own(Self.pass(upstream.receive(on: inputs.scheduler), to: producer))
    }
    #expect(
      problem.contains("1 of 1 events did not arrive on the scheduler, with a source without values"), "\(problem)")
  }

  @Test func failureOfTheFurtherInputBesideTheSchedulerIsFound() {
    let problem = problem(.scheduled) { upstream, inputs, producer in
      producer.own(inputs.other.subscribe(onValue: { _ in }, onFailure: { producer.fail($0) }))
      producer.own(Self.pass(upstream.receive(on: inputs.scheduler), to: producer))
    }
    #expect(problem.contains("did not arrive on the scheduler, with a further input that fails"), "\(problem)")
  }

  @Test func lateEndOfAnEmptySourceIsFound() {
    let problem = problem { upstream, inputs, producer in
      let count = Shared(0)
      producer.own(
        upstream.subscribe(
          onValue: {
            count.value += 1
            producer.send($0)
          }, onFailure: { producer.fail($0) },
          onFinish: {
            if count.value > 0 { return producer.finish() }
            producer.own(inputs.scheduler.schedule(after: inputs.rest) { producer.finish() })
          }))
    }
    #expect(problem.contains("breaks law 5"), "\(problem)")
  }

  @Test(arguments: [OperatorLoad.everyValueComesThrough, .valuesMayBeDropped])
  func failureThatIsReplacedWhileAValueWaitsIsFound(load: OperatorLoad) {
    let problem = problem(.scheduled, load: load) { upstream, inputs, producer in
      let waiting = Shared(0)
      let late =
        switch load {
        case .everyValueComesThrough: upstream.delay(for: inputs.rest, on: inputs.scheduler)
        case .valuesMayBeDropped, .valuesMayBeCombined: upstream.debounce(for: inputs.rest, on: inputs.scheduler)
        }
      producer.own(Self.pass(late.handle { _ in waiting.value = 0 }, to: producer))
      producer.own(
        upstream.subscribe(
          onValue: { _ in waiting.value += 1 }, onFailure: { _ in if waiting.value > 0 { producer.finish() } }))
    }
    #expect(problem.contains("directly after one value, and the signal did not fail with that error"), "\(problem)")
  }

  @Test("laws are checked inside virtual time too", .virtualTime) func insideVirtualTime() {
    expectLaws(of: "doubled") { $0.map { $0 * 2 } }
  }

  @Test func lockThatIsHeldInsideSubscribeIsFound() {
    let lock = NSLock()
    let problem = problem { upstream, _, producer in
      lock.withLock { producer.own(Self.pass(upstream, to: producer)) }
    }
    #expect(problem.contains("While a handler ran, inside subscribe, another thread could not subscribe"), "\(problem)")
  }

  @Test func lockThatIsHeldForTheFurtherInputIsFound() {
    let problem = problem { upstream, inputs, producer in
      let lock = NSLock()
      let (first, second) = (Shared<Int?>(nil), Shared<Int?>(nil))
      producer.own(
        inputs.other.subscribe(
          onValue: { value in
            lock.withLock {
              second.value = value
              producer.send(value + (first.value ?? 0))
            }
          }, onFailure: { producer.fail($0) }))
      producer.own(
        upstream.subscribe(
          onValue: { value in
            let sum = lock.withLock {
              first.value = value
              return second.value.map { value + $0 }
            }
            if let sum { producer.send(sum) }
          }, onFailure: { producer.fail($0) }, onFinish: { producer.finish() }))
    }
    #expect(problem.contains("for the value of the further input, another thread could not send"), "\(problem)")
  }
}
