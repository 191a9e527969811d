import SignalGraph

/// Source locations with more and more live subscriptions.
///
/// Two snapshots are needed. A location has grown if at least 5 more subscriptions are alive than before, none of the
/// earlier ones has ended, and at least a fifth more are alive. If no subscription of the location has ever ended, at
/// least 20 live ones suffice instead of a fifth. In real time, subscriptions must have been created in at least three
/// of five equal parts of the watch, one of the last two among them: many at once are a list that was opened, and a
/// list that has stopped growing is complete. If no subscription of the location has ever ended, 5 live ones are enough
/// if they were created at even intervals, the last two while the graph was watched. Subscribers count, and the lowest
/// operators of inner signals, as in `flatMap`; the operators above them do not. A shared signal counts if it keeps
/// running without a subscriber.
///
/// A source that stores all its values without a limit has grown if it stores 1,000, at least 100 of them from the
/// interval.
struct GrowthRule: Rule {
  static let name = "growth"
  static let summary = "a place of which more and more subscriptions live"

  /// The minimum increase of live subscriptions.
  var least = 5
  /// The minimum increase as a share of the earlier ones.
  var part = 0.2
  /// The minimum number of the five equal parts of the watch in which subscriptions were created.
  var leastParts = 3
  /// The limit from which a memory counts as unlimited, and the minimum number of values that it stores.
  var largestMemory: UInt64 = 1_000_000
  var leastInMemory: UInt64 = 1_000
  /// The minimum number of live subscriptions, if none has ever ended.
  var leastOfEndless = 20

  /// The number of similar nodes of one location that are inspected in detail: chains may be as deep as the graph has
  /// nodes.
  private static let sampleCount = 50
  /// The age below which inner signals that end by themselves, and programs, are young, in seconds.
  private static let shortLife = 60.0

  func findings(in observation: Observation) -> [Finding] {
    (subscriptions(in: observation) + memories(in: observation)).sorted { $0.place < $1.place }
  }

