import SignalMarbles
import SignalPicture

extension MarbleComparison: CustomStringConvertible {
  /// The expected and the actual row with a caret row, a sentence for each difference, and the differences of values.
  ///
  /// Empty if both are equal.
  public var description: String { isMatch ? "" : ComparisonText(self).description }
}

/// Describes the differences between an expectation and the received events.
struct ComparisonText<Value> {
  typealias Slot = MarbleTable.Slot
  typealias Difference = MarbleComparison<Value>.Difference

  let comparison: MarbleComparison<Value>
  let names: ReceivedNames<Value>
  /// Whether every time is a whole number of frames, so that all can be written as frames.
  private let isOnGrid: Bool
  /// The maximum number of reported differences.
  private static var largestCount: Int { 20 }
  /// The maximum number of shown received events of an instant.
  static var largestGroup: Int { 40 }

  init(_ comparison: MarbleComparison<Value>) {
    self.comparison = comparison
    names = ReceivedNames(comparison)
    isOnGrid =
      comparison.expected.allSatisfy { $0.slot.nanoseconds % comparison.frame == 0 }
      && comparison.actual.allSatisfy { $0.nanoseconds % comparison.frame == 0 }
  }

  /// The rows, a sentence for each difference, and the differences of values.
  var description: String {
    let table = table
    var lines = table.lines()
    if table.frame < comparison.frame { lines.append("(one - is \(MarbleDuration.spoken(table.frame)))") }
    lines.append("")
    let orders = orders
    let reported = comparison.differences.filter { difference in !slots(of: difference).allSatisfy { orders[$0] != nil }
    }
    let limit = Self.largestCount
    // They are in order of time, so that the first ones suffice.
    var sentences =
      orders.map { ($0.key, $0.value) }
      + reported.prefix(limit).map { (slots(of: $0).last ?? Slot.start, sentence($0)) }
    // A stable sort: differences of an instant stay in their order.
    sentences = sentences.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    lines += sentences.prefix(limit).map(\.1)
    let count = orders.count + reported.count
    if count > limit { lines.append("… and \(count - limit) more differences") }
    var shown = 0
    for case .different(let left, let right) in reported.prefix(limit) where shown < 3 {
      let difference = valueDifference(left, right)
      if !difference.isEmpty { shown += 1 }
      lines += difference
    }
    for hint in [separateDigits, insideSubscribe, gone].compactMap(\.self) { lines += ["", hint] }
    return lines.joined(separator: "\n")
  }

  // MARK: Rows

  func slot(_ event: TimedEvent<Value>) -> Slot {
    Slot(nanoseconds: event.nanoseconds, isInsideSubscribe: event.isInsideSubscribe)
  }

  private func slot(_ moment: MarbleMoment) -> Slot {
    Slot(nanoseconds: moment.nanoseconds, isInsideSubscribe: moment.isInsideSubscribe)
  }

  /// The received events, those of an instant together.
  ///
  /// - Parameter range: The range of events.
  func receivedMoments(_ range: Range<Int>) -> [MarbleMoment] {
    var result: [MarbleMoment] = []
    result.reserveCapacity(range.count)
    for index in range {
      let (event, notation) = (comparison.actual[index], names.events[index])
      // Without a copy of the last one, whose events would be copied for each added one.
      if result.last?.nanoseconds == event.nanoseconds, result.last?.isInsideSubscribe == event.isInsideSubscribe {
        result[result.count - 1].events.append(notation)
      } else {
        result.append(
          MarbleMoment(
            nanoseconds: event.nanoseconds, isInsideSubscribe: event.isInsideSubscribe, events: [notation]))
      }
    }
    return result
  }

  /// A long string, shortened for the rows; sentences show more of it.
  private func shortened(_ event: MarbleEvent) -> MarbleEvent {
    guard case .value(.text(let text)) = event, text.count > 16 else { return event }
    return .value(.text(text.prefix(15) + "…"))
  }

  /// A large group, shortened, with its long strings.
  private func shortened(_ moment: MarbleMoment) -> MarbleMoment {
    var moment = moment
    let rest = moment.events.count - Self.largestGroup
    moment.events = moment.events.prefix(Self.largestGroup).map(shortened)
    if rest > 0 { moment.events.append(.value(.text("… \(rest) more"))) }
    return moment
  }

