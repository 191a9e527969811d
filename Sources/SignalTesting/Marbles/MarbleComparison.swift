/// Compares the expectation of a diagram with the events of a subscriber.
///
/// ```swift
/// let expected = try ParsedMarbleDiagram(MarbleText("-a-b|"), role: .expectation)
/// let comparison = try MarbleComparison<String>(
///   expected, values: .literal(),
///   actual: [
///     TimedEvent(nanoseconds: 1_000_000, event: .value("a")),
///     TimedEvent(nanoseconds: 4_000_000, event: .finished),
///   ])
/// print(comparison)  // Both rows, with a caret under what is missing.
/// ```
public struct MarbleComparison<Value> {
  /// One difference.
  public enum Difference: Hashable, Sendable {
    /// Another event came at the expected time.
    case different(expected: Int, actual: Int)
    /// The expected event came at another time.
    case moved(expected: Int, actual: Int)
    /// No event came.
    case missing(expected: Int)
    /// No event was expected.
    case extra(actual: Int)
  }

  struct Expected {
    var slot: MarbleTable.Slot
    /// The position of its moment.
    var moment: Int
    var notation: MarbleEvent
    var event: ExpectedEvent<Value>
  }

  /// The differences in order of time; the numbers are positions among all events of either side.
  public let differences: [Difference]
  /// The moments of the expectation; empty if every event came as written, in the written order.
  let expectedMoments: [MarbleMoment]
  /// The events of these moments, unordered groups in the order in which they came.
  let expected: [Expected]
  let actual: [TimedEvent<Value>]
  let end: Int64
  let frame: Int64
  let matcher: EventMatcher<Value>
  let name: (Value) -> MarbleValue
  /// The descriptions of values.
  var words = ValueWords<Value>()

  /// Compares an expectation with received events.
  ///
  /// - Parameters:
  ///   - moments: The expectation, from ``MarbleValues/expectation(_:)``.
  ///   - diagram: The diagram of the expectation, for its frame and its end.
  ///   - actual: The received events, in order.
  ///   - ignoresSubscribePhase: Whether an event inside subscribe counts as one at frame 0, as in RxJS.
  ///   - name: Returns a value's name in the output: a key of the map, or its description.
  ///   - isEqual: Whether two values are equal.
  /// - Complexity: O(*n*) if both are equal in the same order; else up to O(*n*·*m*) between the first and the last
  ///   difference, with a limit; and up to O(*k*³) for an unordered group of *k* events.
  public init(
    expected moments: [ExpectedMoment<Value>], diagram: MarbleDiagram, actual: [TimedEvent<Value>],
    ignoresSubscribePhase: Bool = false, name: @escaping (Value) -> MarbleValue,
    isEqual: @escaping (Value, Value) -> Bool
  ) {
    func slot(_ nanoseconds: Int64, _ isInside: Bool) -> MarbleTable.Slot {
      MarbleTable.Slot(nanoseconds: nanoseconds, isInsideSubscribe: isInside && !ignoresSubscribePhase)
    }
    var actual = actual
    if ignoresSubscribePhase { for index in actual.indices { actual[index].isInsideSubscribe = false } }
    let matcher = EventMatcher(isEqual: isEqual)
    self.actual = actual
    self.matcher = matcher
    self.name = name
    end = diagram.end
    frame = max(1, diagram.frame)
    let agreement = matcher.agreement(moments, actual)
    guard agreement.moments < moments.count || agreement.events < actual.count else {
      (expected, expectedMoments, differences) = ([], [], [])
      return
    }
    var groups: [MarbleTable.Slot: [TimedEvent<Value>]] = [:]
    if moments.contains(where: { $0.moment.order == .any }) {
      groups = Dictionary(grouping: actual) { slot($0.nanoseconds, $0.isInsideSubscribe) }
    }
    var list: [Expected] = []
    list.reserveCapacity(moments.count)
    for (position, moment) in moments.enumerated() {
      let place = slot(moment.moment.nanoseconds, moment.moment.isInsideSubscribe)
      func add(_ index: Int) {
        list.append(
          Expected(
            slot: place, moment: position, notation: moment.moment.events[index], event: moment.events[index]))
      }
      switch moment.moment.order {
      case .asWritten: for index in moment.events.indices { add(index) }
      case .any:
        for index in matcher.order(of: moment.events, asIn: (groups[place] ?? []).map(\.event)) { add(index) }
      }
    }
    self.expected = list
    expectedMoments = moments.map {
      var moment = $0.moment
      moment.isInsideSubscribe = moment.isInsideSubscribe && !ignoresSubscribePhase
      return moment
    }
    let head = agreement.events
    differences = EventAlignment(
      expected: list[head...].map { ($0.slot, $0.event) },
      actual: actual[head...].map { (slot($0.nanoseconds, $0.isInsideSubscribe), $0.event) }, matcher: matcher
    ).differences().map { $0.later(by: head) }
  }

  /// Whether both are equal.
  public var isMatch: Bool { differences.isEmpty }
}

