public import SignalGraph
import Synchronization

/// One live instance of an operator, a source or a subscription, while the graph is on.
@usableFromInline
final class GraphNode: Sendable {
  private struct State {
    var life = Node.State.live
    var failure: String?
    var inputs: [(node: GraphNode, kind: Edge.Kind)] = []
    var isFreed = false
  }

  let id: UInt64
  let site: Site
  let name: String?
  let recorder: GraphRecorder
  let downstream: GraphNode?
  let kind: Edge.Kind
  let owner: NodeOwner?
  /// How long the node may deliver anything; nil for a source with one node for all its subscribers.
  let lifetime: ChainLifetime?
  private let state = Mutex(State())
  private let values = Atomic<UInt64>(0)
  // Safe: written once, under the lock of the emitter that owns the node, before anybody else has the node.
  nonisolated(unsafe) var countSource: (@Sendable () -> UInt64?)?

  init(
    id: UInt64, site: Site, name: String?, recorder: GraphRecorder, downstream: GraphNode?, kind: Edge.Kind,
    owner: NodeOwner?, lifetime: ChainLifetime?
  ) {
    self.id = id
    self.site = site
    self.name = name
    self.recorder = recorder
    self.downstream = downstream
    self.kind = kind
    self.owner = owner
    self.lifetime = lifetime
  }

  /// Whether it is alive although what it belongs to is over.
  var isLeaked: Bool { life == .live && owner?.isOver == true }

  /// Counts a value. Called by one thread at a time, so no read-modify-write is needed.
  @usableFromInline
  func passed() {
    values.store(values.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  var valueCount: UInt64 { countSource?() ?? values.load(ordering: .relaxed) }

  /// Notes the end.
  @usableFromInline
  func ended(_ completion: Completion) {
    finalCount()
    state.withLock { state in
      guard state.life == .live else { return }
      switch completion {
      case .finished: state.life = .finished
      case .failed(let error):
        state.life = .failed
        state.failure = String(describing: error)
      }
    }
    recorder.noteEnd(of: self)
  }

  /// Notes that the subscription was disposed.
  func disposed() {
    finalCount()
    state.withLock { if $0.life == .live { $0.life = .disposed } }
    recorder.noteEnd(of: self)
  }

  /// Notes that nothing holds the node's closures any more.
  func freed() {
    state.withLock { $0.isFreed = true }
    cutOff()
  }

  /// Notes that the node will not see an end, if its chain is over and nothing holds its closures: something below it stopped the delivery.
  func cutOff() {
    state.withLock { state in
      if state.life == .live, state.isFreed, lifetime?.isOver == true { state.life = .disposed }
    }
    recorder.noteEnd(of: self)
  }

  private func finalCount() {
    if let count = countSource?() { values.store(count, ordering: .relaxed) }
  }

  /// Adds a connection from a shared source.
  func addInput(_ node: GraphNode, _ kind: Edge.Kind) {
    state.withLock { $0.inputs.append((node, kind)) }
  }

  var inputs: [(node: GraphNode, kind: Edge.Kind)] { state.withLock { $0.inputs } }
  var life: Node.State { state.withLock { $0.life } }
  var failure: String? { state.withLock { $0.failure } }
  var isFreed: Bool { state.withLock { $0.isFreed } }
}

/// What an operator's observer knows about the place below it in the graph.
@usableFromInline
final class TraceContext: Sendable {
  let node: GraphNode
  let kind: Edge.Kind
  let name: String?
  var recorder: GraphRecorder { node.recorder }

  init(node: GraphNode, kind: Edge.Kind = .data, name: String? = nil) {
    self.node = node
    self.kind = kind
    self.name = name
  }

  @usableFromInline
  func with(kind: Edge.Kind) -> TraceContext {
    TraceContext(node: node, kind: kind, name: name)
  }

  @usableFromInline
  func with(name: String) -> TraceContext {
    // The name nearest to the subscriber wins.
    TraceContext(node: node, kind: kind, name: self.name ?? name)
  }
}

/// The nodes that live and end with one subscription.
@usableFromInline
final class SubscriptionTrace: Sendable {
  private let nodes = Mutex<[GraphNode]>([])
  let lifetime = ChainLifetime()

  func add(_ node: GraphNode) { nodes.withLock { $0.append(node) } }

  @usableFromInline
  func disposed() {
    for node in takeNodes() { node.disposed() }
  }

  /// The signal ended by itself; nodes that do not see the end were cut off by an operator below them.
  func completed() {
    for node in takeNodes() { node.cutOff() }
  }

  private func takeNodes() -> [GraphNode] {
    lifetime.end()
    return nodes.withLock { nodes in
      defer { nodes = [] }
      return nodes
    }
  }
}

/// Whether one subscription, from its origin down, is still connected.
final class ChainLifetime: Sendable {
  private let over = Atomic<Bool>(false)

  var isOver: Bool { over.load(ordering: .acquiring) }

  func end() { over.store(true, ordering: .releasing) }
}

/// Captured by a node's closures: when the last closure goes, so does this.
@usableFromInline
final class NodeToken: Sendable {
  @usableFromInline let node: GraphNode

  init(_ node: GraphNode) { self.node = node }

  deinit { node.freed() }
}
