import Limits
import OpenCombine
import Signals

/// Several inputs, and signals of signals.
enum CombiningRows {
  static let all = [latestOfTwo, pairsOfTwo, mergeOfTen, latestJust, mergedJust]

  static let latestOfTwo = Row(
    "combineLatest of 2", operations: 200_000, goal: 1.5,
    [
      .signals {
        let sum = Sum()
        let first = Emitter<Int>()
        let second = Emitter<Int>()
        let subscription = combineLatest(first.signal, second.signal).subscribe { sum.value &+= $0.0 &+ $0.1 }
        second.send(1)
        return Row.Run(
          perform: { for value in 0..<$0 { first.send(value) } },
          result: {
            _ = subscription; return sum.value
          })
      },
      .limit {
        let sum = Sum()
        let pair = ClosurePair<Int, Int> { sum.value &+= $0 &+ $1 }
        let first = ClosureEmitter<Int>()
        first.add { pair.takeFirst($0) }
        pair.takeSecond(1)
        return Row.Run(perform: { for value in 0..<$0 { first.send(value) } }, result: { sum.value })
      },
    ])

  static let pairsOfTwo = Row(
    "zip of 2, per pair", operations: 200_000,
    [
      .signals {
        let sum = Sum()
        let first = Emitter<Int>()
        let second = Emitter<Int>()
        let subscription = zip(first.signal, second.signal).subscribe { sum.value &+= $0.0 &+ $0.1 }
        return Row.Run(
          perform: {
            for value in 0..<$0 {
              first.send(value)
              second.send(value)
            }
          },
          result: {
            _ = subscription; return sum.value
          })
      },
      .openCombine {
        let sum = Sum()
        let first = PassthroughSubject<Int, Never>()
        let second = PassthroughSubject<Int, Never>()
        let subscription = first.zip(second).sink { sum.value &+= $0.0 &+ $0.1 }
        return Row.Run(
          perform: {
            for value in 0..<$0 {
              first.send(value)
              second.send(value)
            }
          },
          result: {
            _ = subscription; return sum.value
          })
      },
    ])

  static let mergeOfTen = Row(
    "merge of 10", operations: 200_000, goal: 1.5,
    [
      .signals {
        let sum = Sum()
        let emitters = (0..<10).map { _ in Emitter<Int>() }
        let subscription = Signal.merge(emitters.map(\.signal)).subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { emitters[value % 10].send(value) } },
          result: {
            _ = subscription; return sum.value
          })
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
          result: {
            _ = subscription; return sum.value
          })
      },
    ])

  static let latestJust = Row(
    "flatMapLatest over just", operations: 50_000,
    [
      .signals {
        let sum = Sum()
        let emitter = Emitter<Int>()
        let subscription = emitter.signal.flatMapLatest { .just($0) }.subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { emitter.send(value) } },
          result: {
            _ = subscription; return sum.value
          })
      },
      .openCombine {
        let sum = Sum()
        let subject = PassthroughSubject<Int, Never>()
        let subscription = subject.map { Just($0) }.switchToLatest().sink { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { subject.send(value) } },
          result: {
            _ = subscription; return sum.value
          })
      },
    ])

  static let mergedJust = Row(
    "flatMap over just", operations: 50_000,
    [
      .signals {
        let sum = Sum()
        let emitter = Emitter<Int>()
        let subscription = emitter.signal.flatMap { .just($0) }.subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { emitter.send(value) } },
          result: {
            _ = subscription; return sum.value
          })
      },
      .openCombine {
        let sum = Sum()
        let subject = PassthroughSubject<Int, Never>()
        let subscription = subject.flatMap { Just($0) }.sink { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { subject.send(value) } },
          result: {
            _ = subscription; return sum.value
          })
      },
    ])
}
