import SignalGraph

/// Shared signals that restart their source repeatedly, because the only subscriber leaves each time before the source
/// ends.
///
/// Two snapshots are needed. The shared signal must be created in an initializer, so that it is retained. At most one
/// instance of it may be alive in each snapshot, with at most one subscriber. Between the snapshots, the operator above
/// it must have been disposed at least 10 times, and at least twice as often as it finished or failed. Its chain must
/// begin at a source that starts work for each subscription.
struct RestartedShare {
  private let observation: Observation
  private var graph: GraphView { observation.now }
  /// The minimum number of disposals of the operator above it in the interval.
  private let least: UInt64 = 10

  init(in observation: Observation) { self.observation = observation }

  func findings(_ rule: String) -> [Finding] {
    guard let before = observation.before else { return [] }
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      let nodes = graph.nodesByDefinition[definition.id, default: []]
      guard let node = nodes.last(where: { $0.since == nil && graph.inputs[$0.id] != nil }),
        definition.function.hasPrefix("init("), !graph.behavior(of: node).contains(.sendsUnasked),
        [graph, before].allSatisfy({ hasOneUser(definition.id, in: $0) }), let edge = graph.mainInput(of: node.id),
        let top = graph.nodes[edge.source]
      else { return nil }
      let source = graph.origin(of: node)
      let left = ends(top.definition, \.disposed)
      guard graph.behavior(of: source).contains(.startsWork), left >= least,
        left >= 2 * (ends(top.definition, \.finished) + ends(top.definition, \.failed))
      else { return nil }
      return Finding(
        rule: rule, severity: .warning, place: Place(definition),
        message:
          "this `\(definition.kind)` restarted its source \(left) times in \(GrowthRule.text(observation.seconds)), because its only subscriber left each time",
        remedy:
          "keep one subscription while the source must run, or let it run without subscribers, with `share(keepsRunning: true)`",
        related: graph.definitions[source.definition].map {
          [.init("\(graph.title(of: source)) is restarted", at: Place($0))]
        } ?? [],
        nodes: nodes.map(\.id))
    }
  }

  /// Whether at most one node of a definition is alive, with at most one subscriber, and none is an inner signal.
  private func hasOneUser(_ definition: Int, in view: GraphView) -> Bool {
    let nodes = view.nodesByDefinition[definition, default: []]
    let outputs = nodes.flatMap { view.outputs[$0.id] ?? [] }
    return nodes.count(where: { $0.state == .live }) <= 1
      && outputs.count(where: { view.nodes[$0.target]?.state == .live }) <= 1
      && outputs.allSatisfy { $0.kind != .inner }
  }

  /// The number of subscriptions of a definition that ended in a given way while the graph was watched.
  private func ends(_ definition: Int, _ way: KeyPath<EndCounts, UInt64>) -> UInt64 {
    let now = graph.definitions[definition]?.ends?[keyPath: way] ?? 0
    let earlier = observation.before?.definitions[definition]?.ends?[keyPath: way] ?? 0
    return now - min(now, earlier)
  }
}
