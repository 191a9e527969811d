import SignalGraph

/// Which events of a recording are the effects of which others, where that cannot be seen from one being inside the other.
struct CauseArrows {
  /// A point of an arrow.
  struct Arrow {
    enum Phase: String {
      case start = "s"
      case step = "t"
      case end = "f"
    }

    var phase: Phase
    /// The index of the event that it is at.
    var event: Int
    /// The same at all points of an arrow.
    var number: Int
  }

  /// By the events' times, an arrow's start before its end.
  private(set) var arrows: [Arrow] = []

  init(_ recording: Recording) {
    let events = recording.events
    var above: [UInt64: Set<UInt64>] = [:]
    for graph in recording.graphs {
      for edge in graph.edges where edge.kind != .feedback { above[edge.target, default: []].insert(edge.source) }
    }
    // The newest event of each cause, by node; those of the last causes only, as there may be many.
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
        // What is above it; else whatever came last, as what is between may not be recorded.
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
        // It goes on to one only.
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

  /// Whether an event happened in the course of another one.
  private static func isInside(_ event: GraphEvent, _ other: GraphEvent) -> Bool {
    event.thread == other.thread && other.time <= event.time
      && event.time + event.duration <= other.time + other.duration
  }
}
