extension MarbleComparison: CustomStringConvertible {
  /// The expected and the actual row with a caret row, a sentence for each difference, and the differences of values.
  ///
  /// Empty where both agree.
  public var description: String { isMatch ? "" : ComparisonText(self).description }
}

/// Tells how an expectation and what was received differ.
struct ComparisonText<Value> {
  typealias Slot = MarbleTable.Slot
  typealias Difference = MarbleComparison<Value>.Difference

  let comparison: MarbleComparison<Value>
  let names: ReceivedNames<Value>

  init(_ comparison: MarbleComparison<Value>) {
    self.comparison = comparison
    names = ReceivedNames(comparison)
  }

  /// The rows, a sentence for each difference, and the differences of values.
  var description: String {
    let table = table
    var lines = table.lines()
    if table.frame < comparison.frame { lines.append("(one - is \(MarbleDuration.spoken(table.frame)))") }
    lines.append("")
    let orders = orders
    let told = comparison.differences.filter { difference in !slots(of: difference).allSatisfy { orders[$0] != nil } }
    var sentences = orders.map { ($0.key, $0.value) } + told.map { (slots(of: $0).last ?? Slot.start, sentence($0)) }
    // A stable sort: differences of an instant stay in their order.
    sentences = sentences.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    lines += sentences.prefix(20).map(\.1)
    if sentences.count > 20 { lines.append("… and \(sentences.count - 20) more differences") }
    var shown = 0
    for case .different(let left, let right) in told.prefix(20) where shown < 3 {
      let difference = valueDifference(left, right)
      if !difference.isEmpty { shown += 1 }
      lines += difference
    }
    for hint in [separateDigits, insideSubscribe].compactMap(\.self) { lines += ["", hint] }
    return lines.joined(separator: "\n")
  }

  // MARK: Rows

  func slot(_ event: TimedEvent<Value>) -> Slot {
    Slot(nanoseconds: event.nanoseconds, isInsideSubscribe: event.isInsideSubscribe)
  }

  private func slot(_ moment: MarbleMoment) -> Slot {
    Slot(nanoseconds: moment.nanoseconds, isInsideSubscribe: moment.isInsideSubscribe)
  }

  /// What was received, the events of an instant together.
  var receivedMoments: [MarbleMoment] {
    var result: [MarbleMoment] = []
    for (event, notation) in zip(comparison.actual, names.events) {
      if let last = result.last, slot(last) == slot(event) {
        result[result.count - 1].events.append(notation)
      } else {
        result.append(
          MarbleMoment(
            nanoseconds: event.nanoseconds, isInsideSubscribe: event.isInsideSubscribe, events: [notation]))
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
    let rows = [row("expected", comparison.expectedMoments), row("actual", actualMoments)]
    let times = rows.flatMap { $0.cells.keys.map(\.nanoseconds) }
    let isOpen = rows.contains { $0.last == nil }
    return MarbleTable(
      rows: rows, marks: Set(comparison.differences.flatMap(slots)), end: isOpen ? comparison.end : times.max() ?? 0,
      frame: MarbleTable.frame(comparison.frame, fitting: times))
  }

  /// Where a difference is; the last one is where it is told.
  func slots(of difference: Difference) -> [Slot] {
    switch difference {
    case .different(let left, _), .missing(let left): [comparison.expected[left].slot]
    case .moved(let left, let right): [comparison.expected[left].slot, slot(comparison.actual[right])]
    case .extra(let right): [slot(comparison.actual[right])]
    }
  }

  // MARK: Sentences

  /// Whether every time is a whole number of frames, so that all can be told as frames.
  private var isOnGrid: Bool {
    (comparison.expected.map(\.slot.nanoseconds) + comparison.actual.map(\.nanoseconds))
      .allSatisfy { $0 % comparison.frame == 0 }
  }

  private func sentence(_ difference: Difference) -> String {
    switch difference {
    case .different(let left, let right): different(left, right)
    case .missing(let left): "\(time(comparison.expected[left].slot)): missing \(words(expected: left))"
    case .extra(let right): "\(time(slot(comparison.actual[right]))): extra \(words(actual: right))"
    case .moved(let left, let right):
      moved(words(actual: right), from: comparison.expected[left].slot, to: slot(comparison.actual[right]))
    }
  }

  private func different(_ left: Int, _ right: Int) -> String {
    let time = time(comparison.expected[left].slot)
    let (one, other) = (words(expected: left), words(actual: right))
    let values = [one, other].map { $0.split(separator: " = ", maxSplits: 1).last ?? "" }
    if values[0] == values[1], case (.value, .value) = (comparison.expected[left].notation, names.events[right]) {
      let keys = [comparison.expected[left].notation, names.events[right]].map { MarblePrinter.text(of: $0) }
      return "\(time): expected \(keys[0]), got \(keys[1]); how they differ is told below"
    }
    return "\(time): expected \(one), got \(other)"
  }

  private func moved(_ words: String, from expected: Slot, to actual: Slot) -> String {
    guard expected.isInsideSubscribe != actual.isInsideSubscribe else {
      return "\(words) at \(time(actual)) instead of \(time(expected))"
    }
    func place(_ slot: Slot) -> String { slot.isInsideSubscribe ? time(slot) : "at \(time(slot))" }
    return "\(words) \(place(actual)) instead of \(place(expected))"
  }

  func time(_ slot: Slot) -> String {
    if slot.isInsideSubscribe { return "inside subscribe" }
    let frames = slot.nanoseconds / comparison.frame
    guard isOnGrid, frames < 1000 else { return MarbleDuration.spoken(slot.nanoseconds) }
    return "frame \(frames)"
  }

  private func words(expected index: Int) -> String {
    let expected = comparison.expected[index]
    switch expected.event {
    case .failed(let error?): return "\(MarblePrinter.text(of: expected.notation)) (\(ShownValue.short(error)))"
    case .value(let value): return words(expected.notation, value)
    case .anyValue: return "? (any value)"
    default: return MarblePrinter.text(of: expected.notation)
    }
  }

  private func words(actual index: Int) -> String {
    let notation = names.events[index]
    switch comparison.actual[index].event {
    case .failed(let error): return "\(MarblePrinter.text(of: notation)) (\(ShownValue.short(error)))"
    case .value(let value): return words(notation, value)
    case .finished: return MarblePrinter.text(of: notation)
    }
  }

  private func words(_ notation: MarbleEvent, _ value: Value) -> String {
    guard case .value(.key(let key)) = notation, let meaning = comparison.words.meaning(value, key) else {
      return ShownValue.cut(MarblePrinter.text(of: notation), to: ShownValue.limit)
    }
    return "\(MarblePrinter.text(of: notation)) = \(meaning)"
  }

  private func valueDifference(_ left: Int, _ right: Int) -> [String] {
    let lines: [String] =
      switch (comparison.expected[left].event, comparison.actual[right].event) {
      case (.value(let one), .value(let other)): comparison.words.difference(one, other)
      case (.failed(let one?), .failed(let other)): ValueDifference.lines(one, other)
      default: []
      }
    guard !lines.isEmpty else { return [] }
    let hasSigns = lines.contains { $0.hasPrefix("- ") || $0.hasPrefix("+ ") || $0.hasPrefix("− ") }
    let title = time(comparison.expected[left].slot) + (hasSigns ? ", − expected, + actual:" : ":")
    return ["", title] + lines.map { "  \($0)" }
  }
}