  /// Sources that store all their values.
  private func memories(in observation: Observation) -> [Finding] {
    guard let before = observation.before, observation.time == .real else { return [] }
    let graph = observation.now
    return graph.snapshot.nodes.compactMap { node -> Finding? in
      guard node.state == .live, node.memoryLimit ?? 0 > largestMemory, let count = node.memoryCount,
        count >= leastInMemory, let earlier = before.nodes[node.id]?.memoryCount, count - min(count, earlier) >= 100,
        let definition = graph.definition(of: node)
      else { return nil }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "\(graph.title(of: node)) stores \(count) values without a limit, \(count - earlier) more than \(Self.text(observation.seconds)) before",
        remedy: "store only as many as late subscribers need, such as with `replay: 1`", nodes: [node.id])
    }
  }

  private func subscriptions(in observation: Observation) -> [Finding] {
    guard let before = observation.before else { return [] }
    let graph = observation.now
    let earlier = Dictionary(grouping: before.snapshot.nodes.filter { $0.state == .live }, by: \.definition)
    let alive = Dictionary(
      grouping: graph.snapshot.nodes.filter { node in
        node.state == .live
          && (Self.isUnusedShare(node, in: graph) || (graph.outputs[node.id] ?? []).allSatisfy { $0.kind == .inner })
      },
      by: \.definition)
    return alive.compactMap { number, nodes -> Finding? in
      guard let definition = graph.definitions[number] else { return nil }
      let old = earlier[number] ?? []
      let grown = nodes.count - old.count
      // If some of the earlier ones ended, subscriptions come and go.
      guard definition.isReported == true || nodes.contains(where: { graph.inputs[$0.id] != nil }),
        old.allSatisfy({ graph.nodes[$0.id]?.state == .live })
      else { return nil }
      // Without the behaviour of operators, inner signals that end by themselves cannot be distinguished.
      if graph.hasUnknownBehavior, nodes.contains(where: { graph.outputs[$0.id] != nil }) { return nil }
      let sample = nodes.prefix(Self.sampleCount)
      let group = sample.lazy.compactMap { Self.group(of: $0, in: graph) }.first
      // Inner signals that end by themselves may be many until the first has ended.
      if definition.ends == nil, group?.interval != nil || sample.contains(where: { graph.isBounded(above: $0) }),
        nodes.allSatisfy({ graph.age(of: $0) < max(Self.shortLife, 2 * (group?.interval ?? 0)) })
      {
        return nil
      }
      let pace = GrowthPace(nodes, in: observation)
      let isEndless = definition.ends == nil
      let isMuch =
        grown >= least && (pace?.isSteady(inParts: leastParts) ?? true)
        && (isEndless && nodes.count >= leastOfEndless || Double(grown) >= part * Double(old.count))
      guard isMuch || isEndless && grown > 0 && pace?.isEven(with: least) == true else { return nil }
      let areShared = nodes.allSatisfy { Self.isUnusedShare($0, in: graph) }
      let flattening = nodes.lazy.compactMap { graph.outputs[$0.id]?.first.flatMap { graph.nodes[$0.target] } }.first
      let place = flattening.flatMap { graph.definition(of: $0) }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "\(nodes.count) \(areShared ? "shared signals" : Self.word(definition, areInner: place != nil)) made here \(areShared ? "keep running without a subscriber" : "are alive"), "
          + "\(Self.increase(of: grown, in: observation.seconds)), and none has ended",
        remedy: areShared
          ? "let each end with its last subscriber, without `keepsRunning: true`; or keep and reuse a few of them"
          : (Self.remedyForOwners(of: nodes) ?? group.map(Self.remedy(group:))
            ?? Self.remedy(definition, areInner: place != nil)) + Self.doubt(about: nodes, in: observation),
        related: areShared ? [] : place.map { [.init("this `\($0.kind)` retains them", at: Place($0))] } ?? [],
        nodes: nodes.map(\.id))
    }.sorted { $0.place < $1.place }
  }

  /// Whether a node is a shared signal that keeps running after its subscribers have left.
  private static func isUnusedShare(_ node: Node, in graph: GraphView) -> Bool {
    guard node.since == nil, let edge = graph.mainInput(of: node.id), graph.nodes[edge.source]?.state == .live,
      !graph.behavior(of: node).contains(.sendsUnasked)
    else { return false }
    return (graph.outputs[node.id] ?? []).allSatisfy { graph.nodes[$0.target]?.state != .live }
  }

  /// The `grouped` whose groups are merged by the operator that a node delivers to; nil if there is none.
  private static func group(of node: Node, in graph: GraphView) -> Node? {
    guard let edge = graph.outputs[node.id]?.first, let flattening = graph.nodes[edge.target] else { return nil }
    var (current, seen) = (flattening, Set([flattening.id]))
    while seen.count < GraphView.longestPath, let edge = graph.mainInput(of: current.id),
      let next = graph.nodes[edge.source], seen.insert(next.id).inserted
    {
      if graph.behavior(of: next).contains(.groups) { return next }
      current = next
    }
    return nil
  }

  private static func remedy(group: Node) -> String {
    group.interval == nil
      ? "end idle groups, with `timeout:` or `limit:` of `grouped`"
      : "end groups earlier, with a shorter `timeout:` or with `limit:` of `grouped`"
  }

  /// The end of a remedy for subscriptions that are all young because the program is.
  private static func doubt(about nodes: [Node], in observation: Observation) -> String {
    let snapshot = observation.now.snapshot
    guard observation.time == .real, snapshot.takenAt - snapshot.process.startedAt < shortLife,
      nodes.allSatisfy({ $0.since ?? 0 >= snapshot.process.startedAt })
    else { return "" }
    return "; if each is meant to live longer than this program has run, check again later"
  }

  private static func word(_ definition: Definition, areInner: Bool) -> String {
    if definition.isReported == true { return "of `\(definition.kind)`" }
    return areInner ? "inner signals" : definition.isLoop == true ? "loops" : "subscriptions"
  }

  /// The remedy if each subscription belongs to an object of its own, and ends with it; nil otherwise.
  private static func remedyForOwners(of nodes: [Node]) -> String? {
    let owners = Set(nodes.compactMap(\.ownerID))
    guard owners.count == nodes.count, let name = nodes.first?.owner, nodes.allSatisfy({ $0.owner == name }) else {
      return nil
    }
    return
      "find what retains the \(owners.count) `\(name)` objects, such as a closure that captures `self`: each of "
      + "them has one of the subscriptions, which ends with it"
  }

  private static func remedy(_ definition: Definition, areInner: Bool) -> String {
    if definition.isReported == true {
      return "end each of them when it is no longer needed: leave its loop, cancel its task, or release it"
    }
    if areInner { return "end each of them, or replace it by the next one, with `flatMapLatest`" }
    return definition.isLoop == true
      ? "cancel the task of each loop when the loop is no longer needed; until then, the task retains the objects that it captures"
      : "dispose the earlier one before making the next, or keep them in a `DisposeBag` that ends with what they are for; "
        + "a handler that captures `self` may prevent that end"
  }

  /// Describes the increase. If the time means nothing, there is no rate.
  private static func increase(of count: Int, in seconds: Double) -> String {
    guard seconds > 0 else { return "\(count) of them made during the test" }
    let perMinute = Int((Double(count) / seconds * 60).rounded())
    return "\(count) more than \(text(seconds)) before (\(perMinute) a minute)"
  }

  static func text(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