extension MarbleComparison.Difference {
  /// The same difference a number of events later.
  fileprivate func later(by count: Int) -> Self {
    switch self {
    case .different(let left, let right): .different(expected: left + count, actual: right + count)
    case .moved(let left, let right): .moved(expected: left + count, actual: right + count)
    case .missing(let left): .missing(expected: left + count)
    case .extra(let right): .extra(actual: right + count)
    }
  }
}

extension MarbleComparison where Value: Equatable {
  /// Compares values with `==`, and names them by their keys in `values`, else by their description.
  ///
  /// - Parameters:
  ///   - parsed: The expectation.
  ///   - values: The values of its keys.
  ///   - actual: The received events, in order.
  ///   - ignoresSubscribePhase: Whether an event inside subscribe counts as one at frame 0, as in RxJS.
  /// - Throws: ``/SignalMarbles/MarbleSyntaxError`` at a key or an error name that is not in the maps.
  /// - Complexity: O(*n*) if both are equal in the same order; else up to O(*n*·*m*) between the first and the last
  ///   difference, with a limit; and up to O(*k*³) for an unordered group of *k* events.
  public init(
    _ parsed: ParsedMarbleDiagram, values: MarbleValues<Value>, actual: [TimedEvent<Value>],
    ignoresSubscribePhase: Bool = false
  ) throws(MarbleSyntaxError) {
    self.init(
      expected: try values.expectation(parsed), diagram: parsed.diagram, actual: actual,
      ignoresSubscribePhase: ignoresSubscribePhase, name: values.names(by: ==), isEqual: ==)
    words = values.words(dialect: parsed.dialect, by: ==)
  }
}

extension MarbleValues {
  /// A value's name in the output: its key, else its description.
  func names(by areEqual: @escaping (Value, Value) -> Bool) -> (Value) -> MarbleValue {
    let keys = values.sorted { $0.key < $1.key }
    return { value in
      if let key = keys.first(where: { areEqual($0.value, value) })?.key { return .key(key) }
      let text = String(describing: value)
      if MarblePrinter.isBare(text), keys.isEmpty || fallback(.key(text)).map({ areEqual($0, value) }) == true {
        return .key(text)
      }
      return .text(text)
    }
  }
}

/// Whether a received event matches the expectation.
struct EventMatcher<Value> {
  let isEqual: (Value, Value) -> Bool

  func matches(_ expected: ExpectedEvent<Value>, _ actual: ReceivedEvent<Value>) -> Bool {
    // One after the other: a pair of both would be constructed for each event.
    switch expected {
    case .value(let left): if case .value(let right) = actual { isEqual(left, right) } else { false }
    case .anyValue: if case .value = actual { true } else { false }
    case .finished: if case .finished = actual { true } else { false }
    case .failed(nil): if case .failed = actual { true } else { false }
    case .failed(let left?): if case .failed(let right) = actual { areEqual(left, right) } else { false }
    }
  }

  /// The number of whole moments, and of their events, that agree from the beginning, in the same order. Usually that is
  /// all. A group that came in another order ends the count.
  func agreement(
    _ expected: [ExpectedMoment<Value>], _ actual: [TimedEvent<Value>]
  ) -> (moments: Int, events: Int) {
    var (moments, events) = (0, 0)
    for moment in expected {
      var next = events
      for event in moment.events {
        guard next < actual.count else { return (moments, events) }
        let received = actual[next]
        guard received.nanoseconds == moment.moment.nanoseconds,
          received.isInsideSubscribe == moment.moment.isInsideSubscribe, matches(event, received.event)
        else { return (moments, events) }
        next += 1
      }
      moments += 1
      events = next
    }
    return (moments, events)
  }

  func haveSameKind(_ expected: ExpectedEvent<Value>, _ actual: ReceivedEvent<Value>) -> Bool {
    switch (expected, actual) {
    case (.value, .value), (.failed, .failed): true
    default: false
    }
  }

  func areEqual<Left: Error>(_ left: Left, _ right: any Error) -> Bool {
    if let pattern = left as? ErrorPattern { return pattern.matches(right) }
    return right is Left && PartEquality.areEqual(left, right)
  }

  /// The order in which expected events of an unordered group best fit the received ones: a maximum matching.
  func order(of expected: [ExpectedEvent<Value>], asIn actual: [ReceivedEvent<Value>]) -> [Int] {
    var owner = [Int?](repeating: nil, count: actual.count)
    func place(_ event: Int, _ seen: inout Set<Int>) -> Bool {
      for position in actual.indices where matches(expected[event], actual[position]) && !seen.contains(position) {
        seen.insert(position)
        if let current = owner[position], !place(current, &seen) { continue }
        owner[position] = event
        return true
      }
      return false
    }
    for event in expected.indices {
      var seen: Set<Int> = []
      _ = place(event, &seen)
    }
    var rest = expected.indices.filter { !owner.contains($0) }
    var order: [Int] = []
    for position in actual.indices {
      if let event = owner[position] { order.append(event) } else if !rest.isEmpty { order.append(rest.removeFirst()) }
    }
    return order + rest
  }
}
