import SignalMarbles
import Signals

/// The maximum difference between the actual and the expected time of an event.
struct TimeTolerance {
  let nanoseconds: Int64
  let isNegative: Bool

  init(_ duration: Duration) {
    isNegative = duration < .zero
    nanoseconds = max(0, Int64(clamping: duration.attoseconds / 1_000_000_000))
  }

  var isExact: Bool { nanoseconds == 0 }

  /// The sentence in a failure message.
  ///
  /// - Parameter recorded: The received events, at their own times.
  func note(_ recorded: RecordedDiagram) -> String {
    guard !isExact else { return "" }
    let time = MarbleDuration.spoken(nanoseconds)
    let sentence = "Times up to \(time) from the expected ones count as equal. As received: "
    return "\n" + (sentence + recorded.words).framed
  }

  /// The last instant for an event that is expected by an instant.
  func latest(_ moment: Int64) -> Int64 {
    let (sum, isBeyond) = moment.addingReportingOverflow(nanoseconds)
    return isBeyond ? .max : sum
  }

  /// Moves events that are close enough to expected ones to their times, in order. Other events stay.
  ///
  /// - Complexity: O(*n*·*m*) if nothing fits, O(*n*) if everything does.
  func adjust<Value>(
    _ events: [TimedEvent<Value>], to expected: [ExpectedMoment<Value>], _ matcher: EventMatcher<Value>
  ) -> [TimedEvent<Value>] {
    guard !isExact else { return events }
    var waiting = expected.flatMap { expected in
      expected.events.map { (moment: expected.moment, event: $0) }
    }[...]
    var earliest = Int64.min
    return events.map { event in
      var event = event
      if let index = place(of: event, in: waiting, matcher), waiting[index].moment.nanoseconds >= earliest {
        event.nanoseconds = waiting[index].moment.nanoseconds
        let isFree = waiting[index].moment.order == .any
        // An earlier expected event in another moment is skipped.
        let moment = waiting[index].moment
        waiting.remove(at: index)
        if isFree {
          waiting = waiting.drop { $0.moment != moment && $0.moment.nanoseconds < moment.nanoseconds }
        } else {
          waiting = waiting[index...]
        }
      }
      earliest = event.nanoseconds
      return event
    }
  }

  private func place<Value>(
    of event: TimedEvent<Value>, in waiting: ArraySlice<(moment: MarbleMoment, event: ExpectedEvent<Value>)>,
    _ matcher: EventMatcher<Value>
  ) -> Int? {
    waiting.indices.first { index in
      let moment = waiting[index].moment
      return moment.isInsideSubscribe == event.isInsideSubscribe && isNear(moment.nanoseconds, event.nanoseconds)
        && matcher.matches(waiting[index].event, event.event)
    }
  }

  private func isNear(_ left: Int64, _ right: Int64) -> Bool {
    let (difference, isBeyond) = left.subtractingReportingOverflow(right)
    return !isBeyond && difference.magnitude <= nanoseconds.magnitude
  }
}
