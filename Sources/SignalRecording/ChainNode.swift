package import SignalGraph

/// A node, for leak checks.
package struct ChainNode: Sendable {
  package let id: UInt64
  package let site: Site
  package let name: String?
  package let state: Node.State
  /// Whether it is one node for all subscribers of a source, which no subscription creates or ends.
  package let isSource: Bool
  /// Whether the subscription that the node belongs to is still connected to its origin; for a shared source, its own
  /// subscription.
  package let isConnected: Bool
  /// Whether the node's closures have been released.
  package let isFreed: Bool
  package let downstream: UInt64?
  /// Sources that deliver to the node.
  package let inputs: [UInt64]
  /// The number of its connected inputs that have no node.
  package private(set) var bareInputCount = 0
  /// The source into which the node writes each value, if it is the subscriber of a binding.
  package private(set) var target: UInt64?
  package let owner: String?
  /// Returns the subscription that the node belongs to, while it lives; nil if that is not recorded.
  package let findSubscription: (@Sendable () -> AnyObject?)?
  /// The backtrace of the subscription's creation, if captured.
  package private(set) var trace: (any Sendable)?

  init(_ node: NodeReading, of record: ChainRecord, inputs: [UInt64], bareInputCount: Int) {
    self.init(
      node, isSource: false, isConnected: record.isConnected, inputs: inputs, owner: record.owner?.name,
      record.findSubscription)
    self.bareInputCount = bareInputCount
    trace = record.trace
    if node.downstream == nil { target = record.target?.identifier }
  }

  init(_ source: SourceNode, isConnected: Bool, inputs: [UInt64]) {
    self.init(source.reading, isSource: true, isConnected: isConnected, inputs: inputs, owner: nil, nil)
  }

  /// A step of another pipeline.
  init(_ node: NodeReading, deliveringTo downstream: UInt64?, inputs: [UInt64], owner: String?) {
    var node = node
    node.downstream = downstream
    self.init(
      node, isSource: false, isConnected: node.state == .live, inputs: inputs, owner: owner, nil)
  }

  private init(
    _ node: NodeReading, isSource: Bool, isConnected: Bool, inputs: [UInt64], owner: String?,
    _ findSubscription: (@Sendable () -> AnyObject?)?
  ) {
    id = node.identifier
    site = node.site
    name = node.name
    state = node.state
    self.isSource = isSource
    self.isConnected = isConnected
    isFreed = node.isFreed
    downstream = node.downstream
    self.inputs = inputs
    self.owner = owner
    self.findSubscription = findSubscription
  }
}
