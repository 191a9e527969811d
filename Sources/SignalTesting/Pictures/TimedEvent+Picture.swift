public import SignalPicture

extension MarblePicture.Line {
  /// Creates a line of a drawing from received events.
  ///
  /// - Parameters:
  ///   - name: The label of the line.
  ///   - events: The received events, in order.
  ///   - begin: The beginning of the line, in nanoseconds.
  ///   - left: The time of the unsubscription, in nanoseconds.
  ///   - label: The text in the marble of a value; its description by default.
  public init<Value>(
    _ name: String, received events: [TimedEvent<Value>], begin: Int64 = 0, left: Int64? = nil,
    label: (Value) -> String = { "\($0)" }
  ) {
    var moments: [MarblePicture.Moment] = []
    for timed in events {
      let event: MarblePicture.Event =
        switch timed.event {
        case .value(let value): .value(label(value))
        case .failed(let error): .failed("\(error)")
        case .finished: .finished
        }
      if let last = moments.last, last.nanoseconds == timed.nanoseconds,
        last.isInsideSubscribe == timed.isInsideSubscribe
      {
        moments[moments.count - 1].events.append(event)
      } else {
        moments.append(
          MarblePicture.Moment(
            nanoseconds: timed.nanoseconds, isInsideSubscribe: timed.isInsideSubscribe, events: [event]))
      }
    }
    self.init(name, moments: moments, begin: begin, left: left)
  }
}
