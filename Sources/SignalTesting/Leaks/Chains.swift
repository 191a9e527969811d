package import Signals

/// The nodes of a recorder, and their connections.
package struct Chains: Sendable {
  package let nodes: [UInt64: ChainNode]
  private let above: [UInt64: [UInt64]]
  /// The bindings that write into a source.
  private let bindings: [UInt64: [ChainNode]]

  package init(_ list: [ChainNode]) {
    nodes = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
    var above: [UInt64: [UInt64]] = [:]
    for node in list {
      if let downstream = node.downstream { above[downstream, default: []].append(node.id) }
      above[node.id, default: []] += node.inputs
    }
    self.above = above
    bindings = Dictionary(grouping: list.filter { $0.target != nil }) { $0.target ?? 0 }
  }

  /// The nodes that deliver to a node, in the order in which they were connected.
  package func above(_ node: ChainNode) -> [ChainNode] {
    (above[node.id] ?? []).sorted().compactMap { nodes[$0] }
  }

  /// The lowest node of the chain that a node is in: a subscription, or a source that is shared.
  package func root(of node: ChainNode) -> ChainNode {
    var root = node
    while let downstream = root.downstream, let next = nodes[downstream] { root = next }
    return root
  }

  /// A node and everything above it, up to the sources.
  ///
  /// - Parameter followsBindings: Whether bindings into a source count as above it.
  package func all(from node: ChainNode, followingBindings followsBindings: Bool = false) -> [ChainNode] {
    var reached: [UInt64: ChainNode] = [:]
    var waiting = [node]
    while let node = waiting.popLast() {
      guard reached.updateValue(node, forKey: node.id) == nil else { continue }
      waiting += above(node)
      if followsBindings { waiting += bindings[node.id] ?? [] }
    }
    return Array(reached.values)
  }

  /// The label of a node: `debounce "search text" Feed.swift:37`.
  package static func label(_ node: ChainNode) -> String {
    if isExpectation(node) { return "an expectation" }
    return [node.site.kind, node.name.map { "\"\($0)\"" }, place(node.site)].compactMap(\.self).joined(separator: " ")
  }

  /// Whether a node is the subscription of an expectation, whose location is a line of this library.
  static func isExpectation(_ node: ChainNode) -> Bool { node.site.fileID == "SignalTesting/EventRecorder.swift" }

  /// The short location of a site: `Feed.swift:37`.
  package static func place(_ site: Site) -> String {
    "\(site.fileID.split(separator: "/").last ?? ""):\(site.line)"
  }

  private func shown(above node: ChainNode, where isShown: (ChainNode) -> Bool) -> [ChainNode] {
    above(node).flatMap { upper -> [ChainNode] in
      if isShown(upper) { return [upper] }
      // An operator has ended, but one of its signals has not: its upstream still delivers.
      return node.isSource && node.inputs.contains(upper.id) ? shown(above: upper, where: isShown) : []
    }
  }

  /// A node and everything above it that `isShown` accepts, up to the sources: `a <- b <- (c + d <- e)`.
  package func text(from node: ChainNode, where isShown: (ChainNode) -> Bool) -> String {
    var seen: Set<UInt64> = []
    return text(from: node, where: isShown, &seen)
  }

  private func text(
    from node: ChainNode, where isShown: (ChainNode) -> Bool, _ seen: inout Set<UInt64>
  ) -> String {
    // The upstream of a shared source is shown once.
    guard seen.insert(node.id).inserted else { return Self.label(node) }
    var branches: [String] = []
    var counts: [String: Int] = [:]
    for node in shown(above: node, where: isShown) {
      let branch = text(from: node, where: isShown, &seen)
      if counts[branch] == nil { branches.append(branch) }
      counts[branch, default: 0] += 1
    }
    let texts = branches.map { branch in
      counts[branch].map { $0 > 1 ? "\($0) times \(branch)" : branch } ?? branch
    }
    switch texts.count {
    case 0: return Self.label(node)
    case 1: return Self.label(node) + " <- " + texts[0]
    default: return Self.label(node) + " <- (" + texts.joined(separator: " + ") + ")"
    }
  }
}
