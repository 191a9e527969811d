import SignalGraph

/// Signals that are subscribed to repeatedly after failures, many times a second.
///
/// Two snapshots at least a second apart are needed. A `retry` must be directly below the operators of the retried
/// signal. Their subscriptions must have failed at least 10 times a second in the interval, on average over all
/// instances of this `retry` that were live in it.
///
/// A `repeat` is reported if its upstream finished 100 times a second.
///
/// A `catch` whose replacement contains the same `catch` is such a retry too, if 10 a second were nested in the
/// interval.
struct RetryStormRule: Rule {
  static let name = "retry-storm"
  static let summary = "a `retry` that tries many times a second"

  /// The minimum interval between the snapshots, in seconds.
  var watched = 1.0
  /// The minimum rate of failures, in failures a second.
  var rate = 10.0
  /// The minimum rate of regular ends below a `repeat`, in ends a second: fast requests may be repeated often.
  var repetitionRate = 100.0

  func findings(in observation: Observation) -> [Finding] {
    guard let before = observation.before, observation.seconds >= watched else { return [] }
    let graph = observation.now
    let failing = graph.snapshot.definitions.filter { definition in
      (definition.ends?.failed ?? 0) > (before.definitions[definition.id]?.ends?.failed ?? 0)
    }
    var retries: [Int: Definition] = [:]
    for definition in failing {
      for view in [before, graph] where retries[definition.id] == nil {
        let nodes = view.nodesByDefinition[definition.id, default: []]
        retries[definition.id] = nodes.lazy.compactMap { retry(below: $0, in: view) }.first
      }
    }
    let found = failing.compactMap { definition -> Finding? in
      guard let retry = retries[definition.id], let ends = definition.ends else { return nil }
      let earlier = before.definitions[definition.id]?.ends?.failed ?? 0
      // Many attempts are no storm if each waits long enough.
      let alive = [before, graph].map { view in
        view.nodesByDefinition[retry.id, default: []].count { $0.state == .live }
      }
      // Those of requests may live for a moment only, between the snapshots.
      let counts = [before, graph].map { view in
        UInt64(view.nodesByDefinition[retry.id, default: []].count) + (view.definitions[retry.id]?.gone?.nodes ?? 0)
      }
      let created = Int(clamping: counts[1] - min(counts[0], counts[1]))
      let instances = max(1, alive[1], alive[0] + created)
      let perSecond = Double(ends.failed - earlier) / observation.seconds / Double(instances)
      guard perSecond >= rate else { return nil }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(retry),
        message:
          "this `\(retry.kind)` tried \(ends.failed - earlier) times in \(GrowthRule.text(observation.seconds)), "
          + "because its upstream fails repeatedly",
        remedy: "wait between attempts, and longer each time, with `retry(after:on:)`; or limit them with `retry(3)`",
        related: [Self.failed(definition, in: graph)],
        nodes: graph.nodesByDefinition[retry.id, default: []].filter { $0.state == .live }.map(\.id))
    }
    return (found + recursions(in: observation, since: before) + repetitions(in: observation, since: before))
      .sorted { $0.place < $1.place }
  }

  /// Names the node that failed above the nodes of a definition, or one of these nodes.
  private static func failed(_ definition: Definition, in graph: GraphView) -> Finding.Related {
    let node = graph.nodesByDefinition[definition.id, default: []].last { $0.state == .failed }
    let thrower = node.flatMap { graph.thrower(above: $0) }.flatMap { graph.definition(of: $0) } ?? definition
    return .init("this `\(thrower.kind)` failed", at: Place(thrower))
  }

  /// Each `repeat` whose upstream ends repeatedly.
  private func repetitions(in observation: Observation, since before: GraphView) -> [Finding] {
    let graph = observation.now
    return graph.snapshot.nodes.compactMap { node -> Finding? in
      guard graph.behavior(of: node).contains(.repeatsAfterEnd), observation.hasStayed(node),
        graph.nodesByDefinition[node.definition]?.count(where: { $0.state == .live }) == 1,
        let definition = graph.definition(of: node),
        let above = [graph, before].lazy.compactMap({ view in
          view.mainInput(of: node.id).flatMap { view.nodes[$0.source] }
        }).first
      else { return nil }
      let ends = graph.definitions[above.definition]?.ends?.finished ?? 0
      let made = ends - min(ends, before.definitions[above.definition]?.ends?.finished ?? 0)
      guard Double(made) >= repetitionRate * observation.seconds else { return nil }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "this `\(definition.kind)` subscribed \(made) times in \(GrowthRule.text(observation.seconds)), because its upstream ends at once",
        remedy: "wait between repetitions, with `repeat(after:on:)`; or find out why it ends at once",
        related: graph.definition(of: above).map { [.init("this `\($0.kind)` ended", at: Place($0))] } ?? [],
        nodes: [node.id])
    }
  }

  /// Each `catch` that replaces a failure by itself.
  private func recursions(in observation: Observation, since before: GraphView) -> [Finding] {
    let graph = observation.now
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard definition.behavior?.contains(.replacesFailure) == true else { return nil }
      let nested = Self.nested(definition, in: graph)
      let made = nested.count - Self.nested(definition, in: before).count
      guard Double(made) >= rate * observation.seconds else { return nil }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "this `\(definition.kind)` replaced a failure by the same signal again \(made) times in \(GrowthRule.text(observation.seconds)), and "
          + "\(nested.count) are nested",
        remedy: "use `retry(after:on:)`, which waits between attempts, and keeps one subscription",
        nodes: nested.map(\.id))
    }
  }

  /// The live nodes of a definition that deliver to another node of it.
  private static func nested(_ definition: Definition, in graph: GraphView) -> [Node] {
    graph.nodesByDefinition[definition.id, default: []].filter { node in
      node.state == .live
        && (graph.outputs[node.id] ?? []).contains { graph.nodes[$0.target]?.definition == definition.id }
    }
  }

  /// The `retry` directly below a node.
  private func retry(below node: Node, in view: GraphView) -> Definition? {
    (view.outputs[node.id] ?? []).lazy.compactMap { view.nodes[$0.target].flatMap { view.definition(of: $0) } }
      .first { $0.behavior?.contains(.repeatsAfterFailure) == true }
  }
}
