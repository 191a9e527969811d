#if Tracing
  import SignalGraph
  import Tracing

  /// The causes that may still have effects.
  struct Traces: Sendable {
    /// The maximum number of simultaneously tracked causes.
    private static let limit = 4_096

    private let quiet: Double
    /// By number.
    private var open: [UInt64: Trace] = [:]
    /// The maximum number of stored numbers of completed causes.
    private static let overLimit = 65_536
    /// The latest completed causes: nodes continue to report them for a while, and later effects are no new spans.
    private var over: Set<UInt64> = []

    init(quiet: Double) { self.quiet = quiet }

    /// Adds a snapshot's information about sampled causes.
    mutating func add(_ snapshot: GraphSnapshot, _ isSampled: (UInt64) -> Bool) {
      let definitions = Dictionary(snapshot.definitions.map { ($0.id, $0) }) { first, _ in first }
      let places = Dictionary(snapshot.nodes.map { ($0.id, TracedPlace($0, definitions[$0.definition])) }) { first, _ in
        first
      }
      var seen: Set<UInt64> = []
      for node in snapshot.nodes {
        for cause in node.causes ?? [] {
          seen.insert(cause.number)
          guard !over.contains(cause.number), let place = places[node.id] else { continue }
          if open[cause.number] == nil {
            if cause.isKnownRoot, !isSampled(cause.number) {
              over.insert(cause.number)
              continue
            }
            if open.count < Self.limit { open[cause.number] = Trace(cause.number) }
          }
          open[cause.number]?.add(cause, at: node.id, place, places)
        }
      }
      if over.count > Self.overLimit {
        over = over.intersection(seen).union(over.sorted().suffix(Self.overLimit / 2))
      }
      // Children are removed with the cause under which they began.
      for number in open.keys where open[number]?.parent == nil && !isSampled(number) && open[number]?.start != nil {
        leaveOut(number)
      }
    }

    private mutating func leaveOut(_ number: UInt64) {
      open[number] = nil
      over.insert(number)
    }

    /// Removes causes without an effect for a while, each with its children; and those without a tracked parent.
    mutating func takeOver(at now: Double) -> (traces: [Trace], forgotten: [UInt64]) {
      var children: [UInt64: [UInt64]] = [:]
      for (number, trace) in open {
        if let parent = trace.parent, open[parent] != nil { children[parent, default: []].append(number) }
      }
      var taken: [Trace] = []
      var forgotten: [UInt64] = []
      for (number, trace) in open where trace.parent.map({ open[$0] == nil }) ?? true {
        guard trace.lastEffect(children, open) + quiet <= now else { continue }
        // Its beginning is not known, or it began under a cause that is not sampled.
        if trace.start == nil || trace.parent != nil {
          forgotten.append(number)
        } else {
          taken.append(trace.with(children, open))
        }
      }
      for number in forgotten + taken.flatMap(\.numbers) { leaveOut(number) }
      return (taken.sorted { $0.number < $1.number }, forgotten)
    }
  }

  extension Cause {
    /// Whether its beginning is known, and began under no other cause.
    fileprivate var isKnownRoot: Bool {
      origin != nil ? parent == nil : start.map { $0.parent == nil } ?? false
    }
  }

  /// A node, for the events of spans.
  struct TracedPlace: Sendable {
    let title: String
    let kind: String
    let fileID: String
    let line: Int
    let function: String

    init(_ node: Node, _ definition: Definition?) {
      kind = definition?.kind ?? "node"
      title = node.name ?? kind
      fileID = definition?.fileID ?? ""
      line = definition?.line ?? 0
      function = definition?.function ?? ""
    }

    var attributes: SpanAttributes {
      ["code.file.path": "\(fileID)", "code.line.number": "\(line)", "code.function.name": "\(function)"]
    }
  }

  /// A cause, and its effects.
  struct Trace: Sendable {
    /// The maximum number of events of a span.
    private static let largestEvents = 128

    private struct Effect: Sendable {
      let place: TracedPlace
      let at: Double
      let thread: String
    }

    let number: UInt64
    /// The time and the node of its beginning; nil if unknown.
    private(set) var start: (at: Double, place: TracedPlace, thread: String, origin: Cause.Origin)?
    /// The cause under which it began.
    private(set) var parent: UInt64?
    private var effects: [UInt64: Effect] = [:]
    private var children: [Trace] = []

    init(_ number: UInt64) { self.number = number }

    mutating func add(_ cause: Cause, at node: UInt64, _ place: TracedPlace, _ places: [UInt64: TracedPlace]) {
      if let origin = cause.origin {
        if start == nil { start = (cause.at, place, cause.thread, origin) }
        parent = cause.parent
      } else {
        if effects[node] != nil || effects.count < Self.largestEvents {
          effects[node] = Effect(place: place, at: cause.at, thread: cause.thread)
        }
        if start == nil, let known = cause.start, let place = places[known.node] {
          start = (known.at, place, known.thread, known.origin)
          parent = known.parent
        }
      }
    }

    private var ownEnd: Double { effects.values.reduce(start?.at ?? 0) { max($0, $1.at) } }

    /// The time of its last effect, or that of its children.
    func lastEffect(_ children: [UInt64: [UInt64]], _ all: [UInt64: Trace]) -> Double {
      var last = ownEnd
      var waiting = children[number] ?? []
      while let child = waiting.popLast() {
        last = max(last, all[child]?.ownEnd ?? 0)
        waiting += children[child] ?? []
      }
      return last
    }

    /// The same with its children.
    func with(_ children: [UInt64: [UInt64]], _ all: [UInt64: Trace], depth: Int = 0) -> Trace {
      var trace = self
      // Numbers grow, so there is no cycle. Deeper levels are omitted.
      guard depth < 64 else { return trace }
      trace.children = (children[number] ?? []).sorted().compactMap { all[$0]?.with(children, all, depth: depth + 1) }
      return trace
    }

    var numbers: [UInt64] { [number] + children.flatMap(\.numbers) }

    private var end: Double { children.reduce(ownEnd) { max($0, $1.end) } }

    /// Emits its span, and those of its children.
    func report(to tracer: any Tracer, _ context: InstrumentationContext) {
      guard let start else { return }
      let span = tracer.startSpan(
        start.place.title, context: context, ofKind: .internal, at: Moment(start.at),
        function: start.place.function, file: start.place.fileID, line: UInt(max(0, start.place.line)))
      span.attributes = start.place.attributes
      span.attributes["signals.kind"] = start.place.kind
      span.attributes["signals.origin"] = start.origin.rawValue
      span.attributes["thread.name"] = start.thread
      for effect in effects.values.sorted(by: { ($0.at, $0.place.line) < ($1.at, $1.place.line) }) {
        var attributes = effect.place.attributes
        attributes["thread.name"] = effect.thread
        span.addEvent(
          SpanEvent(
            name: "\(effect.place.title) \(effect.place.fileID):\(effect.place.line)", at: Moment(effect.at),
            attributes: attributes))
      }
      for child in children { child.report(to: tracer, span.context) }
      span.end(at: Moment(end))
    }
  }

  /// A time of a snapshot.
  struct Moment: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    init(_ seconds: Double) {
      nanosecondsSinceEpoch = UInt64(max(0, min(seconds, 1e10)) * 1_000_000_000)
    }

    static func < (first: Moment, second: Moment) -> Bool {
      first.nanosecondsSinceEpoch < second.nanosecondsSinceEpoch
    }
  }
#endif
