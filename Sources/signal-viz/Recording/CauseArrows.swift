import SignalGraph

/// The cause and effect relations between events of a recording that nesting does not show.
struct CauseArrows {
  /// A point of an arrow.
  struct Arrow {
    enum Phase: String {
      case start = "s"
      case step = "t"
      case end = "f"
    }

    var phase: Phase
    /// The index of its event.
    var event: Int
    /// The number of the arrow, the same at all of its points.
    var number: Int
  }

  /// The arrows in the order of their events, each with its start before its end.
  private(set) var arrows: [Arrow] = []

  init(_ recording: Recording) {
    let events = recording.events
    var above: [UInt64: Set<UInt64>] = [:]
    for graph in recording.graphs {
      for edge in graph.edges where edge.kind != .feedback { above[edge.target, default: []].insert(edge.source) }
    }
    var earlier = EarlierEvents(of: events)
    var handlers: [UInt64: Int] = [:]
    var sources: [Int: Int] = [:]
    for (index, event) in events.enumerated() {
      defer {
        if event.cause > 0 { earlier.add(index) }
        if event.kind == .handled { handlers[event.node] = index }
      }
      guard event.cause > 0 else { continue }
      let inputs = above[event.first] ?? []
      var source: Int?
      if earlier.contains(event.cause) {
        // The event directly upstream; else the latest one, as those in between may not be recorded.
        source = earlier.last(before: event, at: inputs) ?? (inputs.isEmpty ? nil : earlier.last(before: event))
      } else if let by = event.by, let handler = handlers[by],
        event.parent == nil || events[handler].cause == event.parent
      {
        source = handler
      }
      guard let source, !Self.isInside(event, events[source]) else { continue }
      sources[index] = source
    }
    var targets: [Int: Int] = [:]
    for source in sources.values { targets[source, default: 0] += 1 }
    var (numbers, isEnd, count): ([Int: Int], Set<Int>, Int) = ([:], [], 0)
    var found: [Arrow] = []
    for index in sources.keys.sorted() {
      guard let source = sources[index] else { continue }
      if let number = numbers[source], targets[source] == 1 {
        // The source has this effect only, so its arrow continues.
        isEnd.remove(source)
        numbers[index] = number
      } else {
        count += 1
        numbers[index] = count
        found.append(Arrow(phase: .start, event: source, number: count))
      }
      isEnd.insert(index)
    }
    for (index, number) in numbers {
      found.append(Arrow(phase: isEnd.contains(index) ? .end : .step, event: index, number: number))
    }
    arrows = found.sorted { ($0.number, $0.event) < ($1.number, $1.event) }
  }

  /// Whether an event happened during another one.
  private static func isInside(_ event: GraphEvent, _ other: GraphEvent) -> Bool {
    event.thread == other.thread && other.time <= event.time
      && event.time + event.duration <= other.time + other.duration
  }
}

/// The last event of each cause, also by its nodes, so that no search visits all events of a cause.
private struct EarlierEvents {
  /// The nodes of an event, see ``GraphEvent/isAt(_:)``.
  private struct Span: Hashable {
    var node: UInt64
    var first: UInt64
  }

  private struct Key: Hashable {
    var cause: UInt64
    var span: Span
  }

  /// The last event of a cause, and the last one with another ``GraphEvent/node`` than that.
  private struct Latest {
    var event: Int
    var other: Int?
  }

  private let events: [GraphEvent]
  /// The nodes of all events, sorted by ``Span/node``.
  private let spans: [Span]
  /// For each of them the largest ``Span/first`` up to it.
  private let reach: [UInt64]
  private var bySpan: [Key: Int] = [:]
  private var byCause: [UInt64: Latest] = [:]

  init(of events: [GraphEvent]) {
    self.events = events
    spans = Set(events.map { Span(node: $0.node, first: $0.first) }).sorted { $0.node < $1.node }
    var (reach, largest): ([UInt64], UInt64) = ([], 0)
    for span in spans {
      largest = max(largest, span.first)
      reach.append(largest)
    }
    self.reach = reach
  }

  /// Adds an event, which is later than those before.
  mutating func add(_ index: Int) {
    let event = events[index]
    bySpan[Key(cause: event.cause, span: Span(node: event.node, first: event.first))] = index
    guard let known = byCause[event.cause] else {
      byCause[event.cause] = Latest(event: index)
      return
    }
    let isAtSameNode = events[known.event].node == event.node
    byCause[event.cause] = Latest(event: index, other: isAtSameNode ? known.other : known.event)
  }

  func contains(_ cause: UInt64) -> Bool { byCause[cause] != nil }

  /// The last event of the same cause at another node.
  func last(before event: GraphEvent) -> Int? {
    guard let known = byCause[event.cause] else { return nil }
    return events[known.event].node == event.node ? known.other : known.event
  }

  /// The last event of the same cause at one of some nodes that is at another node than the event.
  ///
  /// - Complexity: O(log *n*) in the events of the recording, for each of the nodes. Fused nodes overlap only in a
  ///   recording that no program wrote.
  func last(before event: GraphEvent, at nodes: Set<UInt64>) -> Int? {
    var last: Int?
    for node in nodes {
      var position = spanCount(upTo: node)
      while position > 0, reach[position - 1] >= node {
        position -= 1
        let span = spans[position]
        guard span.first >= node, span.node != event.node, let index = bySpan[Key(cause: event.cause, span: span)]
        else { continue }
        last = max(last ?? index, index)
      }
    }
    return last
  }

  /// The number of ``spans`` that begin at a node or before.
  private func spanCount(upTo node: UInt64) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].node <= node { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
