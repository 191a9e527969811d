import SignalTesting
import Signals

/// Operators that deliver values in arrays, or in signals: those are shown as their number with each value, and with 9 for their end.
enum GroupingModels {
  static let all = arrays + windows + timedWindows + groups

  private static let sizes = [(1, 1), (2, 2), (3, 1), (2, 3)]
  private static let end = 9
  /// A number for an array; zero for an empty one.
  static func number(_ values: some Sequence<Int>) -> Int { values.reduce(0) { ($0 * 11 + $1 + 1) % 10_000 } }

  static func shown(_ part: Signal<Int>, _ number: Int) -> Signal<Int> {
    part.append(end).map { number * 10 + $0 }
  }
  static func shown(_ windows: Signal<Signal<Int>>) -> Signal<Int> {
    windows.enumerated().flatMap { shown($0.element, $0.offset) }
  }

  private static let arrays: [ModelOperator] =
    sizes.map { count, skip in
      ModelOperator("collect, \(count) skipping \(skip)") { upstream, _ in
        upstream.collect(count, skip: skip).map { number($0) }
      } reference: { events, _ in
        let values = events.compactMap(\.event.value)
        let starts = stride(from: 0, to: values.count, by: skip)
        var index = -1
        return each(events) {
          starts.filter { $0 + count > values.count }.map { number(values[$0...]) }
        } _: { _ in
          index += 1
          let start = index + 1 - count
          return start >= 0 && start % skip == 0 ? [.value(number(values[start...index]))] : []
        }
      }
    } + [
      ModelOperator("collect, by", place: .beforeTime, others: 1) { upstream, inputs in
        upstream.collect(by: inputs.others[0]).map { number($0) }
      } reference: { events, inputs in
        var values: [Int] = []
        return secondFirst(inputs, events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
          switch (input, timed.event) {
          case (0, .value(let value)):
            values.append(value)
            return []
          case (0, .finished): return [timed.with(.value(number(values))), timed]
          case (_, .value):
            defer { values = [] }
            return [timed.with(.value(number(values)))]
          case (_, .failed): return [timed]
          case (_, .finished): return []
          }
        }
      }
    ]

  private static let windows: [ModelOperator] =
    sizes.map { count, skip in
      ModelOperator("window, \(count) skipping \(skip)") { upstream, _ in
        shown(upstream.window(count, skip: skip))
      } reference: { events, _ in
        // Window n has the values from n * skip on.
        func open(_ index: Int) -> [Int] { (0...index / skip).filter { index < $0 * skip + count } }
        var index = -1
        return each(events) {
          open(index + 1).map { $0 * 10 + end }
        } _: { value in
          index += 1
          let full = open(index).filter { index + 1 == $0 * skip + count }
          return open(index).map { .value($0 * 10 + value) } + full.map { .value($0 * 10 + end) }
        }
      }
    } + [
      ModelOperator("window, by", place: .beforeTime, others: 1) { upstream, inputs in
        shown(upstream.window(by: inputs.others[0]))
      } reference: { events, inputs in
        var number = 0
        return secondFirst(inputs, events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
          switch (input, timed.event) {
          case (0, .value(let value)): return [timed.with(.value(number * 10 + value))]
          case (0, .finished): return [timed.with(.value(number * 10 + end)), timed]
          case (_, .value):
            number += 1
            return [timed.with(.value((number - 1) * 10 + end))]
          case (_, .failed): return [timed]
          case (_, .finished): return []
          }
        }
      }
    ]

  private static let timedWindows: [ModelOperator] = [2, .max].flatMap { limit in
    [
      ModelOperator("collect, for, \(limit)", place: .time) { upstream, inputs in
        upstream.collect(for: TimeModels.wait, upTo: limit, on: inputs.scheduler).map { number($0) }
      } reference: { events, _ in
        spans(of: events, upTo: limit).flatMap { span, isLast -> [TimedEvent<Int>] in
          let values = span.values.compactMap(\.event.value)
          if isLast, case .failed = span.end.event { return [span.end] }
          return [span.end.with(.value(number(values)))] + (isLast ? [span.end] : [])
        }
      },
      ModelOperator("window, for, \(limit)", place: .time) { upstream, inputs in
        shown(upstream.window(for: TimeModels.wait, upTo: limit, on: inputs.scheduler))
      } reference: { events, _ in
        spans(of: events, upTo: limit).enumerated().flatMap { number, part -> [TimedEvent<Int>] in
          let (span, isLast) = part
          let values = each(span.values) { [.value(number * 10 + $0)] }
          if isLast, case .failed = span.end.event { return values + [span.end] }
          return values + [span.end.with(.value(number * 10 + end))] + (isLast ? [span.end] : [])
        }
      },
    ]
  }

