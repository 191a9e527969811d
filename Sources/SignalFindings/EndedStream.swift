import SignalGraph

/// Subscriptions that ended with a replacement, of a failure or after a timeout, although their source keeps sending.
struct EndedStream {
  private let observation: Observation
  private let least: UInt64
  private var graph: GraphView { observation.now }

  /// - Parameter least: The minimum number of values, of the ended node before its end and of the source while the
  ///   graph was watched.
  init(in observation: Observation, least: UInt64) {
    self.observation = observation
    self.least = least
  }

  /// Returns a finding for each location of nodes that ended such a subscription.
  ///
  /// - Parameters:
  ///   - endsAlone: Whether these nodes decide to end by themselves. If not, their input must have failed, or have no
  ///     end of its own.
  ///   - words: Describes what such a node did; nil for other nodes.
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
        message: "\(ended[0].words), which ended the subscription; \(title) keeps sending: "
          + "\(observation.values(of: source)) values since, without a subscriber here",
        remedy: remedy,
        related: [
          graph.thrower(above: ended[0].node).flatMap { thrower in
            graph.definition(of: thrower).map { .init("\(graph.title(of: thrower)) failed", at: Place($0)) }
          },
          graph.definition(of: source).map { .init("\(title) keeps sending", at: Place($0)) },
        ].compactMap { $0 },
        nodes: ended.map(\.node.id))
    }
  }

  /// Whether a node ended a subscription that was not renewed, although the source keeps sending.
  ///
  /// - Parameter endsAlone: Whether the node decides to end by itself. If not, its input must have failed, or have no
  ///   end of its own.
  private func contains(_ node: Node, endingAlone endsAlone: Bool) -> Bool {
    // Tests use replacements on purpose.
    guard observation.time == .real, observation.before != nil, node.state == .finished, node.valueCount >= least,
      endsAtSubscriber(node),
      graph.nodesByDefinition[node.definition, default: []].allSatisfy({ $0.state != .live })
    else { return false }
    let source = graph.origin(of: node)
    return source.since == nil && observation.hasStayed(source) && observation.values(of: source) >= least
      && (endsAlone || hasFailed(above: node) || isEndless(above: node))
  }

  /// Whether a node's values go to a subscriber, not to another signal such as a `flatMap`, which may expect the end.
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

  /// Whether the input that a node replaced has failed, not finished.
  private func hasFailed(above node: Node) -> Bool {
    graph.mainInput(of: node.id).flatMap { graph.nodes[$0.source] }?.state == .failed
  }

  /// Whether no operator between a node and its source can have ended by itself.
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
