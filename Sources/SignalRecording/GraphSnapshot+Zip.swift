import SignalGraph

extension GraphSnapshot {
  /// Sets the number of waiting values of each live `zip`: those that arrived and are in no row yet. They are not
  /// counted while values pass.
  ///
  /// Values that pass during this are read one after the other, so a value in transit may count as waiting.
  ///
  /// - Parameter definitions: The numbers of the definitions that are a `zip`.
  /// - Complexity: O(nodes + edges) where there are any.
  mutating func countWaiting(inZips definitions: Set<Int>) {
    guard !definitions.isEmpty else { return }
    var zips: [UInt64: Int] = [:]
    for (index, node) in nodes.enumerated() where node.state == .live && definitions.contains(node.definition) {
      zips[node.id] = index
    }
    guard !zips.isEmpty else { return }
    let inputs = edges.filter { zips[$0.target] != nil && $0.kind != .feedback }
    let wanted = Set(inputs.map(\.source))
    var sources: [UInt64: Node] = [:]
    for node in nodes where wanted.contains(node.id) { sources[node.id] = node }
    for edge in inputs {
      // Values that a shared source sent before the subscription have not come here.
      guard let index = zips[edge.target], let source = sources[edge.source],
        let came = edge.count ?? (source.since == nil ? nil : source.valueCount), came > nodes[index].valueCount
      else { continue }
      nodes[index].waiting = (nodes[index].waiting ?? 0) + (came - nodes[index].valueCount)
    }
  }
}
