import SignalTesting
import Signals

/// Values that wait while another signal says so: while its latest value is odd.
enum BufferModels {
  static let all: [ModelOperator] = [
    ("all", OverflowPolicy.keepAll), ("newest", .newest(1)), ("oldest", .oldest(1)), ("fail", .fail(1)),
  ].map { name, overflow in
    ModelOperator("buffer, \(name)", place: .beforeTime, others: 1) { upstream, inputs in
      upstream.buffer(while: inputs.others[0].map { $0 % 2 == 1 }, overflow: overflow)
        .mapError { $0 is OverflowError ? MarbleFailure() : $0 }
    } reference: { events, inputs in
      var isHeld = false
      var waiting: [ReceivedEvent<Int>] = []
      func release(at timed: TimedEvent<Int>) -> [TimedEvent<Int>] {
        defer { waiting = [] }
        isHeld = false
        return waiting.map { timed.with($0) }
      }
      return secondFirst(inputs, events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
        switch (input, timed.event) {
        case (0, _):
          if waiting.last?.isEnd == true { return [] }
          if waiting.isEmpty, !isHeld || timed.event.isEnd { return [timed] }
          if timed.event.isEnd || waiting.isEmpty {
            waiting.append(timed.event)
          } else {
            switch overflow {
            case .keepAll: waiting.append(timed.event)
            case .newest: waiting = [timed.event]
            case .oldest: break
            case .fail: waiting.append(.failed(MarbleFailure()))
            }
          }
          return []
        case (_, .value(let value)):
          if value % 2 == 0 { return release(at: timed) }
          isHeld = true
          return []
        case (_, .failed): return [timed]
        case (_, .finished): return release(at: timed)
        }
      }
    }
  }
}
