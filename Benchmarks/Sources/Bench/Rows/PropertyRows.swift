import Limits
import Measuring
import OpenCombine
import Results
import Signals

/// Current values.
enum PropertyRows {
  static let all = [set, get]

  static let set = Row(
    "current value: set", operations: 400_000, goals: .synchronous(timesLimit: 1.3, instructions: 100),
    [
      .signals {
        let sum = Sum()
        let property = Property(0)
        let subscription = property.signal.subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { property.value = value } },
          result: { withExtendedLifetime(subscription) { sum.value } })
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
          result: { withExtendedLifetime(subscription) { sum.value } })
      },
    ])

  /// Reading delivers nothing, so the goal of the synchronous rows beside OpenCombine does not stand here.
  static let get = Row(
    "current value: get", operations: 400_000,
    goals: Goals(timesLimit: 1.0, timesFaster: 1, blocks: 0, instructions: 20), measuresGraph: false,
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
