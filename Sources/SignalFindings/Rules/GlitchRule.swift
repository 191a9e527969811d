import SignalGraph

/// Joins that give several values for each value of one source, because it reaches them by several ways.
///
/// It takes two snapshots. Looked at are operators that put latest values together. Each of the ways has to have passed every value of the source
/// while it was watched, at least 5, and on the sender's thread: a way that waits, hops or drops values is no fault. The join has to have given about
/// one value for each value of each way, and what is below it must not hold back those between: `debounce` does, and so does a `filter`.
///
/// Where the causes of values are noted, these decide, and not the numbers: one cause came to the join over several of its inputs, and made it emit several
/// times. So it has to have been with at least 2 of the last causes that are kept, and with half of them.
struct GlitchRule: Rule {
  static let name = "glitch"
  static let summary = "a join that gives half-new values, as one source reaches it by several ways"

  /// How many values of the source there have to be.
  var least: UInt64 = 5

  /// How many causes there have to be, where they are noted.
  var leastCauses = 2

  /// Operators that put latest values together, by their kind.
  static let joins: Set = ["allSatisfy", "anySatisfy", "combineLatest", "latestValues"]

  /// Operators that wait until values have settled, by their kind.
  static let settling: Set = [
    "audit", "audit(by:)", "collect", "collect(by:)", "collect(for:on:)", "debounce", "debounce(by:)", "sample(by:)",
    "sample(every:on:)", "throttle", "throttle(by:)",
  ]

  /// Operators that hand each value on where it comes, by their kind: those through which a way may lead.
  static let steady: Set = [
    "allSatisfy", "anySatisfy", "assertNoFailure", "breakpoint", "catch", "changes", "combineLatest", "combined",
    "compactMap", "compacted", "drop(untilOutputFrom:)", "drop(while:)", "dropFirst", "emitter", "enumerated", "filter",
    "handle", "ifEmpty", "latestValues", "log", "map", "mapError", "materialize", "measureInterval", "merge",
    "multicast", "pairwise", "prefix", "prefix(duringLifetimeOf:)", "prefix(untilOutputFrom:)", "prefix(while:)",
    "prepend", "print", "property", "removeDuplicates", "replaceEmpty", "replaceError", "scan", "share", "timestamp",
    "whileAlive", "withLatest(from:)",
  ]

  /// A join, the source that reaches it by several ways, and what passed meanwhile.
  private struct Meeting {
    let join: Node
    let source: Node
    let ways: Int
    let given: UInt64
    let caused: UInt64
    /// Whether the causes of the values tell so.
    var isExact = false

