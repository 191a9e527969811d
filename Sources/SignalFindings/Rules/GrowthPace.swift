import SignalGraph

/// The moments at which the live subscriptions of one location were created, in seconds. Moments less than 50 ms apart
/// count as one.
struct GrowthPace {
  private let moments: [Double]
  private let start: Double
  private let end: Double

  /// - Parameters:
  ///   - nodes: The subscriptions.
  ///   - observation: The observation of the graph.
  /// - Returns: Nil if the times mean nothing: in tests, and in snapshots without times.
  init?(_ nodes: [Node], in observation: Observation) {
    guard observation.time == .real, let before = observation.before else { return nil }
    start = before.snapshot.takenAt
    end = observation.now.snapshot.takenAt
    var moments: [Double] = []
    // A shared signal began with the chain above it.
    let graph = observation.now
    let times = nodes.map { node in
      node.since ?? graph.mainInput(of: node.id).flatMap { graph.nodes[$0.source]?.since } ?? 0
    }
    for since in times.sorted() {
      guard since > 0 else { return nil }
      if moments.last.map({ since - $0 >= 0.05 }) ?? true { moments.append(since) }
    }
    self.moments = moments
  }

  /// Whether subscriptions were created in at least so many of five equal parts of the watch, and some in one of the
  /// last two: a list that has stopped growing is complete.
  func isSteady(inParts least: Int) -> Bool {
    let new = moments.filter { $0 > start }
    let parts = Set(new.map { Int(min(4, ($0 - start) / (end - start) * 5)) })
    return parts.count >= least && parts.contains { $0 >= 3 }
  }

  /// Whether subscriptions have been created at even intervals, as far as they are known, and still are: at least so
  /// many, two of them while the graph was watched.
  func isEven(with least: Int) -> Bool {
    guard moments.count >= max(least, 3), moments.filter({ $0 > start }).count >= 2, let last = moments.last else {
      return false
    }
    let gaps = zip(moments.dropFirst(), moments).map(-).sorted()
    let longest = 3 * gaps[gaps.count / 2]
    return gaps.allSatisfy { $0 <= longest } && end - last <= longest
  }
}
