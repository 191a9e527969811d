import Limits
import Measuring
import OpenCombine
import Results
import Signals

/// Several inputs.
enum CombiningRows {
  static let all = [latestOfTwo, pairsOfTwo, mergeOfTen]

  static let latestOfTwo = Row(
    "combineLatest of 2", operations: 200_000, goals: .synchronous(timesLimit: 1.5, instructions: 200),
    [
      .signals { signal, sum in
        let second = Emitter<Int>()
        let subscription = combineLatest(signal, second.signal).subscribe { sum.value &+= $0.0 &+ $0.1 }
        second.send(1)
        return (subscription, second)
      },
      .limit { emitter, sum in
        let pair = ClosurePair { sum.value &+= $0 &+ $1 }
        emitter.add { pair.takeFirst($0) }
        pair.takeSecond(1)
      },
    ])

  /// One operation is one value sent: two make a pair.
  static let pairsOfTwo = Row(
    "zip of 2, per value sent", operations: 400_000, goals: .synchronous(timesLimit: 1.5, instructions: 260),
    [
      .signals {
        let sum = Sum()
        let first = Emitter<Int>()
        let second = Emitter<Int>()
        let subscription = zip(first.signal, second.signal).subscribe { sum.value &+= $0.0 &+ $0.1 }
        return Row.Run(
          perform: {
            for value in 0..<$0 / 2 {
              first.send(value)
              second.send(value)
            }
          },
          result: { withExtendedLifetime(subscription) { sum.value } })
      },
      .limit {
        let sum = Sum()
        let zip = ClosureZip { sum.value &+= $0 &+ $1 }
        let first = ClosureEmitter<Int>()
        let second = ClosureEmitter<Int>()
        first.add { zip.takeFirst($0) }
        second.add { zip.takeSecond($0) }
        return Row.Run(
          perform: {
            for value in 0..<$0 / 2 {
              first.send(value)
              second.send(value)
            }
          },
          result: { sum.value })
      },
      .openCombine {
        let sum = Sum()
        let first = PassthroughSubject<Int, Never>()
        let second = PassthroughSubject<Int, Never>()
        let subscription = first.zip(second).sink { sum.value &+= $0.0 &+ $0.1 }
        return Row.Run(
          perform: {
            for value in 0..<$0 / 2 {
              first.send(value)
              second.send(value)
            }
          },
          result: { withExtendedLifetime(subscription) { sum.value } })
      },
    ])

  static let mergeOfTen = Row(
    "merge of 10", operations: 200_000, goals: .synchronous(timesLimit: 1.5),
    [
      .signals {
        let sum = Sum()
        let emitters = (0..<10).map { _ in Emitter<Int>() }
        let subscription = Signal.merge(emitters.map(\.signal)).subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { emitters[value % 10].send(value) } },
          result: { withExtendedLifetime(subscription) { sum.value } })
      },
      .limit {
        let sum = Sum()
        let output = ClosureEmitter<Int>()
        output.add { sum.value &+= $0 }
        let inputs = (0..<10).map { _ in
          let input = ClosureEmitter<Int>()
          input.add { output.send($0) }
          return input
        }
        return Row.Run(perform: { for value in 0..<$0 { inputs[value % 10].send(value) } }, result: { sum.value })
      },
      .openCombine {
        let sum = Sum()
        let subjects = (0..<10).map { _ in PassthroughSubject<Int, Never>() }
        let subscription = subjects.publisher.flatMap { $0 }.sink { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { subjects[value % 10].send(value) } },
          result: { withExtendedLifetime(subscription) { sum.value } })
      },
    ])
}
