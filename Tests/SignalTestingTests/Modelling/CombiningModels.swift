import SignalTesting
import Signals

/// Operators with a further input.
enum CombiningModels {
  static let all: [ModelOperator] = [
    ModelOperator("merge", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.merge(with: inputs.others[0])
    } reference: { events, inputs in
      var left = 2
      return inputs.inOrder(events, inputs.others[0]).flatMap { _, timed -> [TimedEvent<Int>] in
        guard case .finished = timed.event else { return [timed] }
        left -= 1
        return left == 0 ? [timed] : []
      }
    },
    ModelOperator("combineLatest", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.combineLatest(inputs.others[0]).map { $0 * 10 + $1 }
    } reference: { events, inputs in
      var latest: [Int?] = [nil, nil]
      var left = 2
      return inputs.inOrder(events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
        switch timed.event {
        case .value(let value):
          latest[input] = value
          guard let first = latest[0], let second = latest[1] else { return [] }
          return [timed.with(.value(first * 10 + second))]
        case .failed: return [timed]
        case .finished:
          left -= 1
          return left == 0 || latest[input] == nil ? [timed] : []
        }
      }
    },
    ModelOperator("zip", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.zip(inputs.others[0]).map { $0 * 10 + $1 }
    } reference: { events, inputs in
      var waiting: [[Int]] = [[], []]
      var isOver = [false, false]
      return inputs.inOrder(events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
        var result: [TimedEvent<Int>] = []
        switch timed.event {
        case .value(let value):
          waiting[input].append(value)
          if let first = waiting[0].first, let second = waiting[1].first {
            result.append(timed.with(.value(first * 10 + second)))
            waiting[0].removeFirst()
            waiting[1].removeFirst()
          }
        case .failed: return [timed]
        case .finished: isOver[input] = true
        }
        if (0...1).contains(where: { isOver[$0] && waiting[$0].isEmpty }) { result.append(timed.with(.finished)) }
        return result
      }
    },
    ModelOperator("withLatest(from:)", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.withLatest(from: inputs.others[0]).map { $0 * 10 + $1 }
    } reference: { events, inputs in
      var latest: Int?
      return secondFirst(inputs, events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
        switch (input, timed.event) {
        case (_, .failed), (0, .finished): return [timed]
        case (0, .value(let value)): return latest.map { [timed.with(.value(value * 10 + $0))] } ?? []
        case (_, .value(let value)):
          latest = value
          return []
        case (_, .finished): return []
        }
      }
    },
    ModelOperator("forkJoin", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.forkJoin(inputs.others[0]).map { $0 * 10 + $1 }
    } reference: { events, inputs in
      var latest: [Int?] = [nil, nil]
      var left = 2
      return inputs.inOrder(events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
        switch timed.event {
        case .value(let value):
          latest[input] = value
          return []
        case .failed: return [timed]
        case .finished:
          left -= 1
          guard let own = latest[input] else { return [timed] }
          guard left == 0 else { return [] }
          let other = latest[1 - input] ?? 0
          return [timed.with(.value(input == 0 ? own * 10 + other : other * 10 + own)), timed]
        }
      }
    },
    ModelOperator("race", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.race(with: inputs.others[0])
    } reference: { events, inputs in
      let all = inputs.inOrder(events, inputs.others[0])
      return all.filter { $0.input == all[0].input }.map(\.event)
    },
    ModelOperator("concat", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.concat(inputs.others[0])
    } reference: { events, inputs in
      guard let end = events.last, case .finished = end.event else { return events }
      return events.dropLast() + whoever(comesAt: end, to: inputs.others[0])
    },
    ModelOperator("sample(by:)", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.sample(by: inputs.others[0])
    } reference: { events, inputs in
      var waiting: Int?
      return inputs.inOrder(events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
        switch (input, timed.event) {
        case (_, .failed), (0, .finished): return [timed]
        case (0, .value(let value)):
          waiting = value
          return []
        case (_, .value):
          defer { waiting = nil }
          return waiting.map { [timed.with(.value($0))] } ?? []
        case (_, .finished): return []
        }
      }
    },
    ModelOperator("catch", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.catch { [other = inputs.others[0]] _ in other }
    } reference: { events, inputs in
      guard let end = events.last, case .failed = end.event else { return events }
      return events.dropLast() + whoever(comesAt: end, to: inputs.others[0])
    },
    ModelOperator("ifEmpty(switchTo:)", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.ifEmpty(switchTo: inputs.others[0])
    } reference: { events, inputs in
      guard let end = events.first, case .finished = end.event else { return events }
      return whoever(comesAt: end, to: inputs.others[0])
    },
    ModelOperator("prefix(untilOutputFrom:)", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.prefix(untilOutputFrom: inputs.others[0])
    } reference: { events, inputs in
      secondFirst(inputs, events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
        switch (input, timed.event) {
        case (0, _), (_, .failed): [timed]
        case (_, .value): [timed.with(.finished)]
        case (_, .finished): []
        }
      }
    },
    ModelOperator("drop(untilOutputFrom:)", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.drop(untilOutputFrom: inputs.others[0])
    } reference: { events, inputs in
      var isOpen = false
      return secondFirst(inputs, events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
        switch (input, timed.event) {
        case (0, .value): return isOpen ? [timed] : []
        case (0, _): return [timed]
        case (_, .failed): return isOpen ? [] : [timed]
        case (_, .value):
          isOpen = true
          return []
        case (_, .finished): return []
        }
      }
    },
    ModelOperator("sequenceEqual", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.sequenceEqual(inputs.others[0]).map { $0 ? 1 : 0 }
    } reference: { events, inputs in
      var values: [[Int]] = [[], []]
      var isOver = [false, false]
      return inputs.inOrder(events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
        switch timed.event {
        case .value(let value): values[input].append(value)
        case .failed: return [timed]
        case .finished: isOver[input] = true
        }
        let answer: Int? =
          if zip(values[0], values[1]).contains(where: { $0 != $1 }) {
            0
          } else if (0...1).contains(where: { isOver[$0] && values[1 - $0].count > values[$0].count }) {
            0
          } else {
            isOver == [true, true] ? 1 : nil
          }
        return answer.map { [timed.with(.value($0)), timed.with(.finished)] } ?? []
      }
    },
  ]
}