  private typealias Span = (values: [TimedEvent<Int>], end: TimedEvent<Int>)

  /// Events in spans of three milliseconds, or of so many values; the last one ends with the end, unless there is none.
  private static func spans(of events: [TimedEvent<Int>], upTo limit: Int) -> [(Span, isLast: Bool)] {
    var result: [(Span, isLast: Bool)] = []
    var values: [TimedEvent<Int>] = []
    var due = 3 * millisecond
    func close(_ end: TimedEvent<Int>, isLast: Bool = false) {
      result.append(((values, end), isLast))
      values = []
      due = end.nanoseconds + 3 * millisecond
    }
    func pass(before time: Int64) {
      while due < time { close(TimedEvent(.finished, at: due)) }
    }
    for timed in events.map({ $0.delayed(by: .zero) }) {
      pass(before: timed.nanoseconds)
      if timed.event.isEnd {
        close(timed, isLast: true)
        return result
      }
      values.append(timed)
      if values.count == limit { close(timed) }
    }
    pass(before: 101 * millisecond)
    return result
  }

  private static let groups: [ModelOperator] =
    [1, 2, 10].map { limit in
      ModelOperator("grouped, up to \(limit)") { upstream, _ in
        upstream.grouped(limit: limit) { $0 % 3 }.flatMap { shown($0.signal, $0.key) }
      } reference: { events, _ in
        var open: [Int] = []
        var latest: [Int] = []
        return each(events) {
          open.map { $0 * 10 + end }
        } _: { value in
          let key = value % 3
          var result: [ReceivedEvent<Int>] = []
          if !open.contains(key) {
            if open.count == limit, let idle = open.min(by: { latest.lastIndex(of: $0)! < latest.lastIndex(of: $1)! }) {
              result.append(.value(idle * 10 + end))
              open.removeAll { $0 == idle }
            }
            open.append(key)
          }
          latest.append(key)
          return result + [.value(key * 10 + value)]
        }
      }
    } + [
      ModelOperator("grouped, until too many") { upstream, _ in
        upstream.grouped(limit: 2, overflow: .fail) { $0 % 3 }.flatMap { shown($0.signal, $0.key) }
          .mapError { $0 is TooManyGroupsError ? MarbleFailure() : $0 }
      } reference: { events, _ in
        var open: [Int] = []
        return each(events) {
          open.map { $0 * 10 + end }
        } _: { value in
          let key = value % 3
          if !open.contains(key) { open.append(key) }
          return [open.count > 2 ? .failed(MarbleFailure()) : .value(key * 10 + value)]
        }
      },
      ModelOperator("grouped, with a time-out", place: .time) { upstream, inputs in
        upstream.grouped(timeout: TimeModels.wait, on: inputs.scheduler) { $0 % 3 }
          .flatMap { shown($0.signal, $0.key) }
      } reference: { events, _ in
        // In the order in which they were opened.
        var open: [(key: Int, due: Int64, latest: Int)] = []
        var count = 0
        var result: [TimedEvent<Int>] = []
        func pass(before time: Int64) {
          for group in open.sorted(by: { $0.latest < $1.latest }) where group.due < time {
            result.append(TimedEvent(.value(group.key * 10 + end), at: group.due))
          }
          open.removeAll { $0.due < time }
        }
        for timed in events {
          pass(before: timed.nanoseconds)
          switch timed.event {
          case .value(let value):
            let due = timed.nanoseconds + 3 * millisecond
            count += 1
            if let known = open.firstIndex(where: { $0.key == value % 3 }) {
              (open[known].due, open[known].latest) = (due, count)
            } else {
              open.append((value % 3, due, count))
            }
            result.append(timed.with(.value(value % 3 * 10 + value)))
          case .failed: return result + [timed]
          case .finished: return result + open.map { timed.with(.value($0.key * 10 + end)) } + [timed]
          }
        }
        pass(before: .max)
        return result
      },
    ]
}
