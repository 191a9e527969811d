package import SignalGraph

/// A drawing of a snapshot: boxes that represent one or many nodes, and the links between them.
///
/// Boxes and links are sorted by the nodes' stable ids, so that the order of nodes in a snapshot does not matter.
package struct GraphPicture: Hashable, Sendable {
  /// The operator, source or subscription that a box shows; a folded box shows several, in the order of values.
  package struct Part: Hashable, Sendable {
    /// The kind, such as `map`.
    package var kind: String
    /// The user's name for it.
    package var name: String?
    /// The file's name and the line, such as `Feed.swift:42`.
    package var site: String
    /// The number of values passed, over all copies.
    package var valueCount: UInt64
    /// The number of values waiting to be delivered, over all copies.
    package var waiting: UInt64 = 0
    /// The number of values dropped because too many were waiting, over all copies.
    package var dropped: UInt64 = 0
    /// Whether it delivers values on demand only, and the consumer of the last one has been busy for a while, over all
    /// copies.
    package var isConsumerBusy = false
    /// The number of values per second, over all copies; nil if unknown.
    package var rate: Double?
    /// The scheduler of its work, such as `main`; nil if unknown. For several copies it is that of the first.
    package var scheduler: String?
    /// The description of the last value, if the program shows it; nil if not the same for all copies.
    package var lastValue: String?
    /// The type of the subscription's owner; nil if unknown, or not the same for all copies.
    package var owner: String?
    /// The tooltip, except the failure: function, demand, owner, last value, scheduler, channels, rate.
    package var details: [String]
    /// The error that ended it.
    package var failure: String?
    /// The definition in the source code.
    package var definition: Definition
  }

  /// One drawn node.
  package struct Box: Hashable, Sendable, Identifiable {
    /// The smallest id of the nodes that the box represents.
    package var id: UInt64
    /// The content of the box, in the order of values; never empty.
    package var parts: [Part]
    /// The number of nodes, or chains of nodes, that look the same and are drawn as this one.
    package var copies: Int
    /// A heading that replaces the parts, for a box that represents a whole file or module.
    package var heading: String?
    /// The file, module, function or owner that it represents, unlike the heading unambiguous; empty for boxes that have
    /// nothing in common.
    package var group: String?
    /// The number of nodes that it represents.
    package var nodeCount: Int
    /// The state of its nodes; for nodes in different states the most relevant one.
    package var state: Node.State
    /// The findings on any of its nodes.
    package var findings: Set<Node.Finding>
    /// The numbers of the callouts on any of its nodes.
    package var marks: Set<Int> = []
    /// The difference of its nodes from an earlier snapshot; nil if there is none, or not the same for all.
    package var change: PictureChange?
    /// The `#fileID` of its source location.
    package var fileID: String
    /// The channels between programs of which any of its nodes is an end.
    var channels: Set<ChannelEnd> = []
    /// Whether it is drawn separately, see ``GraphPicture/keepFaultsApart(upTo:)``.
    var isApart = false
    /// The properties that exist only in a drawing of several programs.
    var place: ProgramPlace?
  }

  /// One drawn connection.
  package struct Link: Hashable, Sendable {
    /// The box that sends values.
    package var source: UInt64
    /// The box that receives values.
    package var target: UInt64
    /// What the connection carries.
    package var kind: Edge.Kind
    /// The number of connections that it represents.
    package var copies: Int
    /// The channel between programs that it represents, if it is one.
    var channel: PictureChannel?
  }

  /// The process of the graph.
  package var process: ProcessIdentity
  /// The number of nodes that the boxes represent.
  package private(set) var nodeCount: Int
  /// The number of nodes in the graph, including those that are not drawn.
  package private(set) var counts: NodeCounts
  /// The number of edges between the drawn nodes.
  package private(set) var edgeCount: Int
  /// The steps that reduced the drawing, in their order.
  package var notes: [String] = []
  /// The callouts of boxes, beginning with number 1.
  package private(set) var marks: [PictureMark] = []
  /// The boxes, sorted by id.
  package private(set) var boxes: [Box]
  /// The links, sorted by source, target and kind.
  package private(set) var links: [Link]
  /// The links that are hidden because there are too many.
  private(set) var hiddenLinks: [Link] = []
  /// The programs in a drawing of several.
  package private(set) var programs: ProgramFrames?
  /// The boxes that represent others, by their ids, in the order of the reductions.
  private var standIns: [[UInt64: UInt64]] = []

  /// Creates a drawing with one box for each node.
  ///
  /// - Parameter snapshot: The graph.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot is inconsistent.
  /// - Complexity: O(*n* log *n*) in nodes and edges.
  package init(of snapshot: GraphSnapshot) throws(GraphSnapshotError) {
    try snapshot.validate()
    process = snapshot.process
    nodeCount = snapshot.nodes.count
    counts = NodeCounts(of: snapshot)
    edgeCount = snapshot.edges.count
    let definitions = Dictionary(snapshot.definitions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let followed = snapshot.nodesWithBusyTargets
    let words = GraphWords(of: snapshot)
    boxes = snapshot.nodes.compactMap { node in
      definitions[node.definition].map { definition in
        var box = Box(node, at: definition, now: snapshot.takenAt, words)
        if followed.contains(node.id) { box.parts[0].isConsumerBusy = false }
        return box
      }
    }
    .sorted { $0.id < $1.id }
    links = Self.merged(
      snapshot.edges.map { Link(source: $0.source, target: $0.target, kind: $0.kind, copies: 1) })
  }

  /// Creates the drawing described by the options.
  ///
  /// - Parameters:
  ///   - snapshot: The graph.
  ///   - options: Determines what is omitted, grouped and folded.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot is inconsistent.
  /// - Complexity: O(*n* log *n*) in nodes and edges.
  package init(of snapshot: GraphSnapshot, options: DrawingOptions) throws(GraphSnapshotError) {
    try self.init(of: snapshot)
    // Before any reduction: now a box has the id of its node.
    mark(options.marks)
    show(options.changes)
    if !options.showsEnded { leaveOutEnded() }
    if let minimum = options.bundlesFrom { bundleEqualChains(atLeast: minimum) }
    if options.foldsLinearRuns { foldLinearRuns() }
    if let limit = options.boxLimit { reduce(to: limit) }
  }

  /// Combines drawings of several programs, whose boxes have unique ids.
  init(_ programs: ProgramFrames?, process: ProcessIdentity, boxes: [Box], links: [Link]) {
    self.programs = programs
    self.process = process
    nodeCount = boxes.reduce(0) { $0 + $1.nodeCount }
    counts = NodeCounts(live: nodeCount)
    edgeCount = links.reduce(0) { $0 + $1.copies }
    self.boxes = boxes.sorted { $0.id < $1.id }
    self.links = links.sorted {
      ($0.source, $0.target, $0.kind.rawValue, $0.channel?.number ?? 0)
        < ($1.source, $1.target, $1.kind.rawValue, $1.channel?.number ?? 0)
    }
  }

  /// Adds callouts: numbers on boxes, and a list above the graph.
  ///
  /// - Complexity: O(boxes + nodes of the callouts).
  mutating func mark(_ marks: [PictureMark]) {
    self.marks = marks
    var numbers: [UInt64: Set<Int>] = [:]
    for (index, mark) in marks.enumerated() {
      for node in mark.nodes { numbers[node, default: []].insert(index + 1) }
    }
    for index in boxes.indices { boxes[index].marks = numbers[boxes[index].id] ?? [] }
  }

  /// Adds to boxes their differences from an earlier snapshot.
  mutating func show(_ changes: [UInt64: PictureChange]) {
    guard !changes.isEmpty else { return }
    for index in boxes.indices { boxes[index].change = changes[boxes[index].id] }
  }

  /// Draws exactly these boxes separately for as long as possible.
  mutating func keepApart(_ ids: Set<UInt64>) {
    for index in boxes.indices { boxes[index].isApart = ids.contains(boxes[index].id) }
  }

  /// Draws each group of boxes as one; `groups` are disjoint, and all other boxes are unchanged.
  ///
  /// Links inside a group disappear; links between the same two boxes become one.
  mutating func replace(_ groups: [(members: [UInt64], box: Box)]) {
    guard !groups.isEmpty else { return }
    showAllLinks()
    var standIn: [UInt64: UInt64] = [:]
    for group in groups {
      for member in group.members { standIn[member] = group.box.id }
    }
    standIns.append(standIn)
    boxes = (boxes.filter { standIn[$0.id] == nil } + groups.map(\.box)).sorted { $0.id < $1.id }
    links = Self.merged(
      links.compactMap { link in
        var moved = link
        moved.source = standIn[link.source] ?? link.source
        moved.target = standIn[link.target] ?? link.target
        let isInside = moved.source == moved.target && link.source != link.target
        return isInside ? nil : moved
      })
  }

  /// Adds the boxes of other nodes of the same graph, and the links between both.
  mutating func add(_ other: GraphPicture, with snapshot: GraphSnapshot) {
    let nodes = snapshot.nodes.map(\.id)
    let (own, others) = (Set(boxes.map(\.id)), Set(other.boxes.map(\.id)))
    let places = boxes(of: nodes).filter { own.contains($1) }
      .merging(other.boxes(of: nodes).filter { others.contains($1) }) { first, _ in first }
    standIns = [places]
    nodeCount += other.nodeCount
    counts = counts + other.counts
    boxes = (boxes + other.boxes).sorted { $0.id < $1.id }
    notes += other.notes.filter { !notes.contains($0) }
    let joining = snapshot.edges.compactMap { edge -> Link? in
      guard let source = places[edge.source], let target = places[edge.target],
        own.contains(source) != own.contains(target)
      else { return nil }
      return Link(source: source, target: target, kind: edge.kind, copies: 1)
    }
    links = Self.merged(links + other.links + joining)
    hiddenLinks += other.hiddenLinks
    edgeCount += other.edgeCount + joining.count
  }

  /// The ids of the boxes that represent nodes, by the nodes' ids, including boxes that are not drawn.
  ///
  /// - Complexity: O(nodes), for each step that reduced the drawing.
  package func boxes(of nodes: some Sequence<UInt64>) -> [UInt64: UInt64] {
    var result = Dictionary(nodes.map { ($0, $0) }) { first, _ in first }
    for standIn in standIns {
      for (node, box) in result {
        if let other = standIn[box] { result[node] = other }
      }
    }
    return result
  }

  /// Removes boxes and their links.
  mutating func remove(_ isUnwanted: (Box) -> Bool) {
    showAllLinks()
    for box in boxes where isUnwanted(box) { nodeCount -= box.nodeCount }
    boxes.removeAll(where: isUnwanted)
    let kept = Set(boxes.map(\.id))
    links.removeAll { !kept.contains($0.source) || !kept.contains($0.target) }
    edgeCount = links.reduce(0) { $0 + $1.copies }
  }

  /// Hides links; an empty set shows all of them again.
  mutating func hide(_ unwanted: Set<Link>) {
    let all = Self.merged(links + hiddenLinks)
    links = all.filter { !unwanted.contains($0) }
    hiddenLinks = all.filter { unwanted.contains($0) }
  }

  /// The same boxes without these links.
  func without(_ unwanted: Set<Link>) -> GraphPicture {
    guard !unwanted.isEmpty else { return self }
    var picture = self
    picture.links.removeAll { unwanted.contains($0) }
    return picture
  }

  /// The same boxes without feedback by handlers.
  var withoutFeedback: GraphPicture {
    var picture = self
    picture.links.removeAll { $0.kind == .feedback }
    return picture
  }

  private static func merged(_ links: [Link]) -> [Link] {
    var result: [Link] = []
    let sorted = links.sorted { ($0.source, $0.target, $0.kind.rawValue) < ($1.source, $1.target, $1.kind.rawValue) }
    for link in sorted {
      if let last = result.last, (last.source, last.target, last.kind) == (link.source, link.target, link.kind) {
        result[result.count - 1].copies += link.copies
      } else {
        result.append(link)
      }
    }
    return result
  }
}

/// The names of locations and schedulers of a graph.
private struct GraphWords {
  let places: PlaceWords
  let schedulers: SchedulerWords

  init(of snapshot: GraphSnapshot) {
    places = PlaceWords(of: snapshot.definitions.lazy.map(\.fileID))
    schedulers = SchedulerWords(of: snapshot.nodes.lazy.compactMap(\.scheduler))
  }
}

extension GraphPicture.Box {
  fileprivate init(_ node: Node, at definition: Definition, now: Double, _ words: GraphWords) {
    id = node.id
    parts = [GraphPicture.Part(node, at: definition, now: now, words)]
    copies = 1
    nodeCount = 1
    state = node.state
    findings = Set(node.findings)
    fileID = definition.fileID
    channels = Set(node.channels ?? [])
  }
}

extension GraphPicture.Box {
  /// The number of values waiting in the nodes that the box represents.
  var waiting: UInt64 { parts.reduce(0) { $0.addingSaturated($1.waiting) } }
  /// The number of values that these nodes have dropped.
  var dropped: UInt64 { parts.reduce(0) { $0.addingSaturated($1.dropped) } }
}

extension GraphPicture.Part {
  /// Adds the counts of another node that is drawn as the same part.
  mutating func addValues(of other: GraphPicture.Part) {
    valueCount = valueCount.addingSaturated(other.valueCount)
    waiting = waiting.addingSaturated(other.waiting)
    dropped = dropped.addingSaturated(other.dropped)
    isConsumerBusy = isConsumerBusy || other.isConsumerBusy
    if let more = other.rate { rate = (rate ?? 0) + more }
    if lastValue != other.lastValue { lastValue = nil }
    if owner != other.owner { owner = nil }
  }

  fileprivate init(_ node: Node, at definition: Definition, now: Double, _ words: GraphWords) {
    kind = definition.kind
    name = node.name.flatMap { $0.isEmpty ? nil : $0 }
    site = words.places(definition.fileID, definition.line)
    valueCount = node.valueCount
    waiting = node.waiting ?? 0
    dropped = node.dropped ?? 0
    rate = node.rate
    scheduler = node.scheduler
    lastValue = node.lastValue
    failure = node.failure
    owner = node.owner
    self.definition = definition
    if let demand = node.demand, !demand.isAsked { isConsumerBusy = now - demand.since >= Self.leastBusy }
    details = ["#\(node.id), in \(definition.function)"]
    if let demand = node.demand {
      let time = Self.words(now - demand.since)
      details.append(
        demand.isAsked
          ? "its consumer has waited for \(time) s" : "its consumer has been busy for \(time) s")
    }
    if let owner = node.owner { details.append("owner: \(owner)") }
    if let value = node.lastValue { details.append("last value: \(value)") }
    if let scheduler = node.scheduler {
      let interval = node.interval.map { ", with an interval of \($0) s" } ?? ""
      details.append("works on \(words.schedulers[scheduler])\(interval)")
    }
    details += (node.channels ?? []).sorted().map { $0.sentence }
    if let rate = node.rate { details.append("\(GraphPicture.Part.words(rate)) values a second") }
  }
}

extension GraphPicture.Part {
  /// The number of values passed, and the rate if it is not zero. A property has a value initially and counts its later
  /// changes.
  var values: String { values(as: definition.behavior?.contains(.holdsValue) == true ? "change" : "value") }

  /// The same with another word for the values.
  func values(as word: String) -> String {
    let values = "\(valueCount.grouped) \(word)\(valueCount == 1 ? "" : "s")"
    return rate.map(Self.words).flatMap { $0 == "0" ? nil : "\(values), \($0)/s" } ?? values
  }

  /// The number of seconds after which a busy consumer is reported.
  fileprivate static var leastBusy: Double { 0.1 }

  /// A rate: an integer from 10 on, else with one decimal place, such as "0.3".
  static func words(_ rate: Double) -> String {
    guard rate > 0, rate < 9.95 else { return UInt64(clamping: rate).grouped }
    let tenths = UInt64(clamping: rate * 10)
    return tenths == 0 ? "0" : tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}

extension GraphPicture {
  /// The schedulers of its boxes.
  package var schedulers: SchedulerWords { SchedulerWords(of: boxes.lazy.flatMap(\.parts).compactMap(\.scheduler)) }
}

extension UInt64 {
  /// Creates the nearest integer; 0 for numbers that are negative or NaN.
  fileprivate init(clamping value: Double) {
    self = value.isNaN || value <= 0 ? 0 : UInt64(exactly: value.rounded()) ?? .max
  }
}

extension GraphSnapshot {
  /// The nodes that are marked “consumer busy”: their consumer has not requested a value for a while.
  ///
  /// - Complexity: O(nodes + edges).
  package var nodesWithBusyConsumers: Set<UInt64> {
    let busy = nodes.filter { node in
      node.demand.map { !$0.isAsked && takenAt - $0.since >= GraphPicture.Part.leastBusy } ?? false
    }
    return busy.isEmpty ? [] : Set(busy.map(\.id)).subtracting(nodesWithBusyTargets)
  }

  /// The nodes for which a busy consumer is not reported because it is reported further downstream.
  fileprivate var nodesWithBusyTargets: Set<UInt64> {
    let busy = Set(nodes.filter { $0.demand?.isAsked == false && $0.state == .live }.map(\.id))
    return busy.isEmpty ? [] : Set(edges.filter { busy.contains($0.target) }.map(\.source))
  }
}
