import SignalGraph

/// Places in the source code of which more and more subscriptions live.
///
/// It takes two snapshots. A place has grown when at least 5 subscriptions more live than before, none of those that lived before has ended, and
/// at least a fifth more live; or, where no subscription made there has ever ended, at least 20 live. In real time they have to have come in at least
/// three of five equal parts of the time, one of the last two among them: what comes all at once is a list that was opened, and one that rests is complete. Where no subscription has ever ended, 5 that live are
/// enough if they came at even distances, the last two while it was watched. Subscribers count, and the lowest operators of inner signals, as in
/// `flatMap`; not the operators above them. A shared signal counts that goes on although it has no subscriber.
///
/// A source that remembers all its values, without a limit, has grown when it keeps 1,000 and 100 came meanwhile.
struct GrowthRule: Rule {
  static let name = "growth"
  static let summary = "a place of which more and more subscriptions live"

  /// How many subscriptions more there have to be.
  var least = 5
  /// What part more, of those that lived before.
  var part = 0.2
  /// In how many of five equal parts of the time some have to have come.
  var leastParts = 3
  /// Above how many values a memory counts as one without a limit, and how many it must keep.
  var largestMemory: UInt64 = 1_000_000
  var leastInMemory: UInt64 = 1_000
  /// How many have to live, where none has ever ended.
  var leastOfEndless = 20

  /// Of nodes of one place, which are alike, so many are looked at more closely: chains may be as deep as there are nodes.
  private static let sampleCount = 50

  func findings(in observation: Observation) -> [Finding] {
    (subscriptions(in: observation) + memories(in: observation)).sorted { $0.place < $1.place }
  }

  /// Sources that keep all their values.
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
          "\(graph.title(of: node)) remembers \(count) values without a limit, \(count - earlier) more than \(Self.text(observation.seconds)) before",
        remedy: "remember so many as late subscribers need, such as with `replay: 1`", nodes: [node.id])
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
      // Where some of the old ones ended, they come and go.
      guard definition.isReported == true || nodes.contains(where: { graph.inputs[$0.id] != nil }),
        old.allSatisfy({ graph.nodes[$0.id]?.state == .live })
      else { return nil }
      // Who does not say what operators do cannot tell inner signals that end by themselves.
      if graph.hasUnknownBehavior, nodes.contains(where: { graph.outputs[$0.id] != nil }) { return nil }
      // Inner signals that end by themselves may be many until the first has ended.
      if definition.ends == nil, nodes.prefix(Self.sampleCount).contains(where: { graph.isBounded(above: $0) }),
        nodes.allSatisfy({ graph.snapshot.takenAt - ($0.since ?? 0) < 60 })
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
          "\(nodes.count) \(areShared ? "shared signals" : Self.word(definition, areInner: place != nil)) made here \(areShared ? "go on without a subscriber" : "are alive"), "
          + "\(Self.increase(of: grown, in: observation.seconds)), and none has ended",
        remedy: areShared
          ? "let each end with its last subscriber, without `keepsRunning: true`; or keep and reuse a few of them"
          : Self.remedyForOwners(of: nodes)
            ?? (nodes.prefix(Self.sampleCount).contains { isOfGroup($0, in: graph) }
              ? "let groups that are over end, with `timeout:` or `limit:` of `grouped`"
              : Self.remedy(definition, areInner: place != nil)),
        related: areShared ? [] : place.map { [.init("this `\($0.kind)` keeps them", at: Place($0))] } ?? [],
        nodes: nodes.map(\.id))
    }.sorted { $0.place < $1.place }
  }

  /// Whether a node is a shared signal that goes on although its subscribers have left.
  private static func isUnusedShare(_ node: Node, in graph: GraphView) -> Bool {
    guard node.since == nil, let edge = graph.mainInput(of: node.id), graph.nodes[edge.source]?.state == .live,
      !graph.behavior(of: node).contains(.sendsUnasked)
    else { return false }
    return (graph.outputs[node.id] ?? []).allSatisfy { graph.nodes[$0.target]?.state != .live }
  }

  /// Whether a node delivers to an operator that merges the signals of groups.
  private func isOfGroup(_ node: Node, in graph: GraphView) -> Bool {
    guard let edge = graph.outputs[node.id]?.first, let flattening = graph.nodes[edge.target] else { return false }
    var (current, seen) = (flattening, Set([flattening.id]))
    while seen.count < GraphView.largestWay, let edge = graph.mainInput(of: current.id),
      let next = graph.nodes[edge.source], seen.insert(next.id).inserted
    {
      if graph.behavior(of: next).contains(.groups) { return true }
      current = next
    }
    return false
  }

  private static func word(_ definition: Definition, areInner: Bool) -> String {
    if definition.isReported == true { return "of `\(definition.kind)`" }
    return areInner ? "inner signals" : definition.isLoop == true ? "loops" : "subscriptions"
  }

  /// What to do where each subscription belongs to an object of its own, and so ends with it; nil elsewhere.
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
      return "end each of them with what it is for: leave its loop, cancel its task, or let go of it"
    }
    if areInner { return "end each of them, or let the next one take its place, with `flatMapLatest`" }
    return definition.isLoop == true
      ? "cancel the task of each loop when what it is for ends; a task that holds an object keeps it until then"
      : "dispose the earlier one before making the next, or keep them in a `DisposeBag` that ends with what they are for; "
        + "a handler that captures `self` may prevent that end"
  }

  /// How much more there is. Without a time that says something there is no rate.
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
