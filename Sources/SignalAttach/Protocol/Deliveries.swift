package import SignalGraph

extension GraphSummary {
  /// The values that the subscribers of each call site have received, including those that have ended.
  ///
  /// "values/s" of `signal-viz list`, `top`, `serve` and `record` is the number of these values, divided by the seconds between two snapshots.
  package struct Deliveries: Hashable, Sendable {
    fileprivate let takenAt: Double
    fileprivate let counts: [Int: UInt64]
    let liveCount: Int

    /// Counts the values of a snapshot's subscribers.
    ///
    /// - Parameter snapshot: The graph.
    package init(in snapshot: GraphSnapshot) {
      var (counts, liveCount): ([Int: UInt64], Int) = ([:], 0)
      for definition in snapshot.definitions where definition.isSubscription {
        counts[definition.id, default: 0] &+= definition.gone?.values ?? 0
      }
      for node in snapshot.nodes {
        guard let count = counts[node.definition] else { continue }
        counts[node.definition] = count &+ node.valueCount
        if node.state == .live { liveCount += 1 }
      }
      (takenAt, self.counts, self.liveCount) = (snapshot.takenAt, counts, liveCount)
    }

    /// The values per second since an earlier snapshot of the same process; `nil` unless it is earlier.
    package func rate(since before: Deliveries) -> Double? {
      guard takenAt > before.takenAt else { return nil }
      let received = counts.reduce(UInt64(0)) { sum, entry in
        let earlier = before.counts[entry.key] ?? 0
        return sum &+ (entry.value > earlier ? entry.value - earlier : 0)
      }
      return Double(received) / (takenAt - before.takenAt)
    }
  }
}
