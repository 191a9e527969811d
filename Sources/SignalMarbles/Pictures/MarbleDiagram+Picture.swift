public import SignalPicture

extension MarblePicture.Line {
  /// A diagram as a line of a picture.
  ///
  /// - Parameters:
  ///   - name: What stands before the line.
  ///   - diagram: What is sent, and when.
  ///   - offset: The time at which the diagram's time begins, in nanoseconds; there the line begins too.
  ///   - left: When the line is left, in nanoseconds; what the diagram has after that is not sent.
  ///   - opener: The label of the value that the line is, when that is a signal.
  ///   - role: Which side of a comparison the line is.
  public init(
    _ name: String, _ diagram: MarbleDiagram, offset: Int64 = 0, left: Int64? = nil, opener: String? = nil,
    role: Role = .plain
  ) {
    let moments = diagram.moments.map { moment in
      MarblePicture.Moment(
        nanoseconds: offset.addingSaturated(moment.nanoseconds), isInsideSubscribe: moment.isInsideSubscribe,
        isUnordered: moment.order == .any, events: moment.events.map(MarblePicture.Event.init))
    }
    self.init(
      name, moments: moments.filter { moment in left.map { moment.nanoseconds <= $0 } ?? true }, begin: offset,
      left: left,
      opener: opener, role: role)
  }
}

extension MarblePicture.Span {
  /// A subscription as a part of a picture.
  ///
  /// - Parameters:
  ///   - name: What stands before it.
  ///   - diagram: When it begins and ends.
  public init(_ name: String, _ diagram: SubscriptionDiagram) {
    self.init(name, subscribed: diagram.subscribed ?? 0, unsubscribed: diagram.unsubscribed)
  }
}

extension MarblePicture.Event {
  /// An event as a diagram names it.
  ///
  /// - Parameter event: The event.
  public init(_ event: MarbleEvent) {
    switch event {
    case .value(let value): self = .value(value.string)
    case .anyValue: self = .anyValue
    case .failed(let name): self = .failed(name)
    case .finished: self = .finished
    }
  }
}

extension MarbleDiagram {
  /// The diagram as a picture: SVG for a page or a report, in light and in dark.
  ///
  /// ```swift
  /// import SignalMarbles
  ///
  /// let svg = try MarbleDiagram("-a-(bc)--|").svg(name: "letters")
  /// ```
  ///
  /// - Parameters:
  ///   - name: What stands before the line.
  ///   - title: What the picture shows, in a few words, for screen readers.
  ///   - options: How it is drawn.
  public func svg(
    name: String = "", title: String = "", options: MarbleDrawingOptions = MarbleDrawingOptions()
  ) -> String {
    let hasEnded = events.last?.event.isEnd ?? false
    return MarblePicture(
      title: title, rows: [.line(MarblePicture.Line(name, self))], frame: frame, end: hasEnded ? nil : end
    ).svg(options: options)
  }
}

extension Int64 {
  /// The sum, or the largest or smallest number where it does not fit.
  package func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the largest or smallest number where it does not fit.
  package func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
