import DequeModule
import Foundation
public import SignalGraph
import Synchronization

/// Records the nodes of a graph, and makes snapshots of it.
///
/// There is one for the process while the graph is on (see ``Introspection``), and one for each test that checks for leaks: what happens in
/// other tests does not show in it.
public final class GraphRecorder: Sendable {
  private struct State {
    var definitions: [Site: Int] = [:]
    var active: [UInt64: GraphNode] = [:]
    var ended: Deque<GraphNode> = []
    var pendingWork: [UInt64: PendingWork] = [:]
    var watchers: [UInt64: @Sendable () -> Void] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  /// How many ended nodes are kept for snapshots.
  public let endedLimit: Int

  /// The recorder that signals made in this task belong to.
  @TaskLocal static var taskRecorder: GraphRecorder?

  /// The recorder for what is made here and now.
  @usableFromInline static var current: GraphRecorder? { taskRecorder ?? Introspection.recorder }

  /// The recorder of the innermost ``record(isolation:_:)`` around this; elsewhere the one that `inherited` stands for, else the process's.
  static func innermost(or inherited: GraphRecorder?) -> GraphRecorder? {
    taskRecorder ?? inherited ?? Introspection.recorder
  }

  /// Identifiers are unique in the process, because a node may be connected to one of another recorder.
  private static let lastIdentifier = Atomic<UInt64>(0)

  static func nextIdentifier() -> UInt64 { lastIdentifier.add(1, ordering: .relaxed).newValue }

  /// Makes a recorder that keeps so many ended nodes.
  public init(endedLimit: Int = 256) {
    self.endedLimit = endedLimit
  }

  /// Records everything that `body` makes, here and not in the process-wide recorder.
  public func record<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    Introspection.addReason()
    defer { Introspection.removeReason() }
    return try await Self.$taskRecorder.withValue(self, operation: body)
  }

  /// Records everything that `body` makes, here and not in the process-wide recorder.
  public func record<Result>(_ body: () throws -> Result) rethrows -> Result {
    Introspection.addReason()
    defer { Introspection.removeReason() }
    return try Self.$taskRecorder.withValue(self, operation: body)
  }

  // MARK: Recording

  func makeNode(
    _ site: Site, name: String?, downstream: GraphNode?, kind: Edge.Kind, owner: NodeOwner? = nil,
    lifetime: ChainLifetime? = nil
  ) -> GraphNode {
    let node = GraphNode(
      id: Self.nextIdentifier(), site: site, name: name, recorder: self, downstream: downstream, kind: kind,
      owner: owner ?? downstream?.owner, lifetime: lifetime)
    state.withLock { state in
      guard !state.isClosed else { return }
      if state.definitions[site] == nil { state.definitions[site] = state.definitions.count + 1 }
      state.active[node.id] = node
    }
    return node
  }

  /// Moves an ended node to the ring of ended ones, once nothing holds its closures.
  func noteEnd(of node: GraphNode) {
    guard node.life != .live, node.isFreed || node.countSource != nil else { return }
    var dropped: GraphNode?
    let watchers: [@Sendable () -> Void] = state.withLock { state in
      guard state.active.removeValue(forKey: node.id) != nil else { return [] }
      if state.ended.count >= endedLimit { dropped = state.ended.popFirst() }
      if endedLimit > 0 { state.ended.append(node) }
      return Array(state.watchers.values)
    }
    withExtendedLifetime(dropped) {}
    for watcher in watchers { watcher() }
  }

  func add(_ work: PendingWork) {
    state.withLock { state in
      if !state.isClosed { state.pendingWork[work.identifier] = work }
    }
  }

  func beginPending(_ identifier: UInt64) {
    state.withLock { $0.pendingWork[identifier]?.stage = .onItsWay }
  }

  func removePending(_ identifier: UInt64) {
    let watchers: [@Sendable () -> Void] = state.withLock { state in
      state.pendingWork.removeValue(forKey: identifier) == nil ? [] : Array(state.watchers.values)
    }
    for watcher in watchers { watcher() }
  }

