import SignalTesting
import Signals

/// Operators with several subscribers: one from the beginning, and one from the first value of the other input on.
enum SharingModels {
  static let all: [LibraryModel] =
    [0, 2].flatMap { replay in
      [
        LibraryModel("share, replaying \(replay)", others: 1) { upstream, inputs in
          twice(upstream.share(replay: replay), inputs)
        } reference: { events, inputs in
          sharing(events, inputs, replay: replay, beginsAnew: true)
        },
        LibraryModel("share(replay:keepsRunning:), replaying \(replay)", others: 1) { upstream, inputs in
          twice(upstream.share(replay: replay, keepsRunning: true), inputs)
        } reference: { events, inputs in
          sharing(events, inputs, replay: replay, beginsAnew: false)
        },
        LibraryModel("multicast and autoconnect, replaying \(replay)", others: 1) { upstream, inputs in
          twice(upstream.multicast(replay: replay).autoconnect(), inputs)
        } reference: { events, inputs in
          sharing(events, inputs, replay: replay, beginsAnew: false)
        },
      ]
    } + [
      LibraryModel("autoconnect, after two", others: 1) { upstream, inputs in
        twice(upstream.multicast().autoconnect(after: 2), inputs)
      } reference: { events, inputs in
        guard let first = inputs.others[0].first, !first.event.isEnd else {
          return inputs.others[0].filter { $0.event.isFailure }
        }
        return late(at: first, events).flatMap { $0.event.isEnd ? [$0] : [$0, $0] }
      }
    ]

  static func twice(_ shared: Signal<Int>, _ inputs: ModelInputs) -> Signal<Int> {
    shared.merge(with: inputs.others[0].prefix(1).flatMap { _ in shared })
  }

  /// What the upstream sends whoever subscribes when the other input sends, which comes behind it at the same instant.
  private static func late(at moment: TimedEvent<Int>, _ events: [TimedEvent<Int>]) -> [TimedEvent<Int>] {
    if moment.isInsideSubscribe { return events }
    let left = events.filter { $0.isInsideSubscribe || $0.nanoseconds > moment.nanoseconds }
    let end = left.last?.event.isEnd == true ? [] : events.suffix(1).filter(\.event.isEnd).map { moment.with($0.event) }
    return left.map { $0.isInsideSubscribe ? moment.with($0.event) : $0 } + end
  }

  private static func sharing(
    _ events: [TimedEvent<Int>], _ inputs: ModelEvents, replay: Int, beginsAnew: Bool
  ) -> [TimedEvent<Int>] {
    var values: [Int] = []
    var (isOver, isSecondHere, nobodyComes) = (false, false, false)
    return inputs.inOrder(events, inputs.others[0]).flatMap { input, timed -> [TimedEvent<Int>] in
      if isSecondHere, input == 1 { return [] }
      switch (input, timed.event) {
      case (_, .failed): return [timed]
      case (0, .value(let value)):
        values.append(value)
        return isSecondHere ? [timed, timed] : [timed]
      case (0, .finished):
        isOver = true
        return isSecondHere || nobodyComes ? [timed] : []
      case (_, .value):
        isSecondHere = true
        if isOver, beginsAnew { return late(at: timed, events) }
        return values.suffix(replay).map { timed.with(.value($0)) } + (isOver ? [timed.with(.finished)] : [])
      case (_, .finished):
        nobodyComes = true
        return isOver ? [timed] : []
      }
    }
  }
}
