package import SignalGraph

/// Why values reached a node while its graph was watched, or why none did: the path upstream from it, and where values
/// stop.
///
/// ```text
/// import SignalFindings
/// import SignalGraph
///
/// let recorder = Introspection.enable()
/// let before = recorder.snapshot()
/// // The program runs.
/// let observation = Observation(recorder.snapshot(), since: before)
/// for node in observation.now.snapshot.nodes where node.name == "results" {
///   print(Explanation(of: node, in: observation).reason)
/// }
/// ```
package struct Explanation: Codable, Hashable, Sendable {
  /// A node on the path.
  package struct Step: Codable, Hashable, Sendable {
    /// The node's `id` in the snapshot.
    package var node: UInt64
    /// Its title, such as "`map`".
    package var title: String
    /// Its source location; `nil` if the snapshot has none.
    package var place: Place?
    /// What it did with the counted values: a source sent them, an operator emitted them, a subscriber received them.
    package var role: Role
    /// The number of values that passed it while the graph was watched.
    package var values: UInt64
    /// The number of values that have ever passed it.
    package var total: UInt64
    /// Whether it is live, finished, failed or disposed.
    package var state: Node.State
    /// Further facts, such as its other inputs.
    package var notes: [String]
  }

  /// What a node does with values.
  package enum Role: String, Codable, Hashable, Sendable, CaseIterable {
    /// Sends values, and has no upstream.
    case source
    /// Emits values that it computes from its inputs.
    case `operator`
    /// Receives values, and has no downstream.
    case subscriber

    /// A description such as "sent 3 values", which says what the number counts.
    ///
    /// - Parameter count: The number of values.
    /// - Returns: The description.
    package func words(_ count: UInt64) -> String { "\(verb) \(count == 1 ? "1 value" : "\(count) values")" }

    /// "sent", "gave" or "got".
    package var verb: String {
      switch self {
      case .source: "sent"
      case .operator: "gave"
      case .subscriber: "got"
      }
    }
  }

  /// Whether values arrived while the graph was watched, or ever if it was not watched.
  package var hasFired: Bool
  /// One sentence: where the values came from, or where they stop and what the node there waits for.
  package var reason: String
  /// The node at which values stop, if none arrived.
  package var obstacle: UInt64?
  /// The nodes from the explained one upstream to a source, as far as they matter.
  package var steps: [Step]
  /// The paths of the last values to the node, the latest first, if causes were recorded.
  package var trails: [CauseTrail]
  /// For how long values have stopped, if none arrived and the time is known.
  package var wait: Wait?

  /// The time for which a node has emitted nothing.
  package struct Wait: Codable, Hashable, Sendable {
    /// The number of seconds; a lower limit if ``words`` say so.
    package var seconds: Double
    /// Since when, and when the node last received a value, such as "for 3 s, since it was made".
    package var words: String
  }
}

extension Explanation {
  /// Explains what a node did.
  ///
  /// - Parameters:
  ///   - node: A node of the graph.
  ///   - observation: One or two snapshots of the graph. With one, all values count that have ever passed.
  /// - Complexity: O(*n*) in the length of the path upstream.
  package init(of node: Node, in observation: Observation) {
    let isFired = observation.values(of: node) > 0
    var nodes = [node]
    var seen: Set<UInt64> = [node.id]
    var obstacle: Obstacle?
    while let last = nodes.last {
      if !isFired, let found = Obstacle(at: last, in: observation) {
        obstacle = found
        break
      }
      guard let next = Self.next(above: last, isFired: isFired, in: observation), seen.insert(next.id).inserted else {
        break
      }
      nodes.append(next)
    }
    let graph = observation.now
    steps = nodes.enumerated().map { index, node in
      Step(
        node: node.id, title: graph.title(of: node), place: graph.definition(of: node).map { Place($0) },
        role: Role(of: node, in: graph), values: observation.values(of: node), total: node.valueCount,
        state: node.state,
        notes: Self.notes(of: node, after: index + 1 < nodes.count ? nodes[index + 1].id : nil, in: observation))
    }
    let trails = CauseTrail.latest(of: node, in: graph)
    self.trails = trails
    wait = isFired ? nil : Wait(at: obstacle?.node ?? nodes.last?.id ?? node.id, in: observation)
    hasFired = isFired
    self.obstacle = isFired ? nil : obstacle?.node ?? nodes.last?.id
    reason =
      isFired
      ? Self.origin(of: nodes, after: trails.first, in: observation)
      : obstacle?.words ?? "nothing above it has sent a value"
  }

