import SignalTesting
import Signals

/// Operators of time. Sources come before timers that are due at the same instant. What goes through a scheduler is not inside subscribe.
enum TimeModels {
  static let wait: Duration = .milliseconds(3)
  private static let span = 3 * millisecond

  static let all: [ModelOperator] = [
    ModelOperator("delay", place: .time) { upstream, inputs in
      upstream.delay(for: wait, on: inputs.scheduler)
    } reference: { events, _ in
      guard let end = events.last, case .failed = end.event else { return events.map { $0.delayed(by: wait) } }
      return events.dropLast().map { $0.delayed(by: wait) }.filter { $0.nanoseconds < end.nanoseconds }
        + [end.delayed(by: .zero)]
    },
    ModelOperator("delayValues", place: .time) { upstream, inputs in
      upstream.delayValues(for: wait, on: inputs.scheduler)
    } reference: { events, _ in
      let values = events.filter { !$0.event.isEnd }.map { $0.delayed(by: wait) }
      guard let end = events.last, end.event.isEnd else { return values }
      guard case .finished = end.event else {
        return values.filter { $0.nanoseconds < end.nanoseconds } + [end.delayed(by: .zero)]
      }
      return values + [TimedEvent(.finished, at: max(end.nanoseconds, values.last?.nanoseconds ?? 0))]
    },
    ModelOperator("receive(on:)", place: .time) { upstream, inputs in
      upstream.receive(on: inputs.scheduler)
    } reference: { events, _ in
      events.map { $0.delayed(by: .zero) }
    },
    ModelOperator("debounce", place: .time) { upstream, inputs in
      upstream.debounce(for: wait, on: inputs.scheduler)
    } reference: { events, _ in
      var waiting: (value: Int, due: Int64)?
      var result: [TimedEvent<Int>] = []
      func pass(before time: Int64) {
        guard let known = waiting, known.due < time else { return }
        result.append(TimedEvent(.value(known.value), at: known.due))
        waiting = nil
      }
      for timed in events {
        pass(before: timed.nanoseconds)
        switch timed.event {
        case .value(let value): waiting = (value, timed.nanoseconds + span)
        case .failed: return result + [timed.delayed(by: .zero)]
        case .finished:
          if let waiting { result.append(TimedEvent(.value(waiting.value), at: timed.nanoseconds)) }
          return result + [timed.delayed(by: .zero)]
        }
      }
      pass(before: .max)
      return result
    },
    ModelOperator("throttle", place: .time) { upstream, inputs in
      upstream.throttle(for: wait, on: inputs.scheduler, latest: false)
    } reference: { events, _ in
      var restEnd = Int64.min
      return events.flatMap { timed -> [TimedEvent<Int>] in
        if timed.event.isEnd { return [timed.delayed(by: .zero)] }
        guard timed.nanoseconds > restEnd else { return [] }
        restEnd = timed.nanoseconds + span
        return [timed.delayed(by: .zero)]
      }
    },
    ModelOperator("throttle, latest", place: .time) { upstream, inputs in
      upstream.throttle(for: wait, on: inputs.scheduler, latest: true)
    } reference: { events, _ in
      throttled(events, isLeading: true)
    },
    ModelOperator("throttle(for:on:edges:), both", place: .time) { upstream, inputs in
      upstream.throttle(for: wait, on: inputs.scheduler, edges: [.leading, .trailing])
    } reference: { events, _ in
      throttled(events, isLeading: true)
    },
    ModelOperator("throttle(for:on:edges:), trailing", place: .time) { upstream, inputs in
      upstream.throttle(for: wait, on: inputs.scheduler, edges: .trailing)
    } reference: { events, _ in
      throttled(events, isLeading: false)
    },
    ModelOperator("throttle(for:on:edges:), none", place: .time) { upstream, inputs in
      upstream.throttle(for: wait, on: inputs.scheduler, edges: [])
    } reference: { events, _ in
      events.filter(\.event.isEnd).map { $0.delayed(by: .zero) }
    },
    ModelOperator("audit", place: .time) { upstream, inputs in
      upstream.audit(for: wait, on: inputs.scheduler)
    } reference: { events, _ in
      var waiting: (value: Int, due: Int64)?
      var result: [TimedEvent<Int>] = []
      for timed in events {
        if let known = waiting, known.due < timed.nanoseconds {
          result.append(TimedEvent(.value(known.value), at: known.due))
          waiting = nil
        }
        switch timed.event {
        case .value(let value): waiting = (value, waiting?.due ?? (timed.nanoseconds + span))
        case .failed: return result + [timed.delayed(by: .zero)]
        case .finished:
          guard let known = waiting else { return result + [timed.delayed(by: .zero)] }
          return result + [TimedEvent(.value(known.value), at: known.due), TimedEvent(.finished, at: known.due)]
        }
      }
      return result + (waiting.map { [TimedEvent(.value($0.value), at: $0.due)] } ?? [])
    },
    ModelOperator("sample(every:on:)", place: .time) { upstream, inputs in
      upstream.sample(every: wait, on: inputs.scheduler)
    } reference: { events, _ in
      var waiting: Int?
      var next = span
      var result: [TimedEvent<Int>] = []
      func pass(before time: Int64) {
        while next < time, next <= 100 * millisecond {
          if let value = waiting { result.append(TimedEvent(.value(value), at: next)) }
          waiting = nil
          next += span
        }
      }
      for timed in events {
        pass(before: timed.nanoseconds)
        if case .value(let value) = timed.event { waiting = value } else { return result + [timed.delayed(by: .zero)] }
      }
      pass(before: .max)
      return result
    },
    ModelOperator("timeout", place: .time) { upstream, inputs in
      upstream.timeout(after: wait, on: inputs.scheduler).mapError { $0 is TimeoutError ? MarbleFailure() : $0 }
    } reference: { events, _ in
      var due = span
      var result: [TimedEvent<Int>] = []
      for timed in events {
        if timed.nanoseconds > due { return result + [TimedEvent(.failed(MarbleFailure()), at: due)] }
        result.append(timed)
        due = timed.nanoseconds + span
      }
      return result + [TimedEvent(.failed(MarbleFailure()), at: due)]
    },
  ]

  /// The last value of each rest, and the first one if it is not to wait too.
  private static func throttled(_ events: [TimedEvent<Int>], isLeading: Bool) -> [TimedEvent<Int>] {
    var restEnd: Int64?
    var waiting: Int?
    var result: [TimedEvent<Int>] = []
    func pass(before time: Int64) {
      while let end = restEnd, end < time {
        restEnd = nil
        guard let value = waiting else { return }
        result.append(TimedEvent(.value(value), at: end))
        waiting = nil
        restEnd = end + span
      }
    }
    for timed in events {
      pass(before: timed.nanoseconds)
      switch timed.event {
      case .value(let value):
        if restEnd == nil, isLeading {
          result.append(TimedEvent(.value(value), at: timed.nanoseconds))
        } else {
          waiting = value
        }
        restEnd = restEnd ?? (timed.nanoseconds + span)
      case .failed: return result + [timed.delayed(by: .zero)]
      case .finished:
        guard let value = waiting, let end = restEnd else { return result + [timed.delayed(by: .zero)] }
        return result + [TimedEvent(.value(value), at: end), TimedEvent(.finished, at: end)]
      }
    }
    pass(before: .max)
    return result
  }
}
