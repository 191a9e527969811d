import SignalTesting
import Signals
import Synchronization
import Testing

/// Operators whose bug shows only if several values wait, or if equal ones do.
@Suite struct ValuesAtOnceTests {
  private typealias Build =
    @Sendable (_ upstream: Signal<Int>, _ timers: Timers, _ inputs: OperatorInputs) -> Signal<Int>

  /// Delays values, and drops one that is equal to a waiting one.
  private static let losingEqualValues: Build = { upstream, timers, inputs in
    let waiting = Mutex<Set<Int>>([])
    return upstream.passing { event, producer in
      if case .value(let value) = event, !waiting.withLock({ $0.insert(value).inserted }) { return }
      let timer = inputs.scheduler.schedule(after: inputs.rest) {
        if case .value(let value) = event { waiting.withLock { _ = $0.remove(value) } }
        producer.send(event: event)
      }
      timers.add(timer)
    }
  }

  private func problem(
    load: OperatorLoad = .everyValueComesThrough,
    exemptions: [OperatorCheck: String] = [.hops: "each event has a timer of its own"], _ build: @escaping Build
  ) -> String {
    let contract = OperatorContract(
      "faulty", delivery: .scheduled, load: load, delivers: { $0 },
      exemptions: exemptions
    ) { upstream, inputs in
      Signal { producer in
        let timers = Timers()
        producer.onDisposal { timers.dispose() }
        producer.own(build(upstream, timers, inputs).subscribeToEvents { producer.send(event: $0) })
      }
    }
    return ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
  }

  @Test func timerThatOutlivesItsSubscriptionIsFound() {
    let problem = problem { upstream, timers, inputs in
      upstream.passing { event, producer in
        timers.add(inputs.scheduler.schedule(after: inputs.rest) { producer.send(event: event) }, limit: 1)
      }
    }
    #expect(problem.contains("resources left after the end of a subscription"), "\(problem)")
    #expect(problem.contains("The source had sent 3 values at one instant."), "\(problem)")
    #expect(problem.contains("the scheduler still holds"), "\(problem)")
  }

  @Test func timerThatOutlivesAFailureIsFound() {
    let problem = problem { upstream, timers, inputs in
      upstream.passing { event, producer in
        guard case .failed = event else {
          return timers.add(inputs.scheduler.schedule(after: inputs.rest) { producer.send(event: event) })
        }
        timers.forget()
        timers.add(inputs.scheduler.schedule(after: .zero) { producer.send(event: event) })
      }
    }
    #expect(problem.contains("resources left after the end of a subscription"), "\(problem)")
    #expect(problem.contains("The source failed."), "\(problem)")
  }

  @Test func valuesThatTheEndOvertakesAreFound() {
    let problem = problem(exemptions: [:]) { upstream, timers, inputs in
      let count = Mutex(0)
      return upstream.passing { event, producer in
        let waiting = count.withLock { count in
          if case .value = event { count += 1 }
          return count
        }
        // The end waits for a single value only.
        let pause = if case .value = event { inputs.rest } else { waiting > 1 ? .zero : inputs.rest }
        let timer = inputs.scheduler.schedule(after: pause) {
          count.withLock { $0 = max(0, $0 - 1) }
          producer.send(event: event)
        }
        timers.add(timer)
      }
    }
    #expect(problem.contains("The source sends 1, 2 and 3 and finishes at once."), "\(problem)")
  }

  @Test func lostEqualValueIsFound() {
    let problem = problem(Self.losingEqualValues)
    #expect(problem.contains("The source sends 1, 2, 2 and 1 at one instant."), "\(problem)")
    #expect(problem.contains("missing 2"), "\(problem)")
  }

  @Test func healthyOperatorPasses() {
    let problem = problem { upstream, timers, inputs in
      upstream.passing { event, producer in
        if case .failed = event { timers.dispose() }
        let pause = if case .failed = event { Duration.zero } else { inputs.rest }
        timers.add(inputs.scheduler.schedule(after: pause) { producer.send(event: event) })
      }
    }
    #expect(problem == "")
  }

  @Test func valuesThatAreCombinedPassWhereThatIsDeclared() {
    func problem(_ load: OperatorLoad) -> String {
      let contract = OperatorContract<[Int]>("batches", delivery: .scheduled, load: load) { upstream, inputs in
        upstream.collect(for: inputs.rest, on: inputs.scheduler).filter { !$0.isEmpty }
      }
      return ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
    }
    #expect(problem(.valuesMayBeCombined) == "")
    #expect(problem(.everyValueComesThrough).contains(".valuesMayBeCombined"))
  }

  @Test func aBatchThatIsLostAtTheEndIsFound() {
    let contract = OperatorContract<[Int]>("batches", delivery: .partlyScheduled, load: .valuesMayBeCombined) {
      upstream, inputs in
      Signal { producer in
        let batch = Property<[Int]>([])
        producer.own(
          upstream.subscribe(
            onValue: { value in
              batch.update { $0.append(value) }
              guard batch.value.count == 1 else { return }
              producer.own(
                inputs.scheduler.schedule(after: inputs.rest) {
                  let values = batch.value
                  batch.update { $0 = [] }
                  producer.send(values)
                })
            }, onFailure: { producer.fail($0) }, onFinish: { producer.finish() }))
      }
    }
    let problem = ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
    #expect(problem.contains("deliver what is pending before the end"), "\(problem)")
  }

  /// Values outside of the documented range would end the process.
  @Test func allInputsAreInTheDocumentedRange() {
    let names = Array("zyabcdefghijklmnopqrstuvwxy")
    for delivery in [OperatorDelivery.synchronous, .scheduled] {
      let contract = OperatorContract<String>("names", delivery: delivery) { upstream, inputs in
        let named = upstream.map { String(names[$0 + 2]) }
        return delivery == .synchronous ? named : named.delay(for: inputs.rest, on: inputs.scheduler)
      }
      #expect(ContractChecks(contract, patience: .seconds(1)).firstProblem() == nil)
    }
  }

  @Test func declaredLossOfEqualValuesPasses() {
    #expect(problem(load: .valuesMayBeDropped, Self.losingEqualValues) == "")
  }
}

extension Signal where Value == Int {
  fileprivate func passing(_ pass: @escaping @Sendable (Event<Int>, Producer<Int>) -> Void) -> Signal<Int> {
    Signal { producer in producer.own(self.subscribeToEvents { pass($0, producer) }) }
  }
}

/// The timers of one subscription.
private final class Timers: Sendable {
  private let timers = Mutex<[any Disposable]>([])

  /// - Parameter limit: The number of retained timers.
  func add(_ timer: any Disposable, limit: Int = .max) {
    timers.withLock { if $0.count < limit { $0.append(timer) } }
  }

  func forget() { timers.withLock { $0 = [] } }

  func dispose() {
    for timer in timers.withLock({ $0 }) { timer.dispose() }
  }
}