  /// The input to follow: the one that emitted most; if no values arrived, the one that has emitted least in its life.
  private static func next(above node: Node, isFired: Bool, in observation: Observation) -> Node? {
    let edges = observation.now.inputs[node.id] ?? []
    func isSupplied(by edge: Edge) -> Bool {
      observation.now.nodes[edge.source].map { $0.valueCount > 0 || Obstacle.hasValue($0, in: observation.now) } ?? true
    }
    let others = edges.filter { edge in
      switch edge.kind {
      case .sampled: !isFired && !isSupplied(by: edge)
      case .trigger: !isFired
      default: true
      }
    }
    // Values that are stored until another input takes them cause nothing, and stored values are not waited for.
    let inputs = (others.isEmpty ? edges : others).compactMap { observation.now.nodes[$0.source] }
    if isFired { return inputs.max { observation.values(of: $0) < observation.values(of: $1) } }
    if let over = inputs.first(where: { [.finished, .failed].contains($0.state) }), node.state != .live { return over }
    return inputs.min { $0.valueCount < $1.valueCount }
  }

  /// Describes where the values came from.
  private static func origin(of nodes: [Node], after trail: CauseTrail?, in observation: Observation) -> String {
    guard let first = nodes.first, let source = nodes.last else { return "" }
    let graph = observation.now
    let count = observation.values(of: first)
    let values = count == 1 ? "1 value came" : "\(count) values came"
    guard source.id != first.id else {
      let isSentInto = graph.behavior(of: source).contains(.sendsUnasked)
      return isSentInto
        ? "\(values), sent to \(graph.title(of: source)) by the program" : "\(values): they originate here"
    }
    let sources = sources(of: first, in: observation)
    if sources.count > 1 {
      let groups = grouped(sources) { $0.definition }
      let names = groups.prefix(largestSources).map { sources in
        let times = sources.count > 1 ? "\(sources.count) times " : ""
        let sent = sources.reduce(0) { $0 + observation.values(of: $1) }
        let verb = Role(of: sources[0], in: graph).verb
        return "\(times)\(graph.title(of: sources[0]))\(place(of: sources[0], in: graph)) (\(verb) \(sent))"
      }
      let others = groups.dropFirst(largestSources).reduce(0) { $0 + $1.count }
      let more = others > 0 ? ", and \(others) more" : ""
      let last = trail.flatMap { trail in
        trail.hops.last { hop in sources.contains { $0.id == hop.node } }.flatMap { graph.nodes[$0.node] }
      }
      let end = last.map { "; the last from \(graph.title(of: $0))\(place(of: $0, in: graph))" } ?? ""
      return "\(values) from \(names.joined(separator: ", "))\(more)\(end)"
    }
    let sent = observation.values(of: source)
    let verb = Role(of: source, in: graph).verb
    let rest = sent == count ? "" : sent < count ? ", which \(verb) \(sent)" : ", of \(sent) that it \(verb)"
    return "\(values) from \(graph.title(of: source))\(place(of: source, in: graph))\(rest)"
  }

  /// The maximum number of sources to name.
  private static let largestSources = 4

  /// All sources of the values that caused some at a node while the graph was watched, the one that sent most first.
  private static func sources(of node: Node, in observation: Observation) -> [Node] {
    let graph = observation.now
    var seen: Set<UInt64> = [node.id]
    var waiting = [node]
    var found: [Node] = []
    while let next = waiting.popLast() {
      let edges = graph.inputs[next.id] ?? []
      let causing = edges.filter { $0.kind != .sampled && $0.kind != .trigger }
      let active = (causing.isEmpty ? edges : causing).compactMap { graph.nodes[$0.source] }
        .filter { observation.values(of: $0) > 0 }
      if active.isEmpty, next.id != node.id { found.append(next) }
      waiting += active.filter { seen.insert($0.id).inserted }
    }
    return found.sorted { (observation.values(of: $1), $0.id) < (observation.values(of: $0), $1.id) }
  }

  static func place(of node: Node, in graph: GraphView) -> String {
    graph.definition(of: node).map { " at \(graph.words(of: Place($0)))" } ?? ""
  }

  private static func count(_ values: UInt64) -> String { values == 1 ? "1 value" : "\(values) values" }

  private struct NamedKey<Key: Hashable>: Hashable {
    let key: Key
    let name: String?
  }

  /// Groups nodes with the same name and key, in the order of the first node of each group.
  private static func grouped<Key: Hashable>(_ nodes: [Node], by key: (Node) -> Key) -> [[Node]] {
    var places: [NamedKey<Key>: Int] = [:]
    var groups: [[Node]] = []
    for node in nodes {
      let group = NamedKey(key: key(node), name: node.name)
      if let place = places[group] {
        groups[place].append(node)
      } else {
        places[group] = groups.count
        groups.append([node])
      }
    }
    return groups
  }

