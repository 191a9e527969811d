import Foundation
import SignalGraph
import SignalPicture

/// A recording in the Trace Event Format, which Perfetto and `chrome://tracing` show.
///
/// Each thread is a row. Sends by sources, passes through operators and calls of handlers are complete events (`X`),
/// nested like the calls. Arrows (`s`, `t`, `f`) lead from cause to effect where that is on another thread, or later.
/// Rates and numbers of waiting values are counters (`C`). Missing events are counted in a row of their own. The graph
/// is below the key `signals`, which viewers ignore.
struct TraceFile {
  /// The category of the events that mark missing ones.
  static let missing = "missing"

  private let recording: Recording
  private let names: RecordedNames
  private var text: [UInt8] = []
  private var isFirst = true
  /// The rows of threads, in order.
  private var rows = TraceRows()
  /// The titles of nodes and fused operators, with everything else that all of their events share.
  private var titles: [[UInt64]: (name: String, place: String)] = [:]

  /// The maximum number of counters: those with the highest figures.
  private static let largestCounterCount = 60

  init(_ recording: Recording) {
    self.recording = recording
    names = RecordedNames(recording.graphs)
  }

  /// The contents of the file.
  mutating func data() throws -> Data {
    text = []
    put("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n")
    let places = recording.events.map { rows.row(of: $0) }
    let numbers = rows.numbers(main: Int(recording.process.pid))
    let missing = (numbers.max() ?? 0) + 1
    addNames(numbers, missing: missing)
    for (event, row) in zip(recording.events, places) { add(event, in: numbers[row]) }
    addGaps(in: missing)
    addArrows(rows: places.map { numbers[$0] })
    addCounters()
    put("\n],\n\"signals\":")
    let own = OwnPart(
      startedAt: recording.startedAt, seconds: recording.seconds, lost: recording.lost, thinned: recording.thinned,
      cut: recording.cut,
      graphs: recording.graphs)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    text += try encoder.encode(own)
    put("}\n")
    return Data(text)
  }

  /// The part that viewers ignore.
  struct OwnPart: Codable {
    static let currentVersion = 1

    var version = currentVersion
    var startedAt: Double
    var seconds: Double
    var lost: UInt64
    var thinned: String?
    var cut: String?
    var graphs: [GraphSnapshot]
  }

  // MARK: Names

  private mutating func addNames(_ numbers: [Int], missing: Int) {
    begin("M", "process_name", at: nil, row: Int(recording.process.pid))
    put(",\"args\":{\"name\":\(Self.quoted(recording.process.displayable.name))}}")
    for (number, name) in zip(numbers, rows.names) { addName(number, name, order: name == "main" ? 0 : number) }
    if !recording.gaps.isEmpty { addName(missing, "events that are missing", order: missing) }
  }

  private mutating func addName(_ number: Int, _ name: String, order: Int) {
    begin("M", "thread_name", at: nil, row: number)
    put(",\"args\":{\"name\":\(Self.quoted(name))}}")
    begin("M", "thread_sort_index", at: nil, row: number)
    put(",\"args\":{\"sort_index\":\(order)}}")
  }

  // MARK: Events

  private mutating func add(_ event: GraphEvent, in row: Int) {
    let (name, place) = title(of: event)
    begin("X", quoted: name, at: event.time, row: row)
    put(",\"cat\":\"\(event.kind.rawValue)\",\"dur\":\(Self.microseconds(event.duration)),\"args\":{")
    put("\"node\":\(event.node)")
    if event.first != event.node { put(",\"first\":\(event.first)") }
    put(",\"cause\":\(event.cause)")
    if let words = names.beginning(of: event) { put(",\"why\":\(Self.quoted(words))") }
    if let origin = event.origin { put(",\"origin\":\"\(origin.rawValue)\"") }
    if let by = event.by { put(",\"by\":\(by)") }
    if let parent = event.parent { put(",\"parent\":\(parent)") }
    put(",\"thread\":\(rows.quotedName(of: event.thread))")
    put(place)
    put("}}")
  }

  private mutating func title(of event: GraphEvent) -> (name: String, place: String) {
    let key = [event.node, event.first]
    if let known = titles[key] { return known }
    let place = names.place(of: event.node).map { ",\"place\":\(Self.quoted($0))" } ?? ""
    let title = (name: Self.quoted(names.title(of: event, quote: "")), place: place)
    titles[key] = title
    return title
  }

  private mutating func addGaps(in row: Int) {
    for gap in recording.gaps {
      begin("X", "\(gap.count.grouped) missing", at: gap.time, row: row)
      put(",\"cat\":\"\(Self.missing)\",\"dur\":\(Self.microseconds(gap.duration)),\"args\":{\"count\":\(gap.count)}}")
    }
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

  /// Viewers show the name of a counter followed by that of its figure.
  private mutating func addCounters() {
    let all = recording.samples.mapValues { samples in samples.reduce(0) { max($0, $1.value) } }
    let shown = all.filter { $0.value > 0 }.sorted { ($1.value, Self.name($0.key)) < ($0.value, Self.name($1.key)) }
      .prefix(Self.largestCounterCount)
    for (figure, _) in shown.sorted(by: { Self.name($0.key) < Self.name($1.key) }) {
      for sample in recording.samples[figure] ?? [] {
        begin("C", Self.name(figure), at: sample.time, row: Int(recording.process.pid))
        put(",\"args\":{\"\(figure.kind.rawValue)\":\((sample.value * 100).rounded() / 100)}}")
      }
    }
  }

  private static func name(_ figure: Recording.Figure) -> String {
    switch figure.kind {
    case .rate: figure.place ?? "all handlers"
    case .waiting: figure.place ?? "all operators"
    }
  }

  /// Writes the beginning of an event; its end is written by the caller.
  private mutating func begin(_ phase: String, _ name: String, at time: UInt64?, row: Int) {
    begin(phase, quoted: Self.quoted(name), at: time, row: row)
  }

  private mutating func begin(_ phase: String, quoted name: String, at time: UInt64?, row: Int) {
    put(isFirst ? "" : ",\n")
    isFirst = false
    put("{\"ph\":\"\(phase)\",\"name\":\(name),\"pid\":\(recording.process.pid),\"tid\":\(row)")
    if let time { put(",\"ts\":\(Self.microseconds(time))") }
  }

  private mutating func put(_ words: String) { text.append(contentsOf: words.utf8) }

  /// Nanoseconds as microseconds with three decimal places.
  private static func microseconds(_ nanoseconds: UInt64) -> String {
    let rest = nanoseconds % 1_000
    return "\(nanoseconds / 1_000).\(rest < 10 ? "00" : rest < 100 ? "0" : "")\(rest)"
  }

  /// A text as a JSON string.
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
