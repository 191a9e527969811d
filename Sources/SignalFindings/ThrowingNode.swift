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

  /// The source whose value led to a failure: above the uppermost operator that failed with it.
  func sourceOfFailure(above node: Node) -> Node {
    var (current, seen) = (node, Set([node.id]))
    while let next = (inputs[current.id] ?? []).lazy.filter({ $0.kind != .inner }).compactMap({ nodes[$0.source] })
      .first(where: { $0.state == .failed }), seen.insert(next.id).inserted
    {
      current = next
    }
    return origin(of: current)
  }

  /// Whether a node has failed because of one value of an emitter or a property, which can send more. The end of such a
  /// source is not the failure of one value.
  func hasFailedForOneValue(_ node: Node) -> Bool {
    guard let thrower = thrower(above: node), !behavior(of: thrower).contains(.sendsUnasked) else { return false }
    return behavior(of: sourceOfFailure(above: node)).contains(.sendsUnasked)
  }
}
