import SignalTesting
import Signals

/// Operators that pick values by their place, or by what came before.
enum SelectionModels {
  static let all: [ModelOperator] =
    [0, 1, 3].map { count in
      ModelOperator("prefix, \(count)") { upstream, _ in
        upstream.prefix(count)
      } reference: { events, _ in
        if count == 0 { return [TimedEvent(nanoseconds: 0, isInsideSubscribe: true, event: .finished)] }
        var left = count
        return each(events) { value in
          left -= 1
          return left == 0 ? [.value(value), .finished] : [.value(value)]
        }
      }
    } + [
      ModelOperator("dropFirst") { upstream, _ in
        upstream.dropFirst(2)
      } reference: { events, _ in
        var left = 2
        return events.replacingValues { value in
          left -= 1
          return left < 0 ? [value] : []
        }
      },
      ModelOperator("suffix") { upstream, _ in
        upstream.suffix(2)
      } reference: { events, _ in
        var values: [Int] = []
        return each(events, atEnd: { values.suffix(2) }) { value in
          values.append(value)
          return []
        }
      },
      ModelOperator("prefix(while:)") { upstream, _ in
        upstream.prefix(while: { $0 < 2 })
      } reference: { events, _ in
        each(events) { $0 < 2 ? [.value($0)] : [.finished] }
      },
      ModelOperator("prefix(while:), inclusive") { upstream, _ in
        upstream.prefix(while: { $0 < 2 }, inclusive: true)
      } reference: { events, _ in
        each(events) { $0 < 2 ? [.value($0)] : [.value($0), .finished] }
      },
      ModelOperator("drop(while:)") { upstream, _ in
        upstream.drop(while: { $0 < 2 })
      } reference: { events, _ in
        var isOpen = false
        return events.replacingValues { value in
          isOpen = isOpen || value >= 2
          return isOpen ? [value] : []
        }
      },
      ModelOperator("removeDuplicates") { upstream, _ in
        upstream.removeDuplicates()
      } reference: { events, _ in
        var last: Int?
        return events.replacingValues { value in
          defer { last = value }
          return last == value ? [] : [value]
        }
      },
      ModelOperator("removeDuplicates(by: key path)") { upstream, _ in
        upstream.removeDuplicates(by: \.magnitude.leadingZeroBitCount)
      } reference: { events, _ in
        var last: Int?
        return events.replacingValues { value in
          defer { last = value }
          return last?.magnitude.leadingZeroBitCount == value.magnitude.leadingZeroBitCount ? [] : [value]
        }
      },
      ModelOperator("ignoreValues") { upstream, _ in
        upstream.ignoreValues()
      } reference: { events, _ in
        events.replacingValues { _ in [] }
      },
      ModelOperator("contains") { upstream, _ in
        upstream.contains(1).map { $0 ? 1 : 0 }
      } reference: { events, _ in
        each(events, atEnd: { [0] }) { $0 == 1 ? [.value(1), .finished] : [] }
      },
      ModelOperator("allSatisfy") { upstream, _ in
        upstream.allSatisfy { $0 < 2 }.map { $0 ? 1 : 0 }
      } reference: { events, _ in
        each(events, atEnd: { [1] }) { $0 < 2 ? [] : [.value(0), .finished] }
      },
      ModelOperator("max") { upstream, _ in
        upstream.max()
      } reference: { events, _ in
        var best: Int?
        return each(events, atEnd: { best.map { [$0] } ?? [] }) { value in
          best = Swift.max(best ?? value, value)
          return []
        }
      },
      ModelOperator("min") { upstream, _ in
        upstream.min()
      } reference: { events, _ in
        var best: Int?
        return each(events, atEnd: { best.map { [$0] } ?? [] }) { value in
          best = Swift.min(best ?? value, value)
          return []
        }
      },
      ModelOperator("first") { upstream, _ in
        upstream.first()
      } reference: { events, _ in
        each(events) { [.value($0), .finished] }
      },
      ModelOperator("first, where") { upstream, _ in
        upstream.first(where: { $0 > 1 })
      } reference: { events, _ in
        each(events) { $0 > 1 ? [.value($0), .finished] : [] }
      },
      ModelOperator("last") { upstream, _ in
        upstream.last()
      } reference: { events, _ in
        var last: Int?
        return each(events, atEnd: { last.map { [$0] } ?? [] }) { value in
          last = value
          return []
        }
      },
      ModelOperator("element(at:)") { upstream, _ in
        upstream.element(at: 2)
      } reference: { events, _ in
        var left = 2
        return each(events) { value in
          left -= 1
          return left < 0 ? [.value(value), .finished] : []
        }
      },
      ModelOperator("anySatisfy") { upstream, _ in
        upstream.anySatisfy { $0 > 1 }.map { $0 ? 1 : 0 }
      } reference: { events, _ in
        each(events, atEnd: { [0] }) { $0 > 1 ? [.value(1), .finished] : [] }
      },
      ModelOperator("enumerated") { upstream, _ in
        upstream.enumerated().map { $0.offset * 10 + $0.element }
      } reference: { events, _ in
        var offset = -1
        return events.replacingValues { value in
          offset += 1
          return [offset * 10 + value]
        }
      },
    ]
}
