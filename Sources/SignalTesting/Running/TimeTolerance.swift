import Signals

/// How far the time of an event may be from the expected one.
struct TimeTolerance {
  let nanoseconds: Int64
  let isNegative: Bool

  init(_ duration: Duration) {
    isNegative = duration < .zero
    nanoseconds = max(0, Int64(clamping: duration.attoseconds / 1_000_000_000))
  }

  var isExact: Bool { nanoseconds == 0 }

  /// What a failure says of it.
  ///
  /// - Parameter recorded: What was received, at its own times.
  func note(_ recorded: RecordedDiagram) -> String {
    guard !isExact else { return "" }
    let time = MarbleDuration.spoken(nanoseconds)
    let sentence = "Times up to \(time) from the expected ones count as equal. As received: "
    return "\n" + (sentence + recorded.words).framed
  }

  /// The last moment at which something that is expected until a moment may come.
  func latest(_ moment: Int64) -> Int64 {
    let (sum, isBeyond) = moment.addingReportingOverflow(nanoseconds)
    return isBeyond ? .max : sum
  }

  /// Moves events that are close enough to what is expected to its time, in order. What fits nothing stays where it was.
  ///
  /// - Complexity: O(*n*·*m*) where nothing fits, O(*n*) where everything does.
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
        // What stands before it in another moment is not waited for any more.
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
