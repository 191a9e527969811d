import Limits
import OpenCombine
import Signals

/// Subscribing, disposing, and current values.
enum LifetimeRows {
  static let all = [churn(others: 0), churn(others: 1_000), set, get]

  static func churn(others: Int) -> Row {
    Row(
      "subscribe and dispose 3 operators, \(others) others", operations: 40_000,
      [
        .signals {
          let sum = Sum()
          let emitter = Emitter<Int>()
          let kept = (0..<others).map { _ in emitter.signal.subscribe { sum.value &+= $0 } }
          let chain = emitter.signal.map { $0 &+ 1 }.filter { $0 != 7 }.map { $0 &* 3 }
          return Row.Run(
            perform: { for _ in 0..<$0 { chain.subscribe { sum.value &+= $0 }.dispose() } },
            result: {
              _ = kept
              emitter.send(1)
              return sum.value
            })
        },
        .openCombine {
          let sum = Sum()
          let subject = PassthroughSubject<Int, Never>()
          let kept = (0..<others).map { _ in subject.sink { sum.value &+= $0 } }
          let chain = subject.map { $0 &+ 1 }.filter { $0 != 7 }.map { $0 &* 3 }
          return Row.Run(
            perform: { for _ in 0..<$0 { chain.sink { sum.value &+= $0 }.cancel() } },
            result: {
              _ = kept
              subject.send(1)
              return sum.value
            })
        },
      ])
  }

  static let set = Row(
    "current value: set", operations: 400_000, goal: 1.3,
    [
      .signals {
        let sum = Sum()
        let property = Property(0)
        let subscription = property.signal.subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { property.value = value } },
          result: {
            _ = subscription; return sum.value
          })
      },
      .limit {
        let sum = Sum()
        let property = ClosureProperty(0) { sum.value &+= $0 }
        return Row.Run(perform: { for value in 0..<$0 { property.value = value } }, result: { sum.value })
      },
      .openCombine {
        let sum = Sum()
        let subject = CurrentValueSubject<Int, Never>(0)
        let subscription = subject.sink { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { subject.value = value } },
          result: {
            _ = subscription; return sum.value
          })
      },
    ])

  static let get = Row(
    "current value: get", operations: 400_000, goal: 1.0, measuresGraph: false,
    [
      .signals {
        let sum = Sum()
        let property = Property(3)
        return Row.Run(perform: { for _ in 0..<$0 { sum.value &+= property.value } }, result: { sum.value })
      },
      .limit {
        let sum = Sum()
        let property = ClosureProperty(3) { _ in }
        return Row.Run(perform: { for _ in 0..<$0 { sum.value &+= property.value } }, result: { sum.value })
      },
      .openCombine {
        let sum = Sum()
        let subject = CurrentValueSubject<Int, Never>(3)
        return Row.Run(perform: { for _ in 0..<$0 { sum.value &+= subject.value } }, result: { sum.value })
      },
    ])
}