  /// Calls a closure, on any thread, whenever a node is freed after its end and whenever work is over, until ``unwatch(_:)``.
  package func watch(_ watcher: @escaping @Sendable () -> Void) -> UInt64 {
    let key = Self.nextIdentifier()
    state.withLock { $0.watchers[key] = watcher }
    return key
  }

  /// Stops the calls of a closure that was handed to ``watch(_:)``.
  package func unwatch(_ key: UInt64) {
    let watcher = state.withLock { $0.watchers.removeValue(forKey: key) }
    withExtendedLifetime(watcher) {}
  }

  /// Forgets everything and records nothing more: nodes that are still alive no longer keep the recorder alive.
  package func close() {
    let forgotten = state.withLock { state in
      defer {
        state = State()
        state.isClosed = true
      }
      return state
    }
    withExtendedLifetime(forgotten) {}
  }

  // MARK: Reading

  /// One node as it is now, while it is kept.
  public func node(_ identifier: UInt64) -> (state: Node.State, valueCount: UInt64)? {
    let node = state.withLock { state in
      state.active[identifier] ?? state.ended.first { $0.id == identifier }
    }
    return node.map { ($0.life, $0.valueCount) }
  }

  /// Work that schedulers have not done yet.
  package var pendingWork: [PendingWork] {
    state.withLock { $0.pendingWork.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Identifiers of the nodes whose closures are still in memory.
  public var retainedNodes: Set<UInt64> {
    Set(state.withLock { Array($0.active.values) }.filter { !$0.isFreed && $0.countSource == nil }.map(\.id))
  }

  /// Every node that is kept, and those of other recorders that these are connected to.
  package func chainNodes() -> [ChainNode] {
    var reached: [UInt64: GraphNode] = [:]
    var waiting = state.withLock { Array($0.active.values) + Array($0.ended) }
    while let node = waiting.popLast() {
      guard reached.updateValue(node, forKey: node.id) == nil else { continue }
      waiting += node.inputs.map(\.node)
      if let downstream = node.downstream { waiting.append(downstream) }
    }
    return reached.values.sorted { $0.id < $1.id }.map(ChainNode.init)
  }

  /// The graph as it is now: live nodes, nodes that ended but are still in memory, and the latest ended ones.
  ///
  /// Senders are not stopped: only the list of nodes is copied under a lock.
  ///
  /// - Complexity: O(*n*) in the number of nodes.
  public func snapshot() -> GraphSnapshot {
    var nodes = state.withLock { Array($0.active.values) + Array($0.ended) }
    // Sources that were there before belong to another recorder.
    var known = Set(nodes.map(\.id))
    nodes += nodes.flatMap(\.inputs).map(\.node).filter { known.insert($0.id).inserted }
    let sites = state.withLock { state in
      for node in nodes where state.definitions[node.site] == nil {
        state.definitions[node.site] = state.definitions.count + 1
      }
      return state.definitions
    }
    let identity = ProcessIdentity.current
    var snapshot = GraphSnapshot(process: identity, takenAt: Date().timeIntervalSince1970)
    snapshot.definitions = sites.sorted { $0.value < $1.value }.map { site, id in
      Definition(id: id, kind: site.kind, fileID: site.fileID, line: site.line, function: site.function)
    }
    for node in nodes.sorted(by: { $0.id < $1.id }) {
      guard let definition = sites[node.site] else { continue }
      snapshot.nodes.append(
        Node(
          id: node.id, definition: definition, name: node.name, state: node.life, valueCount: node.valueCount,
          owner: node.owner?.name, failure: node.failure, findings: node.isLeaked ? [.leaked] : []))
      if let downstream = node.downstream, known.contains(downstream.id) {
        snapshot.edges.append(Edge(source: node.id, target: downstream.id, kind: node.kind))
      }
      for input in node.inputs where known.contains(input.node.id) {
        snapshot.edges.append(Edge(source: input.node.id, target: node.id, kind: input.kind))
      }
    }
    return snapshot
  }
}