  private var table: MarbleTable {
    let printer = MarblePrinter()
    let excerpts = excerpts
    func row(_ title: String, _ moments: [MarbleMoment], end: MarbleTable.Slot?) -> MarbleTable.Row {
      MarbleTable.Row(
        title: title, cells: Dictionary(moments.map { (slot($0), printer.token(for: $0)) }) { $0 + $1 }, last: end)
    }
    let lastExpected = comparison.expectedMoments.last
    let expected = row(
      "expected", excerpts.flatMap { comparison.expectedMoments[$0.expected] },
      end: lastExpected?.events.last?.isEnd == true ? lastExpected.map(slot) : nil)
    let received = excerpts.flatMap { receivedMoments($0.actual) }.map(shortened)
    let actual = row(
      "actual", received, end: names.events.last?.isEnd == true ? comparison.actual.last.map(slot) : nil)
    let rows = [expected, actual]
    let times = rows.flatMap { $0.cells.keys.map(\.nanoseconds) }
    let isOpen = rows.contains { $0.last == nil }
    let marks = comparison.differences.flatMap(slots)
    let isWhole = excerpts.count == 1 && excerpts[0].expected == comparison.expectedMoments.indices
    return MarbleTable(
      rows: rows,
      marks: Set(isWhole ? marks : marks.filter { mark in excerpts.contains { $0.times.contains(mark.nanoseconds) } }),
      end: isOpen ? comparison.end : times.max() ?? 0, frame: MarbleTable.frame(comparison.frame, fitting: times),
      excerpts: isWhole ? [] : excerpts.map(\.times))
  }

  /// The content of the rows: the ranges of expected moments and of events.
  private struct Excerpt {
    var times: ClosedRange<Int64>
    var expected: Range<Int>
    var actual: Range<Int>
  }

  /// Everything; or, of more than 1,000 moments or events, those near the reported differences.
  private var excerpts: [Excerpt] {
    let (expected, actual) = (comparison.expectedMoments, comparison.actual)
    guard max(expected.count, actual.count) > 1_000 else {
      return [Excerpt(times: .min ... .max, expected: expected.indices, actual: actual.indices)]
    }
    var ranges: [ClosedRange<Int64>] = []
    for time in Set(comparison.differences.prefix(Self.largestCount).flatMap(slots).map(\.nanoseconds)).sorted() {
      let left = expected.count.firstIndex { expected[$0].nanoseconds >= time }
      let right = actual.count.firstIndex { actual[$0].nanoseconds >= time }
      // 75 events before and 75 after: a row and a half together, measured on the side with more events; the other's next
      // event may be far away.
      let near = ClosedRange<Int64>.around(
        time, before: 75, after: 75,
        [
          (left, expected.count, { expected[$0].nanoseconds }), (right, actual.count, { actual[$0].nanoseconds }),
        ])
      if let last = ranges.last, near.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, near.upperBound)
      } else {
        ranges.append(near)
      }
    }
    return ranges.map { times in
      let left = times.indices(of: expected.count) { expected[$0].nanoseconds }
      let right = times.indices(of: actual.count) { actual[$0].nanoseconds }
      // The first and the last row extend as far as the diagram does.
      let begin = left.lowerBound == 0 && right.lowerBound == 0 ? min(0, times.lowerBound) : times.lowerBound
      let isLast = left.upperBound == expected.count && right.upperBound == actual.count
      return Excerpt(
        times: begin...(isLast ? max(times.upperBound, comparison.end) : times.upperBound), expected: left,
        actual: right)
    }
  }

  /// The slots of a difference; it is reported at the last one.
  func slots(of difference: Difference) -> [Slot] {
    switch difference {
    case .different(let left, _), .missing(let left): [comparison.expected[left].slot]
    case .moved(let left, let right): [comparison.expected[left].slot, slot(comparison.actual[right])]
    case .extra(let right): [slot(comparison.actual[right])]
    }
  }

  // MARK: Sentences

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
      return "\(time): expected \(keys[0]), got \(keys[1]); details below"
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
      case (.failed(let one?), .failed(let other)): errorDifference(one, other)
      default: []
      }
    guard !lines.isEmpty else { return [] }
    let hasSigns = lines.contains { $0.hasPrefix("- ") || $0.hasPrefix("+ ") || $0.hasPrefix("− ") }
    let title = time(comparison.expected[left].slot) + (hasSigns ? ", − expected, + actual:" : ":")
    return ["", title] + lines.map { "  \($0)" }
  }

  private func errorDifference(_ one: any Error, _ other: any Error) -> [String] {
    let type = type(of: one)
    guard type == Swift.type(of: other), PartEquality.isNeeded(for: one), !(one is ErrorPattern),
      ShownValue.whole(one) == ShownValue.whole(other)
    else { return ValueDifference.lines(one, other) }
    if let types = PartEquality.differingTypes(one, other) {
      return ["A part of it is of another type: expected \(types.left), got \(types.right)."]
    }
    return [
      "\(type) is not Equatable: two objects are equal only where they are the same one, and two closures never are.",
      "Make \(type) Equatable, or expect ErrorPattern.ofType(\(type).self).",
    ]
  }
}
