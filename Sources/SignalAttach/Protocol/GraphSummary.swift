public import SignalGraph

/// A graph in a few numbers: the answer to `/summary`.
public struct GraphSummary: Codable, Hashable, Sendable {
  /// The process that the graph lives in.
  public var process: ProcessIdentity
  /// When it was looked at, in seconds since 1 January 1970 UTC.
  public var takenAt: Double
  /// How many nodes the graph has, with those that have ended and are still kept.
  public var nodeCount: Int
  /// How many nodes live; `nil` from a program with an earlier version.
  public var liveNodeCount: Int?
  /// How many subscribers live.
  public var subscriptionCount: Int
  /// The values per second that subscribers received, see ``Deliveries``; `nil` without an earlier snapshot.
  public var rate: Double?
  /// How many values wait in nodes to be delivered.
  public var waiting: UInt64

  /// Counts.
  ///
  /// ```swift
  /// import SignalAttach
  /// import Signals
  ///
  /// let recorder = Introspection.enable()
  /// print(GraphSummary(of: recorder.snapshot()).subscriptionCount)
  /// ```
  ///
  /// - Parameters:
  ///   - snapshot: The graph.
  ///   - before: What an earlier look at it counted.
  public init(of snapshot: GraphSnapshot, since before: Deliveries? = nil) {
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
