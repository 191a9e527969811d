import Foundation
import SignalGraph
import SignalPicture

/// A recording in the Trace Event Format, which `chrome://tracing` and Perfetto show.
///
/// Each thread is a row. What a source sent, what passed an operator and what a handler did are complete events (`X`), inside each other as they were
/// called. Arrows (`s`, `t`, `f`) lead from cause to effect where that is on another thread, or later. Rates and what waits are counters (`C`). The
/// graph is below the key `signals`, which viewers pass over.
struct TraceFile {
  private let recording: Recording
  private let names: RecordedNames
  private var text: [UInt8] = []
  private var isFirst = true
  /// The row of each thread, and of what does not fit into it.
  private var rows: [String: [Row]] = [:]
  private var rowNames: [(number: Int, name: String)] = []

  private struct Row {
    var number: Int
    /// The ends of the events that are going on.
    var ends: [UInt64] = []
  }

  /// How many counters there are at most: those with the highest figures.
  private static let largestCounterCount = 60

  init(_ recording: Recording) {
    self.recording = recording
    names = RecordedNames(recording.graphs)
  }

  /// The bytes of the file.
  mutating func data() throws -> Data {
    text = []
    put("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n")
    let places = recording.events.map { event in place(event) }
    addNames()
    for (event, row) in zip(recording.events, places) { add(event, in: row) }
    addArrows(rows: places)
    addCounters()
    put("\n],\n\"signals\":")
    let own = OwnPart(
      startedAt: recording.startedAt, seconds: recording.seconds, lost: recording.lost, cut: recording.cut,
      graphs: recording.graphs)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    text += try encoder.encode(own)
    put("}\n")
    return Data(text)
  }

  /// What viewers pass over.
  struct OwnPart: Codable {
    static let currentVersion = 1

    var version = currentVersion
    var startedAt: Double
    var seconds: Double
    var lost: UInt64
    var cut: String?
    var graphs: [GraphSnapshot]
  }

  // MARK: Rows

  /// The number of the row in which an event is drawn: that of its thread, unless threads of one name work at the same time.
  private mutating func place(_ event: GraphEvent) -> Int {
    let end = event.time + event.duration
    var rows = rows[event.thread] ?? []
    defer { self.rows[event.thread] = rows }
    for index in rows.indices {
      while let last = rows[index].ends.last, last <= event.time { rows[index].ends.removeLast() }
      if rows[index].ends.last.map({ end <= $0 }) ?? true {
        rows[index].ends.append(end)
        return rows[index].number
      }
    }
    let number = rowNames.count + 1
    let name = event.thread.displayable(limit: 100)
    rowNames.append((number, rows.isEmpty ? name : "\(name) (\(rows.count + 1))"))
    rows.append(Row(number: number, ends: [end]))
    return number
  }

  private mutating func addNames() {
    let program = recording.process.displayable.name
    begin("M", "process_name", at: nil, row: 0)
    put(",\"args\":{\"name\":\(Self.quoted(program))}}")
    for (number, name) in rowNames {
      begin("M", "thread_name", at: nil, row: number)
      put(",\"args\":{\"name\":\(Self.quoted(name))}}")
      begin("M", "thread_sort_index", at: nil, row: number)
      put(",\"args\":{\"sort_index\":\(name == "main" ? 0 : number)}}")
    }
  }

  // MARK: Events

  private mutating func add(_ event: GraphEvent, in row: Int) {
    begin("X", names.title(of: event), at: event.time, row: row)
    put(",\"cat\":\"\(event.kind.rawValue)\",\"dur\":\(Self.microseconds(event.duration)),\"args\":{")
    put("\"node\":\(event.node)")
    if event.first != event.node { put(",\"first\":\(event.first)") }
    put(",\"cause\":\(event.cause)")
    if let origin = event.origin { put(",\"origin\":\"\(origin.rawValue)\"") }
    if let by = event.by { put(",\"by\":\(by)") }
    if let parent = event.parent { put(",\"parent\":\(parent)") }
    put(",\"thread\":\(Self.quoted(event.thread.displayable(limit: 100)))")
    if let place = names.place(of: event.node) { put(",\"place\":\(Self.quoted(place))") }
    put("}}")
  }

  private mutating func addArrows(rows: [Int]) {
    let arrows = CauseArrows(recording).arrows
    for arrow in arrows {
      let event = recording.events[arrow.event]
      begin(arrow.phase.rawValue, "cause", at: event.time, row: rows[arrow.event])
      put(",\"cat\":\"cause\",\"id\":\(arrow.number)")
      put(arrow.phase == .end ? ",\"bp\":\"e\"}" : "}")
    }
  }

  private mutating func addCounters() {
    let all = recording.samples.mapValues { samples in samples.reduce(0) { max($0, $1.value) } }
    let shown = all.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .prefix(Self.largestCounterCount)
    for (name, _) in shown.sorted(by: { $0.key < $1.key }) {
      for sample in recording.samples[name] ?? [] {
        begin("C", name, at: sample.time, row: 0)
        let value = (sample.value * 100).rounded() / 100
        put(",\"args\":{\(Self.quoted(name.hasPrefix("waiting") ? "waiting" : "values/s")):\(value)}}")
      }
    }
  }

  /// The beginning of each event; its end is written by whoever calls it.
  private mutating func begin(_ phase: String, _ name: String, at time: UInt64?, row: Int) {
    put(isFirst ? "" : ",\n")
    isFirst = false
    put("{\"ph\":\"\(phase)\",\"name\":\(Self.quoted(name)),\"pid\":\(recording.process.pid),\"tid\":\(row)")
    if let time { put(",\"ts\":\(Self.microseconds(time))") }
  }

  private mutating func put(_ words: String) { text.append(contentsOf: words.utf8) }

  /// Nanoseconds as microseconds with three digits behind the point.
  private static func microseconds(_ nanoseconds: UInt64) -> String {
    let rest = nanoseconds % 1_000
    return "\(nanoseconds / 1_000).\(rest < 10 ? "00" : rest < 100 ? "0" : "")\(rest)"
  }

  /// A text as JSON has it.
  static func quoted(_ words: String) -> String {
    var text = "\""
    for scalar in words.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

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
