import SignalGraph

extension GraphView {
  /// The node in which a failure that reached a node occurred: the uppermost failed node above it, or one that
  /// transforms each value and did not pass on the last one. An operator that cannot fail by itself has failed because
  /// a closure below it threw.
  func thrower(above node: Node) -> Node? {
    var (current, seen) = (node, Set([node.id]))
    var thrower: Node?
    while let next = (inputs[current.id] ?? []).lazy.compactMap({ nodes[$0.source] })
      .first(where: { $0.state == .failed }), seen.insert(next.id).inserted
    {
      current = next
      if behavior(of: next).contains(.transforms), let above = mainInput(of: next.id).flatMap({ nodes[$0.source] }),
        above.since != nil, above.valueCount == next.valueCount + 1
      {
        return next
      }
      if behavior(of: next).isDisjoint(with: [.cannotFail, .runsNoClosure]) { thrower = next }
    }
    return thrower
  }
}
