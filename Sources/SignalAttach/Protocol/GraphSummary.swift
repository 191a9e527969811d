package import SignalGraph

/// A few counts of a graph: the response to `/summary`.
package struct GraphSummary: Codable, Hashable, Sendable {
  /// The process that the graph lives in.
  package var process: ProcessIdentity
  /// The time of the snapshot, in seconds since 1 January 1970 UTC.
  package var takenAt: Double
  /// The number of nodes, including ended ones that are still retained.
  package var nodeCount: Int
  /// The number of live nodes; `nil` from a program with an earlier version.
  package var liveNodeCount: Int?
  /// The number of live subscribers.
  package var subscriptionCount: Int
  /// The values per second that subscribers received, see ``Deliveries``; `nil` without an earlier snapshot.
  package var rate: Double?
  /// The number of values that wait in nodes to be delivered.
  package var waiting: UInt64

  /// Counts the elements of a snapshot.
  ///
  /// ```text
  /// import SignalAttach
  /// import Signals
  ///
  /// let recorder = Introspection.enable()
  /// print(GraphSummary(of: recorder.snapshot()).subscriptionCount)
  /// ```
  ///
  /// - Parameters:
  ///   - snapshot: The graph.
  ///   - before: The deliveries of an earlier snapshot.
  package init(of snapshot: GraphSnapshot, since before: Deliveries? = nil) {
    let now = Deliveries(in: snapshot)
    process = snapshot.process
    takenAt = snapshot.takenAt
    nodeCount = snapshot.nodes.count
    liveNodeCount = snapshot.nodes.count { $0.state == .live }
    subscriptionCount = now.liveCount
    rate = before.flatMap { now.rate(since: $0) }
    waiting = snapshot.nodes.reduce(0) { $0 &+ ($1.waiting ?? 0) }
  }
}
