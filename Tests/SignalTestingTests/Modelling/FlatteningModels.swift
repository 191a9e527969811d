import SignalTesting
import Signals

/// Operators that make a signal of each value.
enum FlatteningModels {
  /// Which of the signals run.
  private enum Policy {
    case upTo(Int)
    case latest
    case unlessBusy
  }

  static let all: [LibraryModel] =
    [
      LibraryModel("flatMap", inners: 3) { upstream, inputs in
        upstream.flatMap(inputs.inner)
      } reference: { events, inputs in
        flattening(.upTo(.max), events, inputs)
      },
      LibraryModel("flatMap, two at a time", inners: 3) { upstream, inputs in
        upstream.flatMap(maxConcurrent: 2, inputs.inner)
      } reference: { events, inputs in
        flattening(.upTo(2), events, inputs)
      },
      LibraryModel("flatten", inners: 3) { upstream, inputs in
        upstream.map(inputs.inner).flatten()
      } reference: { events, inputs in
        flattening(.upTo(.max), events, inputs)
      },
      LibraryModel("concatMap", inners: 3) { upstream, inputs in
        upstream.concatMap(inputs.inner)
      } reference: { events, inputs in
        flattening(.upTo(1), events, inputs)
      },
      LibraryModel("exhaustMap", inners: 3) { upstream, inputs in
        upstream.exhaustMap(inputs.inner)
      } reference: { events, inputs in
        flattening(.unlessBusy, events, inputs)
      },
      LibraryModel("flatMapLatest", inners: 3) { upstream, inputs in
        upstream.flatMapLatest(inputs.inner)
      } reference: { events, inputs in
        flattening(.latest, events, inputs)
      },
      LibraryModel("switchToLatest", inners: 3) { upstream, inputs in
        upstream.map(inputs.inner).switchToLatest()
      } reference: { events, inputs in
        flattening(.latest, events, inputs)
      },
    ]
    + [1, 2, Int.max].map { limit in
      LibraryModel("expand, up to \(limit)", inners: 3) { upstream, inputs in
        upstream.expand(maxConcurrent: limit) { [inner = inputs.inner] value in
          value < 8 ? inner(value).map { 2 * value + 1 + $0 } : .empty()
        }
      } reference: { events, inputs in
        expanding(limit, events, inputs)
      }
    }

  private static func flattening(
    _ policy: Policy, _ events: [TimedEvent<Int>], _ inputs: ModelEvents
  ) -> [TimedEvent<Int>] {
    ListRun.events { run in
      var (running, waiting, isOuterOver) = (0, [Int](), false)
      var latest: Int?
      func begin(_ value: Int) {
        running += 1
        latest = run.subscribe(inputs.inner(value)) { event, _ in
          guard case .finished = event else { return run.send(event) }
          running -= 1
          if !waiting.isEmpty { begin(waiting.removeFirst()) } else if isOuterOver, running == 0 { run.send(event) }
        }
      }
      run.subscribe(toInput: 0, events) { event, _ in
        switch (event, policy) {
        case (.value(let value), .upTo(let limit)):
          if running < limit { begin(value) } else { waiting.append(value) }
        case (.value(let value), .latest):
          run.leave(latest)
          running = 0
          begin(value)
        case (.value(let value), .unlessBusy):
          if running == 0 { begin(value) }
        case (.failed, _): run.send(event)
        case (.finished, _):
          isOuterOver = true
          if running == 0 { run.send(event) }
        }
      }
    }
  }

  /// Level by level: a value is delivered before the signal that is made of it begins, and that begins before one of a later value.
  private static func expanding(
    _ limit: Int, _ events: [TimedEvent<Int>], _ inputs: ModelEvents
  ) -> [TimedEvent<Int>] {
    ListRun.events { run in
      var (running, waiting, next, isOuterOver, isBeginning) = (0, [Int](), [Int](), false, false)
      func take(_ value: Int) {
        guard running < limit else { return waiting.append(value) }
        running += 1
        run.send(.value(value))
        next.append(value)
        guard !isBeginning else { return }
        isBeginning = true
        while !next.isEmpty { begin(next.removeFirst()) }
        isBeginning = false
      }
      func begin(_ value: Int) {
        let events =
          value < 8 ? inputs.inner(value) : [TimedEvent(nanoseconds: 0, isInsideSubscribe: true, event: .finished)]
        run.subscribe(events) { event, _ in
          switch event {
          case .value(let step): take(2 * value + 1 + step)
          case .failed: run.send(event)
          case .finished:
            running -= 1
            if !waiting.isEmpty { take(waiting.removeFirst()) } else if isOuterOver, running == 0 { run.send(event) }
          }
        }
      }
      run.subscribe(toInput: 0, events) { event, _ in
        switch event {
        case .value(let value): take(value)
        case .failed: run.send(event)
        case .finished:
          isOuterOver = true
          if running == 0 { run.send(event) }
        }
      }
    }
  }
}
