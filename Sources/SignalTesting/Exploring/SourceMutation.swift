import Synchronization

/// One mutation of a source of a marble test.
public struct SourceMutation: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a mutation.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The event is not sent.
    case dropped
    /// The value is sent twice, at the same instant.
    case doubled
    /// The event is sent a frame later.
    case delayed
    /// The value and the next one are swapped.
    case swapped
  }

  /// The kind of the mutation.
  public var kind: Kind
  /// The number of the source, counted from 1 in the order of creation.
  public var source: Int
  /// The number of the event, counted from 1.
  public var event: Int
  /// The source's diagram in the test.
  public var original: String
  /// The source's diagram after the mutation.
  public var mutated: String
  /// The event, as in a diagram.
  public var notation: String

  /// A description of the mutation, with both diagrams.
  public var description: String {
    let what =
      switch kind {
      case .dropped: "dropped"
      case .doubled: "sent twice"
      case .delayed: "a frame later"
      case .swapped: "swapped with the next"
      }
    return "source \(source), event \(event) (\(notation)): \(what)\n    test     \(original)\n    mutated  \(mutated)"
  }
}

/// The result of mutation testing a marble test.
public struct MutationReport: Sendable, Hashable, CustomStringConvertible {
  /// All mutations that were tried.
  public var mutations: [SourceMutation]
  /// The mutations with which the test still passed.
  public var unnoticed: [SourceMutation]

  /// The share of the mutations that made the test fail, from 0 to 1; 1 if there were none.
  public var score: Double {
    mutations.isEmpty ? 1 : Double(mutations.count - unnoticed.count) / Double(mutations.count)
  }

  /// The numbers, and each unnoticed mutation.
  public var description: String {
    let noticed = "\(mutations.count - unnoticed.count) of \(mutations.count) mutations noticed"
    return unnoticed.isEmpty
      ? noticed + "." : ([noticed + ". Not noticed:"] + unnoticed.map { "  \($0)" }).joined(separator: "\n")
  }
}

/// Applies one mutation to one source, or only lists the possible ones.
final class MutationWatch: MarbleWatch {
  private struct State {
    var sourceCount = 0
    var mutations: [SourceMutation] = []
  }

  private let chosen: SourceMutation?
  private let frame: Int64
  private let state = Mutex(State())

  init(_ chosen: SourceMutation?, frame: Duration) {
    self.chosen = chosen
    self.frame = frame.exactNanoseconds ?? 1
  }

  var isVariant: Bool { chosen != nil }

  /// The possible mutations.
  var mutations: [SourceMutation] { state.withLock { $0.mutations } }

  func schedule<Value>(_ events: [TimedEvent<Value>]) -> [TimedEvent<Value>] {
    let source = state.withLock { state in
      state.sourceCount += 1
      return state.sourceCount
    }
    if let chosen {
      guard chosen.source == source else { return events }
      return mutate(events, chosen.kind, at: chosen.event - 1) ?? events
    }
    let original = text(events)
    for index in events.indices {
      for kind in SourceMutation.Kind.allCases {
        guard let mutated = mutate(events, kind, at: index) else { continue }
        let mutation = SourceMutation(
          kind: kind, source: source, event: index + 1, original: original, mutated: text(mutated),
          notation: MarblePrinter.text(of: events[index].event.watchedNotation))
        state.withLock { $0.mutations.append(mutation) }
      }
    }
    return events
  }

  /// The events with one mutation; nil if it does not apply.
  private func mutate<Value>(
    _ events: [TimedEvent<Value>], _ kind: SourceMutation.Kind, at index: Int
  ) -> [TimedEvent<Value>]? {
    // Events before the test are sent to no subscriber.
    guard events.indices.contains(index), events[index].nanoseconds >= 0 else { return nil }
    var events = events
    switch kind {
    case .dropped: events.remove(at: index)
    case .doubled:
      if events[index].event.isEnd { return nil }
      events.insert(events[index], at: index)
    case .delayed:
      let (time, isTooLate) = events[index].nanoseconds.addingReportingOverflow(frame)
      if events[index].isInsideSubscribe || isTooLate { return nil }
      events[index].nanoseconds = time
      let late = events.remove(at: index)
      let place = events.firstIndex { $0.nanoseconds > late.nanoseconds } ?? events.count
      // Events at the same time keep their order, except an end, which comes last.
      let before =
        late.event.isEnd ? place : events[..<place].firstIndex { $0.nanoseconds == late.nanoseconds } ?? place
      events.insert(late, at: max(index, before))
    case .swapped:
      guard index + 1 < events.count, !events[index].event.isEnd, !events[index + 1].event.isEnd,
        "\(events[index].event)" != "\(events[index + 1].event)"
      else { return nil }
      (events[index].event, events[index + 1].event) = (events[index + 1].event, events[index].event)
    }
    return events
  }

  private func text<Value>(_ events: [TimedEvent<Value>]) -> String {
    let cells = MarbleTable.cells(events.map { ($0.nanoseconds, $0.isInsideSubscribe, $0.event.watchedNotation) })
    let end = (events.map(\.nanoseconds).max() ?? 0) + frame
    let table = MarbleTable(
      rows: [MarbleTable.Row(title: "", cells: cells)], marks: [], end: end,
      frame: MarbleTable.frame(frame, fitting: events.map(\.nanoseconds)), width: .max)
    return table.lines().joined().drop { $0 == " " }.description
  }
}
