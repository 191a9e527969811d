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
  /// How many values came to subscribers in a second; `nil` if the graph was looked at only once.
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

extension GraphSummary {
  /// How many values have come to each subscriber.
  public struct Deliveries: Hashable, Sendable {
    fileprivate let takenAt: Double
    fileprivate let counts: [Node.ID: UInt64]
    fileprivate let liveCount: Int

    /// Counts.
    ///
    /// - Parameter snapshot: The graph.
    public init(in snapshot: GraphSnapshot) {
      // Whatever subscribes is called so, also a binding and a loop.
      let subscribers = Set(snapshot.definitions.lazy.filter { $0.kind == "subscribe" }.map(\.id))
      var (counts, liveCount): ([Node.ID: UInt64], Int) = ([:], 0)
      for node in snapshot.nodes where subscribers.contains(node.definition) {
        counts[node.id] = node.valueCount
        if node.state == .live { liveCount += 1 }
      }
      (takenAt, self.counts, self.liveCount) = (snapshot.takenAt, counts, liveCount)
    }

    /// How many values came in a second since an earlier look. Subscribers that are not kept any more are not counted.
    fileprivate func rate(since before: Deliveries) -> Double? {
      guard takenAt > before.takenAt else { return nil }
      let passed = counts.reduce(UInt64(0)) { sum, entry in
        let earlier = before.counts[entry.key] ?? 0
        return sum &+ (entry.value > earlier ? entry.value - earlier : 0)
      }
      return Double(passed) / (takenAt - before.takenAt)
    }
  }
}
