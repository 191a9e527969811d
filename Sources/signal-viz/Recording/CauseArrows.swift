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
    // The events of each cause, for the last causes only, as there may be many.
    var last: [UInt64: [Int]] = [:]
    var handlers: [UInt64: Int] = [:]
    var sources: [Int: Int] = [:]
    for (index, event) in events.enumerated() {
      defer {
        if event.cause > 0 { last[event.cause, default: []].append(index) }
        if event.kind == .handled { handlers[event.node] = index }
      }
      guard event.cause > 0 else { continue }
      let inputs = above[event.first] ?? []
      var source: Int?
      if let known = last[event.cause] {
        // The event directly upstream; else the latest one, as those in between may not be recorded.
        source =
          known.last { candidate in
            inputs.contains { events[candidate].isAt($0) } && events[candidate].node != event.node
          }
          ?? (inputs.isEmpty ? nil : known.last { events[$0].node != event.node })
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
