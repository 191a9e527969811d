import Limits
import Measuring
import OpenCombine
import Results
import Signals

/// Values through one emitter.
enum SendRows {
  static let all = [bareSend, mapFilterMap, maps(10), maps(100), fanOut]

  static let bareSend = Row(
    "bare send", operations: 400_000,
    goals: .synchronous(timesLimit: 1.3, graphNanoseconds: 28, instructions: 90),
    [
      .signals { signal, sum in signal.subscribe { sum.value &+= $0 } },
      .limit { emitter, sum in emitter.add { sum.value &+= $0 } },
      .openCombine { subject, sum in subject.sink { sum.value &+= $0 } },
    ])

  static let mapFilterMap = Row(
    "map, filter, map", operations: 400_000,
    goals: .synchronous(timesLimit: 1.3, graphNanoseconds: 40, instructions: 260),
    [
      .signals { signal, sum in
        signal.map { $0 &+ 1 }.filter { $0 != 7 }.map { $0 &* 3 }.subscribe { sum.value &+= $0 }
      },
      .limit { emitter, sum in
        let last: (Int) -> Void = { sum.value &+= $0 }
        let third: (Int) -> Void = { last($0 &* 3) }
        let second: (Int) -> Void = { if $0 != 7 { third($0) } }
        emitter.add { second($0 &+ 1) }
      },
      .limit(as: "an object per hop") { emitter, sum in
        let last = MapHop(SinkHop { sum.value &+= $0 }, { $0 &* 3 })
        emitter.add(hops: MapHop(FilterHop(last) { $0 != 7 }) { $0 &+ 1 })
      },
      .openCombine { subject, sum in
        subject.map { $0 &+ 1 }.filter { $0 != 7 }.map { $0 &* 3 }.sink { sum.value &+= $0 }
      },
    ])

  static func maps(_ count: Int) -> Row {
    Row(
      "\(count) maps", operations: count > 10 ? 40_000 : 200_000,
      goals: .synchronous(timesLimit: 1.3, graphNanoseconds: count == 10 ? 75 : nil),
      [
        .signals { signal, sum in
          (0..<count).reduce(signal) { signal, step in signal.map { $0 &+ step } }.subscribe { sum.value &+= $0 }
        },
        .limit { emitter, sum in
          var receive: (Int) -> Void = { sum.value &+= $0 }
          for step in 0..<count {
            let next = receive
            receive = { next($0 &+ step) }
          }
          emitter.add(receive)
        },
        .limit(as: "an object per hop") { emitter, sum in
          let last: Hop = SinkHop { sum.value &+= $0 }
          emitter.add(hops: (0..<count).reduce(last) { next, step in MapHop(next) { $0 &+ step } })
        },
        .openCombine { subject, sum in
          (0..<count).reduce(subject.eraseToAnyPublisher()) { publisher, step in
            publisher.map { $0 &+ step }.eraseToAnyPublisher()
          }.sink { sum.value &+= $0 }
        },
      ])
  }

  /// One operation is one delivery: a send counts as 1,000.
  static let fanOut = Row(
    "fan-out 1,000, per delivery", operations: 400_000, goals: .synchronous(timesLimit: 1.5),
    [
      .signals(operationsPerSend: 1_000) { signal, sum in
        (0..<1_000).map { _ in signal.subscribe { sum.value &+= $0 } }
      },
      .limit(operationsPerSend: 1_000) { emitter, sum in
        for _ in 0..<1_000 { emitter.add { sum.value &+= $0 } }
      },
      .openCombine(operationsPerSend: 1_000) { subject, sum in
        (0..<1_000).map { _ in subject.sink { sum.value &+= $0 } }
      },
    ])
}
