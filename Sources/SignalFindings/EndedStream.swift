import SignalGraph

/// Subscriptions that a replacement has ended, while the source goes on sending to nobody there.
struct EndedStream {
  private let observation: Observation
  private let least: UInt64
  private var graph: GraphView { observation.now }

  /// - Parameter least: How many values must have come before, and while the graph was watched since.
  init(in observation: Observation, least: UInt64) {
    self.observation = observation
    self.least = least
  }

  /// A finding for each location of nodes that have finished such a subscription.
  ///
  /// - Parameters:
  ///   - endsAlone: Whether these nodes end only by their own decision, and otherwise with what is above them.
  ///   - words: What such a node has done; nil for other nodes.
  func findings(
    _ rule: String, _ remedy: String, endingAlone endsAlone: Bool, _ words: (Node, Definition) -> String?
  ) -> [Finding] {
    let ended = graph.snapshot.nodes.compactMap { node -> (node: Node, definition: Definition, words: String)? in
      guard let definition = graph.definition(of: node), let words = words(node, definition),
        contains(node, endingAlone: endsAlone)
      else { return nil }
      return (node, definition, words)
    }
    return Dictionary(grouping: ended, by: \.definition.id).values.map { ended in
      let source = graph.origin(of: ended[0].node)
      let title = graph.title(of: source)
      return Finding(
        rule: rule, severity: .warning, place: Place(ended[0].definition),
        message: "\(ended[0].words), which ended the subscription; \(title) goes on: "
          + "\(observation.values(of: source)) values came since that nobody gets here",
        remedy: remedy,
        related: [
          graph.thrower(above: ended[0].node).flatMap { thrower in
            graph.definition(of: thrower).map { .init("\(graph.title(of: thrower)) failed", at: Place($0)) }
          },
          graph.definition(of: source).map { .init("\(title) goes on sending", at: Place($0)) },
        ].compactMap { $0 },
        nodes: ended.map(\.node.id))
    }
  }

  /// Whether a node has finished a subscription that nobody has renewed, though its source goes on.
  ///
  /// - Parameter endsAlone: Whether the node ends only by its own decision, and otherwise with what is above it.
  private func contains(_ node: Node, endingAlone endsAlone: Bool) -> Bool {
    // Tests show what a replacement does.
    guard observation.time == .real, observation.before != nil, node.state == .finished, node.valueCount >= least,
      endsAtSubscriber(node),
      graph.nodesByDefinition[node.definition, default: []].allSatisfy({ $0.state != .live })
    else { return false }
    let source = graph.origin(of: node)
    return source.since == nil && observation.hasStayed(source) && observation.values(of: source) >= least
      && (endsAlone || hasFailed(above: node) || isEndless(above: node))
  }

  /// Whether what a node gives goes to a subscriber, and not to another signal such as a `flatMap`, which may expect the end.
  private func endsAtSubscriber(_ node: Node) -> Bool {
    var (current, seen) = (node, Set([node.id]))
    while let edges = graph.outputs[current.id] {
      guard edges.count == 1, edges[0].kind == .data || edges[0].kind == .hop, let next = graph.nodes[edges[0].target],
        seen.insert(next.id).inserted
      else { return false }
      current = next
    }
    return graph.definition(of: current)?.isSubscription == true && current.state == .finished
  }

  /// Whether what a node replaced has failed, and not ended by itself.
  private func hasFailed(above node: Node) -> Bool {
    graph.mainInput(of: node.id).flatMap { graph.nodes[$0.source] }?.state == .failed
  }

  /// Whether no operator between a node and its source may have ended by itself.
  private func isEndless(above node: Node) -> Bool {
    var (current, seen) = (node, Set([node.id]))
    while let edge = graph.mainInput(of: current.id), let next = graph.nodes[edge.source], seen.insert(next.id).inserted
    {
      if next.since == nil { return true }
      let behavior = graph.behavior(of: next)
      guard !behavior.contains(.endsByItself), !behavior.isDisjoint(with: [.atMostOne, .hops]) else { return false }
      current = next
    }
    return false
  }
}