  /// Notes on the other inputs of a node, one for all inputs of a location.
  private static func inputNotes(of node: Node, after followed: UInt64?, in observation: Observation) -> [String] {
    let graph = observation.now
    var attempts = 0
    let edges = (graph.inputs[node.id] ?? []).filter { edge in
      guard edge.source != followed, let other = graph.nodes[edge.source] else { return false }
      let isAttempt = node.attempts != nil && other.state != .live && edge.kind == .data
      if isAttempt { attempts += 1 }
      return !isAttempt
    }
    let kinds = Dictionary(edges.map { ($0.source, $0.kind) }) { first, _ in first }
    struct Group: Hashable {
      let kind: Edge.Kind?
      let definition: Int
    }
    var notes = grouped(edges.compactMap { graph.nodes[$0.source] }) { node in
      Group(kind: kinds[node.id], definition: node.definition)
    }.map { others -> String in
      let isOne = others.count == 1
      let role =
        switch kinds[others[0].id] {
        case .trigger: isOne ? "its trigger is" : "its \(others.count) triggers are"
        case .inner: isOne ? "an inner signal is" : "\(others.count) inner signals are"
        case .sampled: isOne ? "its sampled input is" : "its \(others.count) sampled inputs are"
        default:
          isOne
            ? followed == nil ? "its input is" : "another input is"
            : followed == nil ? "its \(others.count) inputs are" : "\(others.count) other inputs are"
        }
      let values = others.reduce(0) { $0 + observation.values(of: $1) }
      let total = others.reduce(0) { $0 + $1.valueCount }
      let counted = Role(of: others[0], in: graph).words(values)
      return "\(role) \(graph.title(of: others[0]))\(place(of: others[0], in: graph)): "
        + "\(isOne ? "it" : "they") \(counted), \(total) in all"
    }
    if attempts > 0 { notes.append(attempts == 1 ? "1 attempt has ended" : "\(attempts) attempts have ended") }
    return notes.count > 5 ? notes.prefix(5) + ["and \(notes.count - 5) more inputs"] : notes
  }

  /// Notes on a node: its other inputs, handlers that send to it, its scheduler, and its queue depth.
  private static func notes(of node: Node, after followed: UInt64?, in observation: Observation) -> [String] {
    let graph = observation.now
    var notes = inputNotes(of: node, after: followed, in: observation)
    for edge in graph.feedbackInputs[node.id] ?? [] {
      guard let handler = graph.nodes[edge.source] else { continue }
      // The sends of a binding are counted from its beginning; they belong to the property or emitter that it writes
      // to.
      let isBinding = handler.owner.map { $0.hasPrefix("Property<") || $0.hasPrefix("Emitter<") } ?? false
      let since = isBinding ? "" : " since handlers are profiled"
      notes.append(
        "sent to by the handler\(place(of: handler, in: graph)), \(edge.count == 1 ? "once" : "\(edge.count ?? 0) times")\(since)"
      )
    }
    if let scheduler = node.scheduler {
      let interval = node.interval.map { ", with an interval of \(TimeText.words($0))" } ?? ""
      notes.append("it works on `\(graph.schedulers[scheduler])`\(interval)")
    }
    if let waiting = node.waiting {
      notes.append(waiting == 1 ? "1 value waits in it" : "\(waiting) values wait in it")
    }
    notes += (node.channels ?? []).prefix(3).map { end in
      end.direction == .to ? "goes out to channel `\(end.name)`" : "comes in from channel `\(end.name)`"
    }
    if let demand = node.demand { notes.append(demand.words(at: graph.snapshot.takenAt)) }
    if let value = node.lastValue { notes.append("its last value was \(value)") }
    if let longest = WaitWords.longest(at: node, in: observation) {
      notes.append("values waited up to \(longest) in it")
    }
    if let most = node.memoryLimit, most > 1 {
      let limit = most == UInt64(Int.max) ? "all values" : "at most \(count(most))"
      let held = node.memoryCount.map { ", now \($0)" } ?? ""
      notes.append("it keeps \(limit) for new subscribers\(held)")
    }
    if let dropped = node.dropped {
      let isSource = graph.inputs[node.id] == nil && node.state != .live
      notes.append(isSource ? "\(count(dropped)) came after its end" : "it has dropped \(count(dropped))")
    }
    return notes
  }
}

extension Explanation.Role {
  /// The role of a node.
  init(of node: Node, in graph: GraphView) {
    self =
      if let definition = graph.definition(of: node), definition.isSubscription {
        .subscriber
      } else {
        (graph.inputs[node.id] ?? []).isEmpty ? .source : .operator
      }
  }
}
