import SignalTesting
import Signals

/// Operators that say what values become, and which values.
enum ValueModels {
  static let all: [ModelOperator] = [
    ModelOperator("map") { upstream, _ in
      upstream.map { $0 + 1 }
    } reference: { events, _ in
      events.replacingValues { [$0 + 1] }
    },
    ModelOperator("map, throwing") { upstream, _ in
      upstream.map { if $0 == 2 { throw MarbleFailure() } else { $0 } }
    } reference: { events, _ in
      each(events) { $0 == 2 ? [.failed(MarbleFailure())] : [.value($0)] }
    },
    ModelOperator("compactMap") { upstream, _ in
      upstream.compactMap { $0 % 3 == 0 ? nil : $0 * 2 }
    } reference: { events, _ in
      events.replacingValues { $0 % 3 == 0 ? [] : [$0 * 2] }
    },
    ModelOperator("filter") { upstream, _ in
      upstream.filter { $0 % 2 == 0 }
    } reference: { events, _ in
      events.replacingValues { $0 % 2 == 0 ? [$0] : [] }
    },
    ModelOperator("scan") { upstream, _ in
      upstream.scan(0, +)
    } reference: { events, _ in
      var sum = 0
      return events.replacingValues { value in
        sum += value
        return [sum]
      }
    },
    ModelOperator("reduce") { upstream, _ in
      upstream.reduce(5, +)
    } reference: { events, _ in
      var sum = 5
      return each(events, atEnd: { [sum] }) { value in
        sum += value
        return []
      }
    },
    ModelOperator("count") { upstream, _ in
      upstream.count()
    } reference: { events, _ in
      var count = 0
      return each(events, atEnd: { [count] }) { _ in
        count += 1
        return []
      }
    },
    ModelOperator("collect") { upstream, _ in
      upstream.collect().map { $0.reduce(0) { ($0 * 7 + $1) % 1_000 } }
    } reference: { events, _ in
      var values: [Int] = []
      return each(events, atEnd: { [values.reduce(0) { ($0 * 7 + $1) % 1_000 }] }) { value in
        values.append(value)
        return []
      }
    },
    ModelOperator("pairwise") { upstream, _ in
      upstream.pairwise().map { ($0 * 7 + $1) % 1_000 }
    } reference: { events, _ in
      var last: Int?
      return events.replacingValues { value in
        defer { last = value }
        return last.map { [($0 * 7 + value) % 1_000] } ?? []
      }
    },
    ModelOperator("prepend") { upstream, _ in
      upstream.prepend(4)
    } reference: { events, _ in
      [TimedEvent(nanoseconds: 0, isInsideSubscribe: true, event: .value(4))] + events
    },
    ModelOperator("append") { upstream, _ in
      upstream.append(4)
    } reference: { events, _ in
      each(events, atEnd: { [4] }) { [.value($0)] }
    },
    ModelOperator("replaceEmpty(with:)") { upstream, _ in
      upstream.replaceEmpty(with: 6)
    } reference: { events, _ in
      var isEmpty = true
      return each(events, atEnd: { isEmpty ? [6] : [] }) { value in
        isEmpty = false
        return [.value(value)]
      }
    },
    ModelOperator("replaceError") { upstream, _ in
      upstream.replaceError(with: 6)
    } reference: { events, _ in
      events.flatMap { timed -> [TimedEvent<Int>] in
        if case .failed = timed.event { [timed.with(.value(6)), timed.with(.finished)] } else { [timed] }
      }
    },
    ModelOperator("materialize and dematerialize") { upstream, _ in
      upstream.materialize().dematerialize()
    } reference: { events, _ in
      events
    },
    ModelOperator("compacted") { upstream, _ in
      upstream.map { $0 % 2 == 0 ? nil : $0 }.compacted()
    } reference: { events, _ in
      events.replacingValues { $0 % 2 == 0 ? [] : [$0] }
    },
    ModelOperator("mapError") { upstream, _ in
      upstream.mapError { _ in CancellationError() }
    } reference: { events, _ in
      events.map { if case .failed = $0.event { $0.with(.failed(CancellationError())) } else { $0 } }
    },
    ModelOperator("assertNoFailure") { upstream, _ in
      upstream.replaceError(with: 6).assertNoFailure()
    } reference: { events, _ in
      events.flatMap { timed -> [TimedEvent<Int>] in
        if case .failed = timed.event { [timed.with(.value(6)), timed.with(.finished)] } else { [timed] }
      }
    },
    ModelOperator("handle") { upstream, _ in
      upstream.handle { if $0 == 2 { throw MarbleFailure() } }
    } reference: { events, _ in
      each(events) { $0 == 2 ? [.failed(MarbleFailure())] : [.value($0)] }
    },
    ModelOperator("breakpoint") { upstream, _ in
      upstream.breakpoint(onValue: { _ in false })
    } reference: { events, _ in
      events
    },
    ModelOperator("deferred") { upstream, _ in
      .deferred { upstream }
    } reference: { events, _ in
      events
    },
    ModelOperator("named") { upstream, _ in
      upstream.named("numbers")
    } reference: { events, _ in
      events
    },
    ModelOperator("print") { upstream, _ in
      upstream.print("numbers", to: Nowhere())
    } reference: { events, _ in
      events
    },
    ModelOperator("lift") { upstream, _ in
      upstream.lift(ownSite, state: 0) { last, value, downstream in
        if value < last { try downstream.send(last) }
        try downstream.send(value)
        last = value
      } end: { last, completion, downstream in
        if case .finished = completion { try downstream.send(last) }
      }
    } reference: { events, _ in
      var last = 0
      return each(events, atEnd: { [last] }) { value in
        defer { last = value }
        return value < last ? [.value(last), .value(value)] : [.value(value)]
      }
    },
    ModelOperator("lift(_:stateless:)") { upstream, _ in
      upstream.lift(ownSite, stateless: { $0 % 2 == 0 ? $0 / 2 : nil })
    } reference: { events, _ in
      events.replacingValues { $0 % 2 == 0 ? [$0 / 2] : [] }
    },
    ModelOperator("unsafeLift") { upstream, _ in
      upstream.unsafeLift(ownSite) { downstream in
        Observer(for: downstream) { [receive = downstream.receive] in try receive($0 + 2) }
      }
    } reference: { events, _ in
      events.replacingValues { [$0 + 2] }
    },
  ]

  static var ownSite: Site { Site("own", fileID: #fileID, line: #line, function: #function) }
  private struct Nowhere: TextOutputStream, Sendable {
    mutating func write(_ text: String) {}
  }
}
