import SignalTesting
import Signals

/// Operators that say where or when something happens, and such as tell the time.
enum PlaceModels {
  @TaskLocal static var number = 5

  private final class Owner: DisposeBagOwner {
    let disposeBag = DisposeBag()
  }

  static let all: [ModelOperator] = [
    ModelOperator("receive(on:carrying:)", place: .time) { upstream, inputs in
      upstream.flatMap { value in
        Signal { producer in
          $number.withValue(value) { producer.send(value) }
          producer.finish()
        }
      }
      .receive(on: inputs.scheduler, carrying: $number).map { $0 * 10 + number }
    } reference: { events, _ in
      events.replacingValues { [$0 * 11] }.map { $0.delayed(by: .zero) }
    },
    ModelOperator("prefix(duringLifetimeOf:)", place: .time) { upstream, inputs in
      let owner = Owner()
      _ = inputs.scheduler.schedule(after: TimeModels.wait) { _ = owner }
      return upstream.prefix(duringLifetimeOf: owner)
    } reference: { events, _ in
      events.filter { $0.nanoseconds <= 3 * millisecond } + [TimedEvent(.finished, at: 3 * millisecond)]
    },
    ModelOperator("timestamp") { upstream, inputs in
      let start = inputs.scheduler.now.sinceOrigin
      return upstream.timestamp(on: inputs.scheduler).map {
        milliseconds($0.instant.sinceOrigin - start) * 100 + $0.value
      }
    } reference: { events, _ in
      events.flatMap { timed in
        [timed].replacingValues { [Int(timed.nanoseconds / millisecond) * 100 + $0] }
      }
    },
    ModelOperator("measureInterval") { upstream, inputs in
      upstream.measureInterval(on: inputs.scheduler).map { milliseconds($0) }
    } reference: { events, _ in
      var last: Int64 = 0
      return events.flatMap { timed in
        [timed].replacingValues { _ in
          defer { last = timed.nanoseconds }
          return [Int((timed.nanoseconds - last) / millisecond)]
        }
      }
    },
    ModelOperator("timeout(first:between:)", place: .time) { upstream, inputs in
      upstream.timeout(first: .milliseconds(5), between: .milliseconds(2), on: inputs.scheduler)
        .mapError { $0 is TimeoutError ? MarbleFailure() : $0 }
    } reference: { events, _ in
      var due = 5 * millisecond
      var result: [TimedEvent<Int>] = []
      for timed in events where timed.nanoseconds <= due {
        result.append(timed)
        due = timed.nanoseconds + 2 * millisecond
      }
      return result + [TimedEvent(.failed(MarbleFailure()), at: due)]
    },
    ModelOperator("timeout, with a fallback", place: .time, others: 1) { upstream, inputs in
      upstream.timeout(after: TimeModels.wait, on: inputs.scheduler, fallback: inputs.others[0])
    } reference: { events, inputs in
      var due = 3 * millisecond
      var result: [TimedEvent<Int>] = []
      for timed in events where timed.nanoseconds <= due {
        result.append(timed)
        due = timed.nanoseconds + 3 * millisecond
      }
      // Timers come behind the inputs of their moment.
      let late = TimedEvent<Int>(.finished, at: due)
      let missed = inputs.others[0].last { $0.event.isEnd && !$0.isInsideSubscribe && $0.nanoseconds == due }
      if let missed {
        return result + inputs.others[0].filter(\.isInsideSubscribe).map { late.with($0.event) } + [missed]
      }
      return result
        + whoever(comesAt: late, to: inputs.others[0].filter { $0.isInsideSubscribe || $0.nanoseconds != due })
    },
  ]

  static let others: [LibraryModel] =
    [
      LibraryModel("subscribed(on:)", inners: 1) { _, inputs in
        inputs.inners[0].subscribed(on: inputs.scheduler)
      } reference: { _, inputs in
        inputs.inners[0].map { $0.delayed(by: .zero) }
      },
      LibraryModel("mapAsync, as they come") { upstream, inputs in
        upstream.mapAsync(maxConcurrent: .max, keepsOrder: false, executor: inputs.scheduler, working(inputs))
      } reference: { events, _ in
        let answers = events.enumerated().compactMap { number, timed in
          timed.event.value.map { (number, TimedEvent(.value($0), at: timed.nanoseconds + duration($0))) }
        }
        return ending(answers.sorted { ($0.1.nanoseconds, $0.0) < ($1.1.nanoseconds, $1.0) }.map(\.1), as: events)
      },
    ]
    + [1, 2].map { limit in
      LibraryModel("mapAsync, \(limit) at a time") { upstream, inputs in
        upstream.mapAsync(maxConcurrent: limit, executor: inputs.scheduler, working(inputs))
      } reference: { events, _ in
        // A closure begins when the one that is so many values before it has delivered.
        var delivered = Array(repeating: Int64.min, count: limit)
        let answers = events.compactMap { timed in
          timed.event.value.map { value in
            let start = max(timed.nanoseconds, delivered[delivered.count - limit])
            delivered.append(max(start + duration(value), delivered[delivered.count - 1]))
            return TimedEvent(.value(value), at: delivered[delivered.count - 1])
          }
        }
        return ending(answers, as: events)
      }
    }

  private static func duration(_ value: Int) -> Int64 { Int64(value % 3 + 1) * millisecond }
  static func working(_ inputs: ModelInputs) -> @Sendable (Int) async throws -> Int {
    { [scheduler = inputs.scheduler] value in
      try await scheduler.sleep(for: .nanoseconds(duration(value)))
      return value
    }
  }
  /// Answers, with the end behind them; a failure does not wait for those that are not there yet.
  private static func ending(_ answers: [TimedEvent<Int>], as events: [TimedEvent<Int>]) -> [TimedEvent<Int>] {
    guard let end = events.last, end.event.isEnd else { return answers }
    if end.event.isFailure { return answers.filter { $0.nanoseconds < end.nanoseconds } + [end] }
    guard let last = answers.last else { return [end] }
    return answers + [last.nanoseconds < end.nanoseconds ? end : TimedEvent(.finished, at: last.nanoseconds)]
  }

  private static func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
}
