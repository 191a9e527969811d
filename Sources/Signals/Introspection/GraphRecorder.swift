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
    var lastIdentifier: UInt64 = 0
    var definitions: [Site: Int] = [:]
    var active: [UInt64: GraphNode] = [:]
    var ended: Deque<GraphNode> = []
    var pendingWork: [UInt64: PendingWork] = [:]
  }

  /// Something that a scheduler was asked to do and has not done yet.
  public struct PendingWork: Sendable {
    /// Where it was asked for, when known.
    public let site: Site?
    /// The node that asked for it, when an operator did.
    public let node: UInt64?
  }

  private let state = Mutex(State())
  /// How many ended nodes are kept for snapshots.
  public let endedLimit: Int

  /// The recorder that signals made in this task belong to.
  @TaskLocal static var taskRecorder: GraphRecorder?

  /// The recorder for what is made here and now.
  @usableFromInline static var current: GraphRecorder? { taskRecorder ?? Introspection.recorder }

  /// The operator that is scheduling work right now.
  @TaskLocal static var schedulingNode: GraphNode?

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
    _ site: Site, name: String?, downstream: GraphNode?, kind: Edge.Kind, owner: NodeOwner? = nil
  ) -> GraphNode {
    state.withLock { state in
      state.lastIdentifier += 1
      if state.definitions[site] == nil { state.definitions[site] = state.definitions.count + 1 }
      let node = GraphNode(
        id: state.lastIdentifier, site: site, name: name, recorder: self, downstream: downstream, kind: kind,
        owner: owner ?? downstream?.owner)
      state.active[node.id] = node
      return node
    }
  }

  /// Moves an ended node to the ring of ended ones, once nothing holds its closures.
  func noteEnd(of node: GraphNode) {
    guard node.life != .live, node.isFreed || node.countSource != nil else { return }
    var dropped: GraphNode?
    state.withLock { state in
      guard state.active.removeValue(forKey: node.id) != nil else { return }
      if state.ended.count >= endedLimit { dropped = state.ended.popFirst() }
      if endedLimit > 0 { state.ended.append(node) }
    }
    withExtendedLifetime(dropped) {}
  }

  /// Notes work that is being scheduled here and now.
  static func registerPendingWork() -> (recorder: GraphRecorder, identifier: UInt64)? {
    let node = schedulingNode
    guard let recorder = node?.recorder ?? current else { return nil }
    return (recorder, recorder.addPending(PendingWork(site: node?.site, node: node?.id)))
  }

  private func addPending(_ work: PendingWork) -> UInt64 {
    state.withLock { state in
      state.lastIdentifier += 1
      state.pendingWork[state.lastIdentifier] = work
      return state.lastIdentifier
    }
  }

  func removePending(_ identifier: UInt64) {
    state.withLock { _ = $0.pendingWork.removeValue(forKey: identifier) }
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
  public var pendingWork: [PendingWork] {
    state.withLock { $0.pendingWork.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Identifiers of the nodes whose closures are still in memory.
  public var retainedNodes: Set<UInt64> {
    Set(state.withLock { Array($0.active.values) }.filter { !$0.isFreed && $0.countSource == nil }.map(\.id))
  }

  /// The graph as it is now: live nodes, nodes that ended but are still in memory, and the latest ended ones.
  ///
  /// Senders are not stopped: only the list of nodes is copied under a lock.
  ///
  /// - Complexity: O(*n*) in the number of nodes.
  public func snapshot() -> GraphSnapshot {
    let (sites, nodes) = state.withLock { state in
      (state.definitions, Array(state.active.values) + Array(state.ended))
    }
    let identity = ProcessIdentity.current
    var snapshot = GraphSnapshot(process: identity, takenAt: Date().timeIntervalSince1970)
    snapshot.definitions = sites.sorted { $0.value < $1.value }.map { site, id in
      Definition(id: id, kind: site.kind, fileID: site.fileID, line: site.line, function: site.function)
    }
    let known = Set(nodes.map(\.id))
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
