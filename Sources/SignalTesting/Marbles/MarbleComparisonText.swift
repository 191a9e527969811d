import CustomDump

extension MarbleComparison: CustomStringConvertible {
  /// The expected and the actual row with a caret row, a sentence for each difference, and the differences of values.
  ///
  /// Empty where both agree.
  public var description: String {
    guard !isMatch else { return "" }
    var lines = table.lines()
    if table.frame < frame { lines.append("(one - is \(MarbleDuration.spoken(table.frame)))") }
    lines.append("")
    let shown = differences.prefix(20)
    lines += shown.map(sentence)
    if differences.count > shown.count { lines.append("… and \(differences.count - shown.count) more differences") }
    for case .different(let left, let right) in shown.prefix(5) { lines += valueDifference(left, right) }
    return lines.joined(separator: "\n")
  }

  // MARK: Rows

  private func slot(_ event: TimedEvent<Value>) -> MarbleTable.Slot {
    MarbleTable.Slot(nanoseconds: event.nanoseconds, isInsideSubscribe: event.isInsideSubscribe)
  }

  private func slot(_ moment: MarbleMoment) -> MarbleTable.Slot {
    MarbleTable.Slot(nanoseconds: moment.nanoseconds, isInsideSubscribe: moment.isInsideSubscribe)
  }

  /// What was received, the events of an instant together.
  var receivedMoments: [MarbleMoment] {
    var result: [MarbleMoment] = []
    for event in actual {
      if let last = result.last, slot(last) == slot(event) {
        result[result.count - 1].events.append(notation(event.event))
      } else {
        result.append(
          MarbleMoment(
            nanoseconds: event.nanoseconds, isInsideSubscribe: event.isInsideSubscribe,
            events: [notation(event.event)]))
      }
    }
    return result
  }

  private var actualMoments: [MarbleMoment] {
    receivedMoments.map { moment in
      var moment = moment
      moment.events = moment.events.map(shortened)
      return moment
    }
  }

  /// A long text cut for the rows; sentences show it whole.
  private func shortened(_ event: MarbleEvent) -> MarbleEvent {
    guard case .value(.text(let text)) = event, text.count > 16 else { return event }
    return .value(.text(text.prefix(15) + "…"))
  }

  private var table: MarbleTable {
    let printer = MarblePrinter()
    func row(_ title: String, _ moments: [MarbleMoment]) -> MarbleTable.Row {
      let cells = moments.map { (slot($0), printer.token(for: $0)) }
      let hasEnded = moments.last?.events.last?.isEnd == true
      return MarbleTable.Row(
        title: title, cells: Dictionary(cells) { $0 + $1 }, last: hasEnded ? moments.last.map(slot) : nil)
    }
    let rows = [row("expected", expectedMoments), row("actual", actualMoments)]
    let times = rows.flatMap { $0.cells.keys.map(\.nanoseconds) }
    let isOpen = rows.contains { $0.last == nil }
    return MarbleTable(
      rows: rows, marks: Set(differences.flatMap(slots)), end: isOpen ? end : times.max() ?? 0,
      frame: MarbleTable.frame(frame, fitting: times))
  }

  private func slots(of difference: Difference) -> [MarbleTable.Slot] {
    switch difference {
    case .different(let left, _), .missing(let left): [expected[left].slot]
    case .moved(let left, let right): [expected[left].slot, slot(actual[right])]
    case .extra(let right): [slot(actual[right])]
    }
  }

  // MARK: Sentences

  /// Whether every time is a whole number of frames, so that all can be told as frames.
  private var isOnGrid: Bool {
    (expected.map(\.slot.nanoseconds) + actual.map(\.nanoseconds)).allSatisfy { $0 % frame == 0 }
  }

  private func sentence(_ difference: Difference) -> String {
    switch difference {
    case .different(let left, let right):
      "\(time(expected[left].slot)): expected \(words(expected[left])), got \(words(actual[right]))"
    case .missing(let left): "\(time(expected[left].slot)): missing \(words(expected[left]))"
    case .extra(let right): "\(time(slot(actual[right]))): extra \(words(actual[right]))"
    case .moved(let left, let right): moved(words(actual[right]), from: expected[left].slot, to: slot(actual[right]))
    }
  }

  private func moved(_ words: String, from expected: MarbleTable.Slot, to actual: MarbleTable.Slot) -> String {
    guard expected.isInsideSubscribe != actual.isInsideSubscribe else {
      return "\(words) at \(time(actual)) instead of \(time(expected))"
    }
    func place(_ slot: MarbleTable.Slot) -> String { slot.isInsideSubscribe ? time(slot) : "at \(time(slot))" }
    return "\(words) \(place(actual)) instead of \(place(expected))"
  }

  private func time(_ slot: MarbleTable.Slot) -> String {
    if slot.isInsideSubscribe { return "inside subscribe" }
    let frames = slot.nanoseconds / frame
    guard isOnGrid, frames < 1000 else { return MarbleDuration.spoken(slot.nanoseconds) }
    return "frame \(frames)"
  }

  private func words(_ expected: Expected) -> String {
    if case .failed(let error?) = expected.event { return "# (\(error))" }
    return words(expected.notation)
  }

  private func words(_ event: TimedEvent<Value>) -> String {
    if case .failed(let error) = event.event { return "# (\(error))" }
    return words(notation(event.event))
  }

  private func words(_ event: MarbleEvent) -> String {
    event == .anyValue ? "? (any value)" : MarblePrinter.text(of: event)
  }

  private func notation(_ event: ReceivedEvent<Value>) -> MarbleEvent {
    switch event {
    case .value(let value): .value(name(value))
    case .failed: .failed(nil)
    case .finished: .finished
    }
  }

  private func valueDifference(_ left: Int, _ right: Int) -> [String] {
    let title = "\(time(expected[left].slot)), − expected, + actual:"
    var difference: String?
    switch (expected[left].event, actual[right].event) {
    case (.value(let one), .value(let other)):
      let isPlain = String(customDumping: one).count <= 24 && String(customDumping: other).count <= 24
      let isNamed = name(one) == .text("\(one)") && name(other) == .text("\(other)")
      difference = isPlain && (isNamed || one is String) ? nil : diff(one, other)
    case (.failed(let one?), .failed(let other)): difference = diff(one as Any, other as Any)
    default: break
    }
    guard let difference else { return [] }
    return ["", title] + difference.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
  }
}
