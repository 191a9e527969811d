extension MarblePicture {
  /// The description for screen readers: each line with its events, up to a reasonable number.
  var words: String {
    rows.prefix(MarbleDrawing.maximumRows).map { row in
      switch row {
      case .line(let line): "\(Self.shown(line.name)): \(line.words)."
      case .subscription(let span):
        "\(Self.shown(span.name)): from \(MarbleTime.words(span.subscribed))"
          + (span.unsubscribed.map { " to \(MarbleTime.words($0))." } ?? " on.")
      case .box(let text): "Operator: \(MarbleLabel.shown(text, limit: 200))."
      }
    }.joined(separator: " ")
  }

  private static func shown(_ name: String) -> String { name.isEmpty ? "Line" : MarbleLabel.shown(name, limit: 60) }
}

extension MarblePicture.Line {
  fileprivate var words: String {
    let limit = 60
    var events: [String] = []
    var count = 0
    for moment in moments.sorted(by: { $0.slot < $1.slot }) {
      count += moment.events.count
      let time = moment.isInsideSubscribe ? "inside subscribe" : "at \(MarbleTime.words(moment.nanoseconds))"
      for event in moment.events.prefix(max(0, limit - events.count)) { events.append("\(event.words) \(time)") }
    }
    if events.isEmpty { return "nothing" }
    return events.joined(separator: ", ") + (count > limit ? ", and \((count - limit).grouped) more events" : "")
  }
}

extension MarblePicture.Moment {
  var slot: MarbleSlot { MarbleSlot(nanoseconds: nanoseconds, isInsideSubscribe: isInsideSubscribe) }
}

extension MarblePicture.Event {
  fileprivate var words: String {
    let words =
      switch kind {
      case .value(let label): MarbleLabel.shown(label, limit: 40)
      case .anyValue: "any value"
      case .failed(let name): name.map { "fails with \(MarbleLabel.shown($0, limit: 40))" } ?? "fails"
      case .finished: "finishes"
      }
    return difference.map { "\(words) (\($0.words))" } ?? words
  }
}

extension MarblePicture.Event.Difference {
  var words: String {
    switch self {
    case .missing: "missing"
    case .extra: "not expected"
    case .different: "different"
    case .moved: "at another time"
    }
  }
}
