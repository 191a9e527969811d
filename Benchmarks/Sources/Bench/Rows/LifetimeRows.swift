import Limits
import Measuring
import OpenCombine
import Results
import Signals

/// Subscribing and disposing.
enum LifetimeRows {
  static let all = [churn(others: 0), churn(others: 1_000), latestOfTwo, prefix, `catch`, retry, debounce]

  static func churn(others: Int) -> Row {
    Row(
      "subscribe and dispose 3 operators, \(Figures.grouped(others)) others", operations: 40_000,
      goals: Goals(
        timesFaster: 1, nanoseconds: 250, graphNanoseconds: 300, blocks: 4, instructions: 2_000,
        stretchNanoseconds: 150, stretchBlocks: 2),
      [
        .signals {
          let sum = Sum()
          let emitter = Emitter<Int>()
          let kept = (0..<others).map { _ in emitter.signal.subscribe { sum.value &+= $0 } }
          let chain = Chains.signals(emitter.signal)
          return Row.Run(
            perform: { for _ in 0..<$0 { chain.subscribe { sum.value &+= $0 }.dispose() } },
            result: { withExtendedLifetime(kept) { after(emitter.send, sum) } })
        },
        limit { emitter, sum in
          (0..<others).forEach { _ in _ = emitter.subscribe { sum.value &+= $0 } }
          return { Chains.closures(emitter, sum).dispose() }
        },
        limit(as: "an object per hop") { emitter, sum in
          (0..<others).forEach { _ in _ = emitter.subscribe { sum.value &+= $0 } }
          return { Chains.hops(emitter, sum).dispose() }
        },
        .limit(as: "one object") {
          let sum = Sum()
          let emitter = ObjectEmitter()
          let plain = ClosureEmitter<Int>()
          (0..<others).forEach { _ in plain.add { sum.value &+= $0 } }
          let kept = (0..<others).map { _ in emitter.subscribe { _ in } }
          return Row.Run(
            perform: { for _ in 0..<$0 { emitter.subscribe { sum.value &+= $0 }.dispose() } },
            result: {
              withExtendedLifetime(kept) { emitter.send(1) }
              return after(plain.send, sum)
            })
        },
        .openCombine {
          let sum = Sum()
          let subject = PassthroughSubject<Int, Never>()
          let kept = (0..<others).map { _ in subject.sink { sum.value &+= $0 } }
          let chain = Chains.openCombine(subject)
          return Row.Run(
            perform: { for _ in 0..<$0 { chain.sink { sum.value &+= $0 }.cancel() } },
            result: { withExtendedLifetime(kept) { after(subject.send, sum) } })
        },
      ])
  }

  /// Making the signal, too.
  static let latestOfTwo = Row(
    "make, subscribe and dispose combineLatest", operations: 40_000, goals: Goals(blocks: 10),
    [
      .signals {
        let sum = Sum()
        let (first, second) = (Emitter<Int>(), Emitter<Int>())
        first.signal.subscribe { sum.value &+= $0 }.retained()
        return Row.Run(
          perform: {
            for _ in 0..<$0 {
              combineLatest(first.signal, second.signal).subscribe { sum.value &+= $0.0 &+ $0.1 }.dispose()
            }
          }, result: { after(first.send, sum) })
      },
      .limit {
        let sum = Sum()
        let (first, second) = (SlotEmitter(), SlotEmitter())
        _ = first.subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: {
            for _ in 0..<$0 {
              let pair = ClosurePair { sum.value &+= $0 &+ $1 }
              let tokens = (first.subscribe { pair.takeFirst($0) }, second.subscribe { pair.takeSecond($0) })
              tokens.0.dispose()
              tokens.1.dispose()
            }
          }, result: { after(first.send, sum) })
      },
    ])

  static let prefix = made("prefix", { $0.prefix(3) }, { $0.prefix(3).eraseToAnyPublisher() })
  static let `catch` = made(
    "catch", { $0.catch { _ in .just(0) } },
    { $0.setFailureType(to: StopDelivery.self).catch { _ in Just(0) }.eraseToAnyPublisher() })
  static let retry = made("retry", { $0.retry(3) }, { $0.retry(3).eraseToAnyPublisher() })

  static let debounce = made(
    "debounce",
    {
      let scheduler = VirtualTimeScheduler()
      return { $0.debounce(for: .milliseconds(1), on: scheduler) }
    }(), nil)

  /// Making one operator, subscribing and disposing. Beside the five blocks that the operator may take there is the subscription below it.
  private static func made(
    _ name: String, _ signal: @escaping @Sendable (Signal<Int>) -> Signal<Int>,
    _ publisher: (@Sendable (PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>)?
  ) -> Row {
    Row(
      "make, subscribe and dispose \(name)", operations: 40_000, goals: Goals(blocks: 6),
      [
        .signals {
          let sum = Sum()
          let emitter = Emitter<Int>()
          emitter.signal.subscribe { sum.value &+= $0 }.retained()
          return Row.Run(
            perform: { for _ in 0..<$0 { signal(emitter.signal).subscribe { sum.value &+= $0 }.dispose() } },
            result: { after(emitter.send, sum) })
        },
        limit { emitter, sum in
          _ = emitter.subscribe { sum.value &+= $0 }
          return {
            var remaining = 3
            let token = emitter.subscribe {
              if remaining > 0 { sum.value &+= $0 }
              remaining &-= 1
            }
            token.dispose()
          }
        },
      ] + (publisher.map { [peer($0)] } ?? []))
  }

  private static func peer(
    _ publisher: @escaping @Sendable (PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>
  ) -> Row.Contender {
    .openCombine {
      let sum = Sum()
      let subject = PassthroughSubject<Int, Never>()
      let kept = subject.sink { sum.value &+= $0 }
      return Row.Run(
        perform: { for _ in 0..<$0 { publisher(subject).sink { sum.value &+= $0 }.cancel() } },
        result: { withExtendedLifetime(kept) { after(subject.send, sum) } })
    }
  }

  /// The sum after one more value: only those who stayed add to it.
  private static func after(_ send: (Int) -> Void, _ sum: Sum) -> Int {
    send(1)
    return sum.value
  }

  private static func limit(
    as form: String? = nil, _ prepare: @escaping @Sendable (SlotEmitter, Sum) -> () -> Void
  ) -> Row.Contender {
    let run: @Sendable () -> Row.Run = {
      let sum = Sum()
      let emitter = SlotEmitter()
      let churn = prepare(emitter, sum)
      return Row.Run(perform: { for _ in 0..<$0 { churn() } }, result: { after(emitter.send, sum) })
    }
    return form.map { .limit(as: $0, run) } ?? .limit(run)
  }
}
