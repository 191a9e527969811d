import SignalMarbles
import Signals

/// The maximum difference between the actual and the expected time of an event.
struct TimeTolerance {
  let nanoseconds: Int64
  let isNegative: Bool

  init(_ duration: Duration) {
    isNegative = duration < .zero
    nanoseconds = max(0, Int64(clamping: duration.attoseconds / 1_000_000_000))
  }

  var isExact: Bool { nanoseconds == 0 }

  /// The sentence in a failure message.
  ///
  /// - Parameter recorded: The received events, at their own times.
  func note(_ recorded: RecordedDiagram) -> String {
    guard !isExact else { return "" }
    let time = MarbleDuration.spoken(nanoseconds)
    let sentence = "Times up to \(time) from the expected ones count as equal. As received: "
    return "\n" + (sentence + recorded.words).framed
  }

  /// The last instant for an event that is expected by an instant.
  func latest(_ moment: Int64) -> Int64 {
    let (sum, isBeyond) = moment.addingReportingOverflow(nanoseconds)
    return isBeyond ? .max : sum
  }

  /// Moves events that are close enough to expected ones to their times, in order. Other events stay.
  ///
  /// - Parameter ignoresSubscribePhase: Whether an event inside subscribe counts as one at frame 0, as in RxJS.
  /// - Complexity: O(*n*·*m*) if nothing fits, O(*n*) if everything does; and up to O(*k*³) for an unordered group of
  ///   *k* events.
  func adjust<Value>(
    _ events: [TimedEvent<Value>], to expected: [ExpectedMoment<Value>], ignoresSubscribePhase: Bool = false,
    _ matcher: EventMatcher<Value>
  ) -> [TimedEvent<Value>] {
    guard !isExact else { return events }
    var waiting = expected.enumerated().flatMap { position, expected in
      expected.events.map { Waiting(position: position, moment: expected.moment, event: $0) }
    }[...]
    var groups: [Int: UnorderedGroup<Value>] = [:]
    for (position, expected) in expected.enumerated() where expected.moment.order == .any {
      groups[position] = UnorderedGroup(expected.events, matcher)
    }
    var earliest = Int64.min
    return events.map { event in
      var event = event
      if ignoresSubscribePhase { event.isInsideSubscribe = false }
      if let index = place(of: event, in: waiting, groups, matcher), waiting[index].moment.nanoseconds >= earliest {
        event.nanoseconds = waiting[index].moment.nanoseconds
        let isFree = waiting[index].moment.order == .any
        // An earlier expected event in another moment is skipped.
        let moment = waiting[index].moment
        groups[waiting[index].position]?.add(event.event)
        // In a group, any one of its expected events: the group itself knows which are left.
        waiting.remove(at: index)
        if isFree {
          waiting = waiting.drop { $0.moment != moment && $0.moment.nanoseconds < moment.nanoseconds }
        } else {
          waiting = waiting[index...]
        }
      }
      earliest = event.nanoseconds
      return event
    }
  }

  /// An expected event that has not been received.
  private struct Waiting<Value> {
    /// The position of its moment.
    let position: Int
    let moment: MarbleMoment
    let event: ExpectedEvent<Value>
  }

  private func place<Value>(
    of event: TimedEvent<Value>, in waiting: ArraySlice<Waiting<Value>>, _ groups: [Int: UnorderedGroup<Value>],
    _ matcher: EventMatcher<Value>
  ) -> Int? {
    waiting.indices.first { index in
      let expected = waiting[index]
      guard expected.moment.isInsideSubscribe == event.isInsideSubscribe,
        isNear(expected.moment.nanoseconds, event.nanoseconds)
      else { return false }
      guard let group = groups[expected.position] else { return matcher.matches(expected.event, event.event) }
      // The group is asked once.
      let isFirst = index == waiting.startIndex || waiting[index - 1].position != expected.position
      return isFirst && group.admits(event.event)
    }
  }

  private func isNear(_ left: Int64, _ right: Int64) -> Bool {
    let (difference, isBeyond) = left.subtractingReportingOverflow(right)
    return !isBeyond && difference.magnitude <= nanoseconds.magnitude
  }
}

/// The received events of an unordered group, each assigned to an expected event that it matches.
private struct UnorderedGroup<Value> {
  private let expected: [ExpectedEvent<Value>]
  private let matcher: EventMatcher<Value>
  private var received: [ReceivedEvent<Value>] = []
  /// The position of the received event that is assigned to each expected one.
  private var owners: [Int?]

  init(_ expected: [ExpectedEvent<Value>], _ matcher: EventMatcher<Value>) {
    self.expected = expected
    self.matcher = matcher
    owners = Array(repeating: nil, count: expected.count)
  }

  /// Whether an event can be added.
  func admits(_ event: ReceivedEvent<Value>) -> Bool {
    var copy = self
    return copy.add(event)
  }

  /// Adds an event if all can be assigned then. Earlier ones may be assigned again: `a` may have taken the `?` of
  /// `(? & a)`.
  @discardableResult
  mutating func add(_ event: ReceivedEvent<Value>) -> Bool {
    received.append(event)
    var seen: Set<Int> = []
    if assign(received.count - 1, &seen) { return true }
    received.removeLast()
    return false
  }

  private mutating func assign(_ event: Int, _ seen: inout Set<Int>) -> Bool {
    for index in expected.indices where !seen.contains(index) && matcher.matches(expected[index], received[event]) {
      seen.insert(index)
      if let owner = owners[index], !assign(owner, &seen) { continue }
      owners[index] = event
      return true
    }
    return false
  }
}
