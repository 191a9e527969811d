import SignalPicture

// The reason for differences, if it can be determined.
extension ComparisonText {
  // MARK: Order

  /// The instants at which the right events came in another order, with a sentence for each.
  var orders: [Slot: String] {
    var result: [Slot: String] = [:]
    let differing = Set(
      comparison.differences.flatMap { difference -> [Slot] in
        if case .moved = difference { return [] }
        return slots(of: difference)
      })
    guard !differing.isEmpty else { return [:] }
    for slot in differing {
      let left = positions(of: slot, among: comparison.expected.count) { comparison.expected[$0].slot }
      let right = positions(of: slot, among: comparison.actual.count) { self.slot(comparison.actual[$0]) }
      guard left.count == right.count, left.count > 1, left.count <= Self.largestGroup else { continue }
      let wanted = left.map { comparison.expected[$0].event }
      let received = right.map { comparison.actual[$0].event }
      let order = comparison.matcher.order(of: wanted, asIn: received)
      guard zip(order, received).allSatisfy({ comparison.matcher.matches(wanted[$0], $1) }) else { continue }
      result[slot] = sentence(
        slot, expected: left.map { comparison.expected[$0].notation }, actual: right.map { names.events[$0] })
    }
    return result
  }

  /// The positions of an instant's events among a number of events in order of time.
  private func positions(of slot: Slot, among count: Int, _ place: (Int) -> Slot) -> Range<Int> {
    let begin = count.firstIndex { place($0) >= slot }
    var end = begin
    while end < count, place(end) == slot { end += 1 }
    return begin..<end
  }

  private func sentence(_ slot: Slot, expected: [MarbleEvent], actual: [MarbleEvent]) -> String {
    let printer = MarblePrinter()
    func group(_ events: [MarbleEvent], _ order: MarbleMoment.Order = .asWritten) -> String {
      printer.token(
        for: MarbleMoment(
          nanoseconds: 0, isInsideSubscribe: slot.isInsideSubscribe, order: order, events: events))
    }
    let start = "\(time(slot)): another order: expected \(group(expected)), got \(group(actual))"
    // Values inside subscribe are ordered, and RxJS has no notation for any order.
    if slot.isInsideSubscribe || comparison.words.dialect == .rxjs { return start }
    return "\(start). If the order does not matter, write \(group(expected, .any))"
  }

  // MARK: Inside subscribe

  /// A hint if events came inside subscribe that were expected at its instant.
  var insideSubscribe: String? {
    let isMissed = comparison.differences.contains { difference in
      guard case .moved(let left, let right) = difference else { return false }
      let slot = comparison.expected[left].slot
      return !slot.isInsideSubscribe && slot.nanoseconds == 0 && comparison.actual[right].isInsideSubscribe
    }
    return isMissed ? "What a signal sends inside subscribe is written in { }, at the beginning of the diagram." : nil
  }

  /// A hint if the signal only finished, inside subscribe, as one whose emitter or property no longer exists.
  var gone: String? {
    guard comparison.words.dialect == .signals, comparison.actual.count == 1, let only = comparison.actual.first,
      only.isInsideSubscribe, case .finished = names.events[0],
      !comparison.expected.contains(where: { $0.slot.isInsideSubscribe })
    else { return nil }
    return
      "A signal that finishes inside subscribe is empty, or its emitter or property no longer exists. One declared in the closure of `marbles` "
      + "is released when the closure returns: declare it before `marbles`."
  }

  // MARK: Numbers of several digits

  /// A hint if adjacent keys were meant as one value.
  var separateDigits: String? {
    guard comparison.words.dialect == .signals else { return nil }
    let missed = Set(
      comparison.differences.compactMap { difference -> Int? in
        switch difference {
        case .different(let left, _), .missing(let left), .moved(let left, _): left
        case .extra: nil
        }
      })
    guard var start = missed.min(), let end = missed.max() else { return nil }
    func follows(_ index: Int, _ last: Int) -> Bool {
      comparison.expected[index].slot.nanoseconds &- comparison.expected[last].slot.nanoseconds == comparison.frame
    }
    while start > 0, key(start - 1) != nil, follows(start, start - 1) { start -= 1 }
    var run: [Int] = []
    func text(_ run: [Int]) -> String { run.compactMap { key($0).map(String.init) }.joined() }
    func hint(_ run: [Int]) -> String? {
      guard run.count > 1, run.contains(where: missed.contains) else { return nil }
      let text = text(run)
      let isReceived = names.events.contains { event in
        if case .value(let value) = event { value.string == text } else { false }
      }
      let isNumber = text.allSatisfy { $0.isASCII && $0.isNumber }
      guard isReceived || isNumber && run.allSatisfy(missed.contains) else { return nil }
      let keys = text.map { String($0) }
      let list = keys.dropLast().joined(separator: ", ") + " and " + (keys.last ?? "")
      return "\(text) in a diagram is \(keys.count) values, \(list), a frame each. For one value write <\(text)>."
    }
    for index in start..<comparison.expected.count where index <= end || !run.isEmpty {
      guard key(index) != nil else {
        if let hint = hint(run) { return hint }
        run = []
        continue
      }
      if let last = run.last, !follows(index, last) {
        if let hint = hint(run) { return hint }
        run = []
      }
      run.append(index)
    }
    return hint(run)
  }

  /// The letter or digit of an expected event that is alone at its moment.
  private func key(_ index: Int) -> Character? {
    let expected = comparison.expected[index]
    guard comparison.expectedMoments[expected.moment].events.count == 1, !expected.slot.isInsideSubscribe,
      case .value(.key(let key)) = expected.notation, key.count == 1, let character = key.first,
      character.isLetter || character.isNumber
    else { return nil }
    return character
  }
}
