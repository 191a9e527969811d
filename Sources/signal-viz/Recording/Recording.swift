import Foundation
import SignalGraph
import SignalPicture

/// The events of a program while it was recorded, with snapshots of its graph.
struct Recording {
  /// A figure at one time.
  struct Sample {
    /// The time in nanoseconds since the recording began.
    var time: UInt64
    var value: Double
  }

  /// The subject of a figure.
  struct Figure: Hashable {
    enum Kind: String {
      /// Values that reach handlers.
      case rate = "values/s"
      /// Values waiting in operators.
      case waiting
    }

    var kind: Kind
    /// The location; nil for the whole program.
    var place: String?

    init(_ kind: Kind, at place: String? = nil) { (self.kind, self.place) = (kind, place) }
  }

  /// Events that happened and are missing.
  struct Gap: Equatable {
    /// The time of the gap: the earliest possible end of its first event, in nanoseconds since the recording began.
    var time: UInt64
    var duration: UInt64
    var count: UInt64
  }

  var process: ProcessIdentity
  /// The time at which the recording began, in seconds since 1970.
  var startedAt: Double
  var seconds: Double
  /// The events in the order of their beginnings, in nanoseconds since the recording began.
  var events: [GraphEvent] = []
  /// The snapshots of the graph in order; never empty.
  var graphs: [GraphSnapshot]
  /// The number of missing events: the program's buffer was full before it was polled, or they were not read in time.
  var lost: UInt64 = 0
  /// The gaps left by missing events.
  var gaps: [Gap] = []
  /// A note that only some stretches are retained, if there were more events than requested.
  var thinned: String?
  /// The reason why it is shorter than requested.
  var cut: String?
  /// The samples of each figure.
  var samples: [Figure: [Sample]] = [:]

  /// A short description such as `4,231 events, 25 nodes`.
  var words: String {
    let nodes = graphs.last.map { NodeCounts(of: $0) } ?? NodeCounts()
    return "\(events.count.grouped) event\(events.count == 1 ? "" : "s"), \(nodes.words)"
  }

  /// Notes for the user on what is missing.
  var notes: [String] {
    var notes: [String] = []
    if let thinned { notes.append(thinned) }
    if lost > 0, thinned == nil {
      notes.append(
        "\(lost.grouped) event\(lost == 1 ? " is" : "s are") missing: the event buffer overflowed. Record a quieter period."
      )
    }
    if let last = graphs.last, seconds - max(0, last.takenAt - startedAt) > 2 {
      let which =
        graphs.count > 1
        ? "The last snapshot of the graph is of \(WatchTime(seconds: max(0, last.takenAt - startedAt)).words)"
        : "There is only one snapshot of the graph, from the beginning"
      notes.append("\(which): the program took too long to send another one.")
    }
    if let cut { notes.append("The recording is cut: \(cut)".asSentence) }
    return notes
  }

  /// The maximum number of snapshots retained: the first, the last, and some in between.
  private static let largestGraphCount = 16

  /// Adds a later snapshot of the graph. Of those with the same nodes and edges only the first and the last are
  /// retained.
  mutating func keep(_ graph: GraphSnapshot) {
    if graphs.count > 1, graphs[graphs.count - 1].hasSameStructure(as: graphs[graphs.count - 2]) { graphs.removeLast() }
    graphs.append(graph)
    guard graphs.count > Self.largestGraphCount else { return }
    graphs = graphs.enumerated().filter { $0.offset % 2 == 0 || $0.offset == graphs.count - 1 }.map(\.element)
  }

  /// The state of the graph at a time: the latest snapshot before, updated with the recorded events since.
  ///
  /// - Parameter time: The time in nanoseconds since the recording began.
  func graph(at time: UInt64) -> GraphSnapshot {
    let moment = startedAt + Double(time) / 1e9
    let index = graphs.lastIndex { $0.takenAt <= moment } ?? 0
    var graph = graphs[index]
    let from = UInt64(nanosecondsOf: graph.takenAt - startedAt)
    if graph.takenAt <= moment, index + 1 < graphs.count { graph.add(graphs[index + 1], madeUntil: moment) }
    let indices = Dictionary(graph.nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
    for event in events where event.time > from && event.time <= time && event.first - event.node < 1_000 {
      for id in event.node...event.first {
        guard let index = indices[id] else { continue }
        graph.nodes[index].valueCount &+= 1
        graph.nodes[index].lastEventAt = startedAt + Double(event.time) / 1e9
      }
    }
    graph.takenAt = max(graph.takenAt, moment)
    return graph
  }
}

extension UInt64 {
  /// Creates a number of nanoseconds from seconds; 0 for an invalid time, and at most some thirty years.
  init(nanosecondsOf seconds: Double) {
    self = seconds > 0 && seconds.isFinite ? UInt64(Swift.min(seconds * 1e9, 1e18)) : 0
  }
}

extension GraphEvent {
  /// The same event with times that can be added and nodes in order, whatever a program or a file contains.
  var bounded: GraphEvent {
    var event = self
    event.time = min(time, 1_000_000_000_000_000_000)
    event.duration = min(duration, 1_000_000_000_000_000_000)
    event.first = max(node, first)
    return event
  }
}

extension GraphSnapshot {
  func hasSameStructure(as other: GraphSnapshot) -> Bool {
    nodes.count == other.nodes.count && edges.count == other.edges.count
      && zip(nodes, other.nodes).allSatisfy { $0.id == $1.id && $0.state == $1.state && $0.name == $1.name }
      && zip(edges, other.edges).allSatisfy { $0.source == $1.source && $0.target == $1.target }
  }

