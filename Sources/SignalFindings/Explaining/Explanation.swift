package import SignalGraph

/// Why values came to a node while its graph was watched, or why none came: the way up from it, and where values stop.
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
  /// A node on the way.
  package struct Step: Codable, Hashable, Sendable {
    /// The node's `id` in the snapshot.
    package var node: UInt64
    /// What it is called, such as "`map`".
    package var title: String
    /// Where it is written; `nil` in a snapshot that does not say.
    package var place: Place?
    /// What it did with the values that are counted: a source sent them, an operator gave them, a subscriber got them.
    package var role: Role
    /// How many values passed it while it was watched.
    package var values: UInt64
    /// How many values have passed it in all.
    package var total: UInt64
    /// Where it is in its life.
    package var state: Node.State
    /// What is to be said of it, such as what else feeds it.
    package var notes: [String]
  }

  /// What a node does with values.
  package enum Role: String, Codable, Hashable, Sendable, CaseIterable {
    /// It sends them: nothing is above it.
    case source
    /// It gives what it makes of those that come to it.
    case `operator`
    /// It gets them, and hands them to nobody.
    case subscriber

    /// Such as "sent 3 values"; nothing else says what a number counts.
    ///
    /// - Parameter count: How many values.
    /// - Returns: The words.
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

  /// Whether values came while the graph was watched; or ever, where it was not.
  package var hasFired: Bool
  /// One sentence: where the values came from, or where they stop and what is waited for.
  package var reason: String
  /// The node at which values stop, if none came.
  package var obstacle: UInt64?
  /// The nodes from the one that was asked for up to a source, as far as they matter.
  package var steps: [Step]
  /// How the last values came to the node, the latest first, if that was noted.
  package var trails: [CauseTrail]
  /// For how long values have stopped, and what is known of that, if none came.
  package var wait: Wait?

  /// For how long something has been waited for.
  package struct Wait: Codable, Hashable, Sendable {
    /// For how many seconds; at least, if that is what ``words`` say.
    package var seconds: Double
    /// Since when, and when the last value came to the node at which they stop, such as "for 3 s, since it was made".
    package var words: String
  }
}

extension Explanation {
  /// Explains what a node did.
  ///
  /// - Parameters:
  ///   - node: A node of the graph.
  ///   - observation: One or two snapshots of the graph. With one, all values count that have ever passed.
  /// - Complexity: O(*n*) in the length of the way up.
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

  /// The input to follow: of those that gave something the one that gave most; where nothing came, the one that has given least in its life.
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
    // What is only kept until another input asks for it causes nothing, and what is kept is not waited for.
    let inputs = (others.isEmpty ? edges : others).compactMap { observation.now.nodes[$0.source] }
    if isFired { return inputs.max { observation.values(of: $0) < observation.values(of: $1) } }
    if let over = inputs.first(where: { [.finished, .failed].contains($0.state) }), node.state != .live { return over }
    return inputs.min { $0.valueCount < $1.valueCount }
  }

  /// Where the values came from.
  private static func origin(of nodes: [Node], after trail: CauseTrail?, in observation: Observation) -> String {
    guard let first = nodes.first, let source = nodes.last else { return "" }
    let graph = observation.now
    let count = observation.values(of: first)
    let values = count == 1 ? "1 value came" : "\(count) values came"
    guard source.id != first.id else {
      let isSentInto = graph.behavior(of: source).contains(.sendsUnasked)
      return isSentInto
        ? "\(values), sent by whoever holds \(graph.title(of: source))" : "\(values): it is where they begin"
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

  /// How many sources are named.
  private static let largestSources = 4

  /// All from which values came meanwhile that cause some at a node: the one that sent most first.
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

  /// Nodes with one title and key together, in the order of the first of each.
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

  /// What else feeds a node: of those that are written at one place all together.
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
        case .sampled: isOne ? "what it samples is" : "the \(others.count) that it samples are"
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

  /// What else feeds a node, which handlers send to it, what it works on, and what waits in it.
  private static func notes(of node: Node, after followed: UInt64?, in observation: Observation) -> [String] {
    let graph = observation.now
    var notes = inputNotes(of: node, after: followed, in: observation)
    for edge in graph.feedbackInputs[node.id] ?? [] {
      guard let handler = graph.nodes[edge.source] else { continue }
      // What a binding sends is counted from its beginning; it belongs to what it writes into.
      let isBinding = handler.owner.map { $0.hasPrefix("Property<") || $0.hasPrefix("Emitter<") } ?? false
      let since = isBinding ? "" : " since handlers are traced"
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
    if let most = node.memoryLimit {
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
  /// What a node of a graph does.
  init(of node: Node, in graph: GraphView) {
    self =
      if let definition = graph.definition(of: node), definition.isSubscription {
        .subscriber
      } else {
        (graph.inputs[node.id] ?? []).isEmpty ? .source : .operator
      }
  }
}
