public import SignalPicture

extension MarblePicture.Line {
  /// Creates a line of a drawing from a diagram.
  ///
  /// - Parameters:
  ///   - name: The name before the line.
  ///   - diagram: The events of the line.
  ///   - offset: The time at which the diagram and the line begin, in nanoseconds.
  ///   - left: The time at which the subscriber unsubscribes, in nanoseconds; later events of the diagram are not sent.
  ///   - opener: The label of the value that the line represents, if that is a signal.
  ///   - role: The side of a comparison that the line represents.
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
  /// Creates a part of a drawing from a subscription.
  ///
  /// - Parameters:
  ///   - name: The name before the subscription.
  ///   - diagram: The times at which the subscription begins and ends.
  public init(_ name: String, _ diagram: SubscriptionDiagram) {
    self.init(name, subscribed: diagram.subscribed ?? 0, unsubscribed: diagram.unsubscribed)
  }
}

extension MarblePicture.Event {
  /// Creates an event of a drawing from one of a diagram.
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
  /// Draws the diagram as SVG for a page or a report, in light and dark mode.
  ///
  /// ```swift
  /// import SignalTesting
  ///
  /// let svg = try MarbleDiagram("-a-(bc)--|").svg(name: "letters")
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name before the line.
  ///   - title: A short description of the drawing for screen readers.
  ///   - options: The drawing options.
  public func svg(
    name: String = "", title: String = "", options: MarbleDrawingOptions = MarbleDrawingOptions()
  ) -> String {
    let hasEnded = events.last?.event.isEnd ?? false
    return MarblePicture(
      title: title, rows: [.line(MarblePicture.Line(name, self))], frame: frame, end: hasEnded ? nil : end
    ).svg(options: options)
  }
}
