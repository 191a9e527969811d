import SignalTesting
import Signals

/// What a list becomes when each value becomes some events. What comes after an end does not count.
func each<Output>(
  _ events: [TimedEvent<Int>], atEnd: () -> [Output] = { [] }, _ step: (Int) -> [ReceivedEvent<Output>]
) -> [TimedEvent<Output>] {
  events.flatMap { timed -> [TimedEvent<Output>] in
    switch timed.event {
    case .value(let value): step(value).map { timed.with($0) }
    case .failed(let error): [timed.with(.failed(error))]
    case .finished: atEnd().map { timed.with(.value($0)) } + [timed.with(.finished)]
    }
  }
}

/// Two inputs in the order in which they come, where the second is subscribed to first.
func secondFirst(
  _ inputs: ModelEvents, _ events: [TimedEvent<Int>], _ other: [TimedEvent<Int>]
) -> [(input: Int, event: TimedEvent<Int>)] {
  inputs.inOrder(other, events).map { (1 - $0.input, $0.event) }.filter(\.1.isInsideSubscribe)
    + inputs.inOrder(events, other).filter { !$0.event.isInsideSubscribe }
}

/// What somebody gets who subscribes to an input late: at the moment of an event of the input before it.
func whoever(comesAt moment: TimedEvent<Int>, to input: [TimedEvent<Int>]) -> [TimedEvent<Int>] {
  if moment.isInsideSubscribe { return input }
  let first = input.filter(\.isInsideSubscribe).map { moment.with($0.event) }
  let rest = input.filter { !$0.isInsideSubscribe }
  // Whoever comes after the end gets it at once (law 10).
  if let end = rest.last, end.event.isEnd, end.nanoseconds < moment.nanoseconds {
    return first + [moment.with(end.event)]
  }
  return first + rest.filter { $0.nanoseconds >= moment.nanoseconds }
}

let millisecond: Int64 = 1_000_000

extension TimedEvent {
  init(_ event: ReceivedEvent<Value>, at nanoseconds: Int64) { self.init(nanoseconds: nanoseconds, event: event) }
}