  /// Adds the nodes of a later snapshot that existed already, without counts.
  fileprivate mutating func add(_ later: GraphSnapshot, madeUntil moment: Double) {
    var known = Set(nodes.map(\.id))
    var places = Set(definitions.map(\.id))
    let definitionsByID = Dictionary(later.definitions.map { ($0.id, $0) }) { first, _ in first }
    let new = later.nodes.filter { !known.contains($0.id) && $0.since.map { $0 <= moment } ?? false }
    guard !new.isEmpty else { return }
    for var node in new {
      guard let definition = definitionsByID[node.definition] else { continue }
      if places.insert(definition.id).inserted { definitions.append(definition) }
      (node.valueCount, node.rate, node.waiting, node.dropped) = (0, nil, nil, nil)
      node.state = .live
      nodes.append(node)
      known.insert(node.id)
    }
    let joined = Set(new.map(\.id))
    edges += later.edges.filter {
      (joined.contains($0.source) || joined.contains($0.target)) && known.contains($0.source)
        && known.contains($0.target)
    }
  }
}

/// The names of a recording's nodes.
struct RecordedNames {
  private struct Entry {
    var kind: String
    var name: String?
    var site: String
    var place: String
  }

  private var entries: [UInt64: Entry] = [:]
  private let graphs: [GraphSnapshot]

  init(_ graphs: [GraphSnapshot]) {
    self.graphs = graphs
    for graph in graphs {
      let definitions = Dictionary(graph.definitions.map { ($0.id, $0) }) { first, _ in first }
      for node in graph.nodes {
        guard let definition = definitions[node.definition] else { continue }
        let file = definition.fileID.split(separator: "/").last.map(String.init) ?? definition.fileID
        entries[node.id] = Entry(
          kind: definition.kind.displayable(limit: 60), name: node.name?.displayable(limit: 60),
          site: "\(file):\(definition.line)".displayable(limit: 80),
          place: "\(definition.fileID):\(definition.line)".displayable(limit: 200))
      }
    }
  }

  /// The title of a node, such as "`results` Feed.swift:42".
  ///
  /// - Parameter quote: The mark before and after names.
  func title(of node: UInt64, quote: String = "`") -> String {
    guard let entry = entries[node] else { return "node \(node)" }
    return "\(entry.name.map { quote + $0 + quote } ?? entry.kind) \(entry.site)"
  }

  /// The title of an event: for fused operators their kinds, in the order of values.
  func title(of event: GraphEvent, quote: String = "`") -> String {
    guard event.first > event.node, event.first - event.node < 16 else { return title(of: event.node, quote: quote) }
    let kinds = (event.node + 1...event.first).reversed().compactMap { id in
      entries[id].map { $0.name.map { quote + $0 + quote } ?? $0.kind }
    }
    return (kinds + [title(of: event.node, quote: quote)]).joined(separator: " · ")
  }

  /// Short names for nodes that appear together: their own names, else their locations, extended if these are equal.
  ///
  /// - Parameter limit: The maximum number of characters for each. Longer names lose their middle, as a location ends
  ///   with its line.
  func short(_ nodes: [UInt64], limit: Int) -> [UInt64: String] {
    let short = nodes.map { Self.cut(entries[$0].map { $0.name ?? $0.site } ?? "node \($0)", limit) }
    let counts = Dictionary(short.map { ($0, 1) }, uniquingKeysWith: +)
    return Dictionary(
      zip(nodes, short).map { node, name in
        guard counts[name] != 1 else { return (node, name) }
        // With its kind and its number, which `--place` accepts.
        let kind = entries[node]?.kind ?? "node"
        return (node, Self.cut("\(kind) \(name)", limit - "\(node)".count - 1) + " \(node)")
      }
    ) { first, _ in first }
  }

  private static func cut(_ words: String, _ limit: Int) -> String {
    guard words.count > limit else { return words }
    let end = limit / 3
    return "\(words.prefix(limit - end - 1))…\(words.suffix(end))"
  }

  /// The location with the whole `#fileID` and line.
  func place(of node: UInt64) -> String? { entries[node]?.place }

  /// The short location, such as `Feed.swift:42`.
  func site(of node: UInt64) -> String? { entries[node]?.site }

  /// The nodes that a text selects, over all snapshots of the graph.
  func nodes(matching words: String) -> Set<UInt64> {
    graphs.reduce(into: []) { $0.formUnion($1.nodes(matching: GraphFocus.Target(words))) }
  }
}
