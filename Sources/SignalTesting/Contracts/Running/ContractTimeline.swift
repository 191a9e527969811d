import Signals

/// The expected events of one subscriber, in order, with their times if these are known.
struct ContractTimeline<Output: Sendable & Equatable> {
  struct Entry {
    var event: ExpectedEvent<Output>
    /// Nanoseconds; nil if any time is accepted.
    var nanoseconds: Int64?
    var isInsideSubscribe = false
  }

  var entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries }

  /// The events of another run.
  ///
  /// - Parameter isTimed: Whether the times have to match too.
  init(_ received: [TimedEvent<Output>], isTimed: Bool) {
    entries = received.map {
      Entry(
        event: ExpectedEvent($0.event), nanoseconds: isTimed ? $0.nanoseconds : nil,
        isInsideSubscribe: $0.isInsideSubscribe)
    }
  }

  /// The same, followed by these events, at any time.
  func adding(_ events: [Event<Output>]) -> Self {
    Self(entries + events.map { Entry(event: ExpectedEvent(ReceivedEvent($0))) })
  }

  /// Whether two values count as equal: values that are not equal to themselves, such as NaN, cannot be distinguished.
  static func isSame(_ left: Output, _ right: Output) -> Bool {
    left == right || (left != left && right != right)
  }

  /// Whether both are equal if values with the same description count as equal.
  func looksSame(as actual: [TimedEvent<Output>], frame: Int64) -> Bool {
    difference(from: actual, frame: frame) { String(describing: $0) == String(describing: $1) } == nil
  }

  /// The diagrams of both if they differ, with a sentence for each difference; nil if they are equal.
  func difference(
    from actual: [TimedEvent<Output>], frame: Int64, isEqual: @escaping (Output, Output) -> Bool = Self.isSame
  ) -> String? {
    var moments: [ExpectedMoment<Output>] = []
    let name = MarbleValues<Output>().names(by: ==)
    var clock = Int64(0)
    for (index, entry) in entries.enumerated() {
      let isThere = actual.indices.contains(index)
      let time = max(clock, entry.nanoseconds ?? (isThere ? actual[index].nanoseconds : clock + frame))
      let isInside =
        entry.nanoseconds == nil ? isThere && time == 0 && actual[index].isInsideSubscribe : entry.isInsideSubscribe
      clock = time
      let notation = entry.event.notation(name)
      if let last = moments.last, last.moment.nanoseconds == time, last.moment.isInsideSubscribe == isInside {
        moments[moments.count - 1].moment.events.append(notation)
        moments[moments.count - 1].events.append(entry.event)
      } else {
        let moment = MarbleMoment(nanoseconds: time, isInsideSubscribe: isInside, events: [notation])
        moments.append(ExpectedMoment(moment: moment, events: [entry.event]))
      }
    }
    let diagram = MarbleDiagram(moments: moments.map(\.moment), frame: frame)
    let comparison = MarbleComparison(
      expected: moments, diagram: diagram, actual: actual, name: name, isEqual: isEqual)
    return comparison.isMatch ? nil : comparison.description
  }

  /// The received events, as a separate line.
  static func picture(of received: [TimedEvent<Output>], frame: Int64) -> String {
    let name = MarbleValues<Output>().names(by: ==)
    var moments: [MarbleTable.Slot: MarbleMoment] = [:]
    for event in received {
      let slot = MarbleTable.Slot(nanoseconds: event.nanoseconds, isInsideSubscribe: event.isInsideSubscribe)
      let notation = ExpectedEvent(event.event).notation(name)
      moments[
        slot,
        default: MarbleMoment(nanoseconds: slot.nanoseconds, isInsideSubscribe: slot.isInsideSubscribe, events: [])
      ].events.append(notation)
    }
    // Not as a diagram, which cannot have events after the end.
    let row = MarbleTable.Row(title: "received", cells: moments.mapValues { MarblePrinter().token(for: $0) })
    let times = moments.keys.map(\.nanoseconds)
    let end = received.last?.event.isEnd == true ? times.max() ?? 0 : (times.max() ?? 0) + frame * 5
    return MarbleTable(rows: [row], marks: [], end: end, frame: MarbleTable.frame(frame, fitting: times)).lines()
      .joined(separator: "\n")
  }
}

extension ExpectedEvent where Value: Sendable {
  init(_ received: ReceivedEvent<Value>) {
    switch received {
    case .value(let value): self = .value(value)
    case .failed(let error): self = .failed(error)
    case .finished: self = .finished
    }
  }

  fileprivate func notation(_ name: (Value) -> MarbleValue) -> MarbleEvent {
    switch self {
    case .value(let value): .value(name(value))
    case .anyValue: .anyValue
    case .failed: .failed(nil)
    case .finished: .finished
    }
  }
}
