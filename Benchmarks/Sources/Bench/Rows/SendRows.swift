import Limits
import OpenCombine
import Signals

/// Values through one emitter.
enum SendRows {
  static let all = [bareSend, mapFilterMap, maps(10), maps(100), fanOut]

  static let bareSend = Row(
    "bare send", operations: 400_000, goal: 1.3,
    [
      .signals {
        let sum = Sum()
        let emitter = Emitter<Int>()
        let subscription = emitter.signal.subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { emitter.send(value) } },
          result: {
            _ = subscription; return sum.value
          })
      },
      .limit {
        let sum = Sum()
        let emitter = ClosureEmitter<Int>()
        emitter.add { sum.value &+= $0 }
        return Row.Run(perform: { for value in 0..<$0 { emitter.send(value) } }, result: { sum.value })
      },
      .openCombine {
        let sum = Sum()
        let subject = PassthroughSubject<Int, Never>()
        let subscription = subject.sink { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { subject.send(value) } },
          result: {
            _ = subscription; return sum.value
          })
      },
    ])

  static let mapFilterMap = Row(
    "map, filter, map", operations: 400_000, goal: 1.3,
    [
      .signals {
        let sum = Sum()
        let emitter = Emitter<Int>()
        let subscription = emitter.signal.map { $0 &+ 1 }.filter { $0 != 7 }.map { $0 &* 3 }
          .subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { emitter.send(value) } },
          result: {
            _ = subscription; return sum.value
          })
      },
      .limit {
        let sum = Sum()
        let emitter = ClosureEmitter<Int>()
        let last: (Int) -> Void = { sum.value &+= $0 }
        let third: (Int) -> Void = { last($0 &* 3) }
        let second: (Int) -> Void = { if $0 != 7 { third($0) } }
        emitter.add { second($0 &+ 1) }
        return Row.Run(perform: { for value in 0..<$0 { emitter.send(value) } }, result: { sum.value })
      },
      .openCombine {
        let sum = Sum()
        let subject = PassthroughSubject<Int, Never>()
        let subscription = subject.map { $0 &+ 1 }.filter { $0 != 7 }.map { $0 &* 3 }.sink { sum.value &+= $0 }
        return Row.Run(
          perform: { for value in 0..<$0 { subject.send(value) } },
          result: {
            _ = subscription; return sum.value
          })
      },
    ])

  static func maps(_ count: Int) -> Row {
    Row(
      "\(count) maps", operations: count > 10 ? 40_000 : 200_000, goal: 1.3,
      [
        .signals {
          let sum = Sum()
          let emitter = Emitter<Int>()
          var signal = emitter.signal
          for step in 0..<count { signal = signal.map { $0 &+ step } }
          let subscription = signal.subscribe { sum.value &+= $0 }
          return Row.Run(
            perform: { for value in 0..<$0 { emitter.send(value) } },
            result: {
              _ = subscription; return sum.value
            })
        },
        .limit {
          let sum = Sum()
          let emitter = ClosureEmitter<Int>()
          var receive: (Int) -> Void = { sum.value &+= $0 }
          for step in 0..<count {
            let next = receive
            receive = { next($0 &+ step) }
          }
          emitter.add(receive)
          return Row.Run(perform: { for value in 0..<$0 { emitter.send(value) } }, result: { sum.value })
        },
        .openCombine {
          let sum = Sum()
          let subject = PassthroughSubject<Int, Never>()
          var publisher = subject.eraseToAnyPublisher()
          for step in 0..<count { publisher = publisher.map { $0 &+ step }.eraseToAnyPublisher() }
          let subscription = publisher.sink { sum.value &+= $0 }
          return Row.Run(
            perform: { for value in 0..<$0 { subject.send(value) } },
            result: {
              _ = subscription; return sum.value
            })
        },
      ])
  }

  /// One operation is one delivery: a send counts as 1,000.
  static let fanOut = Row(
    "fan-out 1,000, per delivery", operations: 400_000, goal: 1.5,
    [
      .signals {
        let sum = Sum()
        let emitter = Emitter<Int>()
        let subscriptions = (0..<1_000).map { _ in emitter.signal.subscribe { sum.value &+= $0 } }
        return Row.Run(
          perform: { for value in 0..<$0 / 1_000 { emitter.send(value) } },
          result: {
            _ = subscriptions; return sum.value
          })
      },
      .limit {
        let sum = Sum()
        let emitter = ClosureEmitter<Int>()
        for _ in 0..<1_000 { emitter.add { sum.value &+= $0 } }
        return Row.Run(perform: { for value in 0..<$0 / 1_000 { emitter.send(value) } }, result: { sum.value })
      },
      .openCombine {
        let sum = Sum()
        let subject = PassthroughSubject<Int, Never>()
        let subscriptions = (0..<1_000).map { _ in subject.sink { sum.value &+= $0 } }
        return Row.Run(
          perform: { for value in 0..<$0 / 1_000 { subject.send(value) } },
          result: {
            _ = subscriptions; return sum.value
          })
      },
    ])
}