    var words: String {
      isExact
        ? "one value of it gave \(given) here, of each of the last \(caused)"
        : "its \(caused) values gave \(given)"
    }
  }

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let meetings = graph.snapshot.nodes.compactMap { node -> Meeting? in
      guard let kind = graph.definition(of: node)?.kind, Self.joins.contains(kind), node.state == .live else {
        return nil
      }
      if node.causes != nil { return exactMeeting(at: node, in: graph) }
      return observation.hasStayed(node) ? meeting(at: node, in: observation) : nil
    }
    return Dictionary(grouping: meetings, by: \.join.definition).compactMap { number, meetings -> Finding? in
      guard let definition = graph.definitions[number], let first = meetings.first else { return nil }
      let source = graph.title(of: first.source)
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "\(source) reaches this `\(definition.kind)` by \(first.ways) ways, so \(first.words): "
          + "between them a new value stands beside an old one",
        remedy:
          "take all from one signal, with one `map` to a tuple; join properties with `combined(with:)`; "
          + "use `zip` where each value reaches every way once; or let only the last one through with `debounce(for: .zero, on:)`",
        related: graph.definition(of: first.source).map { [.init("\(source) is here", at: Place($0))] } ?? [],
        nodes: meetings.map(\.join.id))
    }.sorted { $0.place < $1.place }
  }

  /// The nearest source that reaches a join by several ways, if the causes of its values show that.
  private func exactMeeting(at join: Node, in graph: GraphView) -> Meeting? {
    let times = Dictionary((join.causes ?? []).map { ($0.number, 1) }, uniquingKeysWith: +)
    let inputs = (graph.inputs[join.id] ?? []).filter { $0.kind == .data }.compactMap { graph.nodes[$0.source] }
    // What is written twice has one node for both: `signal.combineLatest(signal)`.
    let repeated = times.filter { number, count in
      count >= 2 && inputs.count { $0.causes?.contains { $0.number == number } == true } >= 2
    }
    guard repeated.count >= leastCauses, repeated.count * 2 >= times.count,
      !isSettled(repeated, below: join, in: graph),
      let nearest = nearest(of: inputs.map { distances(from: $0, in: graph) }, in: graph)
    else { return nil }
    return Meeting(
      join: join, source: nearest.source, ways: nearest.ways, given: UInt64(repeated.values.max() ?? 0),
      caused: UInt64(repeated.count), isExact: true)
  }

  /// Whether nobody below a node gets several values of one of these causes.
  private func isSettled(_ causes: [UInt64: Int], below node: Node, in graph: GraphView) -> Bool {
    isSettled(below: node, in: graph) { next in
      !causes.keys.contains { number in (next.causes ?? []).count { $0.number == number } >= 2 }
    }
  }

  /// How far the nodes are from one to which values come without waiting, by `id`.
  private func distances(from first: Node, in graph: GraphView) -> [UInt64: Int] {
    var distances: [UInt64: Int] = [first.id: 0]
    var next = [first]
    while let node = next.popLast() {
      guard let kind = graph.definition(of: node)?.kind, Self.steady.contains(kind) else { continue }
      for edge in graph.inputs[node.id] ?? [] where edge.kind == .data && distances[edge.source] == nil {
        guard let source = graph.nodes[edge.source] else { continue }
        distances[source.id] = (distances[node.id] ?? 0) + 1
        next.append(source)
      }
    }
    return distances
  }

  /// The node that is on most of several ways, and of these the one that is nearest.
  private func nearest(of ways: [[UInt64: Int]], in graph: GraphView) -> (source: Node, ways: Int)? {
    var best: (source: Node, distance: Int, ways: Int)?
    for identifier in Set(ways.flatMap(\.keys)).sorted() {
      let distances = ways.compactMap { $0[identifier] }
      guard distances.count >= 2, let source = graph.nodes[identifier] else { continue }
      let distance = distances.reduce(0, +)
      if best.map({ distance < $0.distance || distances.count > $0.ways }) ?? true {
        best = (source, distance, distances.count)
      }
    }
    return best.map { ($0.source, $0.ways) }
  }

  /// The nearest source that reaches a join by several ways, if that shows.
  private func meeting(at join: Node, in observation: Observation) -> Meeting? {
    let graph = observation.now
    let given = observation.values(of: join)
    guard given >= 2 * least else { return nil }
    let inputs = (graph.inputs[join.id] ?? []).filter { $0.kind == .data }
    let ways = inputs.compactMap { graph.nodes[$0.source] }.map { steadyDistances(from: $0, in: observation) }
    guard let best = nearest(of: ways, in: graph) else { return nil }
    let caused = observation.values(of: best.source)
    let expected = caused * UInt64(best.ways)
    guard caused >= least, given + UInt64(best.ways) * slack(caused) >= expected,
      !isSettled(below: join, atMost: caused, in: observation)
    else { return nil }
    return Meeting(join: join, source: best.source, ways: best.ways, given: given, caused: caused)
  }

  /// Whether nobody below a node gets more than so many values.
  func isSettled(below node: Node, atMost caused: UInt64, in observation: Observation) -> Bool {
    isSettled(below: node, in: observation.now) { observation.values(of: $0) <= caused + slack(caused) }
  }

  /// Whether everybody below a node gets what is right by itself, or settled values.
  private func isSettled(below node: Node, in graph: GraphView, _ isRight: (Node) -> Bool) -> Bool {
    var queue = [node]
    var seen: Set<UInt64> = [node.id]
    while let node = queue.popLast() {
      let outputs = (graph.outputs[node.id] ?? []).compactMap { graph.nodes[$0.target] }
      guard !outputs.isEmpty else { return false }
      for next in outputs where seen.insert(next.id).inserted {
        guard let kind = graph.definition(of: next)?.kind else { return false }
        if Self.settling.contains(kind) { continue }
        guard Self.steady.contains(kind) else { return false }
        if !isRight(next) { queue.append(next) }
      }
    }
    return true
  }

  /// How far the nodes are from one through which all of their values came, by `id`.
  private func steadyDistances(from first: Node, in observation: Observation) -> [UInt64: Int] {
    let graph = observation.now
    let count = observation.values(of: first)
    guard count >= least else { return [:] }
    func passedTheSame(_ node: Node) -> Bool {
      let other = observation.values(of: node)
      return max(other, count) - min(other, count) <= slack(count)
    }
    var distances: [UInt64: Int] = [first.id: 0]
    var next = [first]
    while let node = next.popLast() {
      // What is only kept causes nothing.
      let inputs = (graph.inputs[node.id] ?? []).filter { $0.kind != .sampled }
      guard let kind = graph.definition(of: node)?.kind, Self.steady.contains(kind) else { continue }
      let sources = inputs.compactMap { graph.nodes[$0.source] }.filter { observation.values(of: $0) > 0 }
      // Where several inputs gave values, those that came out may be of any.
      guard sources.count == 1, let source = sources.first,
        inputs.contains(where: { $0.source == source.id && $0.kind == .data }),
        passedTheSame(source), distances[source.id] == nil
      else { continue }
      distances[source.id] = (distances[node.id] ?? 0) + 1
      next.append(source)
    }
    return distances
  }

  /// By how much numbers may differ that are read one after the other while values pass.
  private func slack(_ count: UInt64) -> UInt64 { 1 + count / 100 }
}
