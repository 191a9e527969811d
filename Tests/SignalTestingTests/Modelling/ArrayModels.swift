import SignalTesting
import Signals

/// Functions of arrays of signals, with three inputs.
enum ArrayModels {
  static let all: [ModelOperator] = [
    ModelOperator("merge, of an array", place: .beforeTime, others: 2) { upstream, inputs in
      merge([upstream] + inputs.others)
    } reference: { events, inputs in
      var left = 3
      return inOrder(events, inputs).flatMap { _, timed -> [TimedEvent<Int>] in
        guard case .finished = timed.event else { return [timed] }
        left -= 1
        return left == 0 ? [timed] : []
      }
    },
    ModelOperator("race, of an array", place: .beforeTime, others: 2) { upstream, inputs in
      race([upstream] + inputs.others)
    } reference: { events, inputs in
      let all = inOrder(events, inputs)
      return all.filter { $0.input == all[0].input }.map(\.event)
    },
    latest("combineLatest([])", { number($0) }) { combineLatest($0).map { number($0) } },
    latest("latestValues(of:)", { number($0) }) { inputs in
      latestValues(of: [0: inputs[0], 1: inputs[1], 2: inputs[2]]).map { values in
        number((0...2).map { values[$0] ?? 0 })
      }
    },
    latest("allSatisfy([])", { $0.allSatisfy { $0 % 2 == 0 } ? 1 : 0 }) { inputs in
      allSatisfy(inputs.map { $0.map { $0 % 2 == 0 } }).map { $0 ? 1 : 0 }
    },
    latest("anySatisfy([])", { $0.contains { $0 % 2 == 0 } ? 1 : 0 }) { inputs in
      anySatisfy(inputs.map { $0.map { $0 % 2 == 0 } }).map { $0 ? 1 : 0 }
    },
    ModelOperator("zip([])", place: .beforeTime, others: 2) { upstream, inputs in
      zip([upstream] + inputs.others).map { number($0) }
    } reference: { events, inputs in
      var waiting: [[Int]] = [[], [], []]
      var isOver = [false, false, false]
      return inOrder(events, inputs).flatMap { input, timed -> [TimedEvent<Int>] in
        var result: [TimedEvent<Int>] = []
        switch timed.event {
        case .value(let value): waiting[input].append(value)
        case .failed: return [timed]
        case .finished: isOver[input] = true
        }
        let row = waiting.compactMap(\.first)
        if row.count == 3 {
          result.append(timed.with(.value(number(row))))
          waiting = waiting.map { Array($0.dropFirst()) }
        }
        if (0...2).contains(where: { isOver[$0] && waiting[$0].isEmpty }) { result.append(timed.with(.finished)) }
        return result
      }
    },
    ModelOperator("forkJoin([])", place: .beforeTime, others: 2) { upstream, inputs in
      forkJoin([upstream] + inputs.others).map { number($0) }
    } reference: { events, inputs in
      var latest: [Int?] = [nil, nil, nil]
      var left = 3
      return inOrder(events, inputs).flatMap { input, timed -> [TimedEvent<Int>] in
        switch timed.event {
        case .value(let value):
          latest[input] = value
          return []
        case .failed: return [timed]
        case .finished:
          left -= 1
          if latest[input] == nil { return [timed] }
          return left == 0 ? [timed.with(.value(number(latest.compactMap { $0 }))), timed] : []
        }
      }
    },
  ]

  /// An operator that makes something of the latest values.
  private static func latest(
    _ name: String, _ answer: @escaping @Sendable ([Int]) -> Int,
    _ build: @escaping @Sendable ([Signal<Int>]) -> Signal<Int>
  ) -> ModelOperator {
    ModelOperator(name, place: .beforeTime, others: 2) { upstream, inputs in
      build([upstream] + inputs.others)
    } reference: { events, inputs in
      var latest: [Int?] = [nil, nil, nil]
      var left = 3
      return inOrder(events, inputs).flatMap { input, timed -> [TimedEvent<Int>] in
        switch timed.event {
        case .value(let value):
          latest[input] = value
          let known = latest.compactMap { $0 }
          return known.count == 3 ? [timed.with(.value(answer(known)))] : []
        case .failed: return [timed]
        case .finished:
          left -= 1
          return left == 0 || latest[input] == nil ? [timed] : []
        }
      }
    }
  }

  private static func inOrder(
    _ events: [TimedEvent<Int>], _ inputs: ModelEvents
  ) -> [(input: Int, event: TimedEvent<Int>)] {
    inputs.inOrder(events, inputs.others[0], inputs.others[1])
  }

  static func number(_ values: [Int]) -> Int { values.reduce(0) { ($0 * 11 + $1 + 1) % 10_000 } }
}
