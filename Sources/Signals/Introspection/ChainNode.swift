package import SignalGraph

/// What a check for leaks has to know about a node.
package struct ChainNode: Sendable {
  package let id: UInt64
  package let site: Site
  package let name: String?
  package let state: Node.State
  /// Whether one node stands for all subscribers of a source, which a subscription neither makes nor ends.
  package let isSource: Bool
  /// Whether the subscription that the node belongs to is still connected to its origin.
  package let isConnected: Bool
  /// Whether nothing holds the node's closures any more.
  package let isFreed: Bool
  package let downstream: UInt64?
  /// Sources that deliver to the node.
  package let inputs: [UInt64]
  package let owner: String?

  init(_ node: GraphNode) {
    id = node.id
    site = node.site
    name = node.name
    state = node.life
    isSource = node.lifetime == nil
    isConnected = node.lifetime?.isOver == false
    isFreed = node.isFreed
    downstream = node.downstream?.id
    inputs = node.inputs.map(\.node.id)
    owner = node.owner?.name
  }
}
