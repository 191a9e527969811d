import SignalGraph

extension Explanation.Wait {
  /// Creates the time for which a node has emitted nothing; nil if it is unknown, or if the node has ended.
  init?(at identifier: UInt64, in observation: Observation) {
    let graph = observation.now
    guard let node = graph.nodes[identifier], node.state == .live, observation.time == .real else { return nil }
    let now = graph.snapshot.takenAt
    var parts: [String] = []
    let seconds: Double
    if let last = node.causes?.last?.at ?? node.lastEventAt {
      seconds = now - last
      parts.append("for \(Seconds(seconds).words)")
    } else if node.valueCount == 0, let since = Self.beginning(of: node, in: graph) {
      seconds = now - since
      parts.append("for \(Seconds(seconds).words), since it was made")
    } else if observation.before != nil {
      seconds = observation.seconds
      parts.append("for longer than the \(Seconds(seconds).words) of watching")
    } else {
      return nil
    }
    let inputs = (graph.inputs[identifier] ?? []).compactMap { graph.nodes[$0.source]?.causes?.last?.at }
    if let last = inputs.max() { parts.append("the last value came to it \(Seconds(now - last).words) ago") }
    // The clock was set, or the snapshot is synthetic.
    guard seconds >= 0.000_5, now > 0 else { return nil }
    self.seconds = seconds
    words = parts.joined(separator: "; ")
  }

  /// The creation time of a node; for a source, that of its earliest current subscription.
  private static func beginning(of node: Node, in graph: GraphView) -> Double? {
    node.since ?? (graph.outputs[node.id] ?? []).compactMap { graph.nodes[$0.target]?.since }.min()
  }
}
