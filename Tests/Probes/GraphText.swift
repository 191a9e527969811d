package import SignalGraph

extension GraphSnapshot {
  /// The kinds of the definitions, by node.
  private var kinds: [Node.ID: String] {
    let kinds = Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0.kind) })
    return Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, kinds[$0.definition] ?? "?") })
  }

  /// The connections, such as `map > filter`, in the order in which they were made from the subscriber up; other kinds than data are named.
  package var connections: [String] {
    let kinds = kinds
    return edges.map { edge in
      let arrow = edge.kind == .data ? ">" : "\(edge.kind.rawValue)>"
      return "\(kinds[edge.source] ?? "?") \(arrow) \(kinds[edge.target] ?? "?")"
    }
  }

  /// The nodes' kinds, states and counts, such as `map live 3`, in the order of their identifiers.
  package var states: [String] {
    let kinds = kinds
    return nodes.map { "\(kinds[$0.id] ?? "?") \($0.state.rawValue) \($0.valueCount)" }
  }

  /// The only node of a kind.
  package func node(_ kind: String) -> Node? {
    let kinds = kinds
    let found = nodes.filter { kinds[$0.id] == kind }
    return found.count == 1 ? found.first : nil
  }
}
