import SignalGraph

extension GraphView {
  /// Sources that cannot fail, by their kind: they end as failed when a closure below them throws.
  private static let unfailing: Set = ["empty", "interval", "just", "never", "sequence", "timer"]

  /// The node in which the failure occurred that reached a node: the uppermost failed one above it. An operator that cannot fail by itself has failed
  /// because a closure below it threw.
  func thrower(above node: Node) -> Node? {
    var (current, seen) = (node, Set([node.id]))
    var thrower: Node?
    while let next = (inputs[current.id] ?? []).lazy.compactMap({ nodes[$0.source] })
      .first(where: { $0.state == .failed }), seen.insert(next.id).inserted
    {
      current = next
      let kind = definition(of: next)?.kind ?? ""
      if !NoEffectRule.plain.contains(kind), !Self.unfailing.contains(kind), !kind.hasPrefix("receive(on:"),
        kind != "subscribed(on:)"
      {
        thrower = next
      }
    }
    return thrower
  }
}
