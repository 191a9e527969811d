/// The thresholds for idle and hot nodes.
public struct ActivityThresholds: Hashable, Sendable {
  /// The time without a value at a live node, in seconds, for ``Node/Finding/idle``.
  public var idleSeconds: Double
  /// The minimum rate, in values per second, for ``Node/Finding/hot``.
  public var hotRate: Double
  /// The minimum ratio to the rate of the busiest node, for ``Node/Finding/hot``.
  public var hotPart: Double

  /// Creates thresholds.
  ///
  /// - Parameters:
  ///   - idleSeconds: The time in seconds without a value from which a node is idle.
  ///   - hotRate: The rate in values per second from which a node is hot.
  ///   - hotPart: The minimum ratio to the busiest node's rate.
  public init(idleSeconds: Double = 60, hotRate: Double = 100, hotPart: Double = 0.5) {
    self.idleSeconds = idleSeconds
    self.hotRate = hotRate
    self.hotPart = hotPart
  }
}

extension GraphSnapshot {
  /// Returns this snapshot with facts that need several snapshots: ``Node/rate``, ``Node/lastEventAt``, and the idle
  /// and hot nodes.
  ///
  /// A program only counts. So a client with two snapshots computes the rest from the two counts:
  ///
  /// ```swift
  /// import SignalGraph
  /// import Signals
  ///
  /// let recorder = Introspection.enable()
  /// let before = recorder.snapshot()
  /// // The program runs.
  /// let now = recorder.snapshot().addingActivity(since: before)
  /// for node in now.nodes where node.findings.contains(.hot) { print(node.id, node.rate ?? 0) }
  /// ```
  ///
  /// The program's own time of the last value is preserved. Activity that was added to the earlier snapshot is carried
  /// over: so a node that is quiet in each snapshot becomes idle.
  ///
  /// - Parameters:
  ///   - before: An earlier snapshot of the same process; with nil, or that of another process, there is no rate, and
  ///     only a node that has lived long without any value is idle.
  ///   - thresholds: The thresholds for idle and hot nodes.
  /// - Returns: The snapshot; other findings stay.
  /// - Complexity: O(*n*) in the number of nodes.
  public func addingActivity(
    since before: GraphSnapshot?, thresholds: ActivityThresholds = ActivityThresholds()
  ) -> GraphSnapshot {
    var result = self
    let before = before.flatMap { $0.process == process && $0.takenAt < takenAt ? $0 : nil }
    let earlierNodes = before?.nodes ?? []
    // Numbers, not nodes: in a large graph nodes take ten times the memory.
    let earlier = Dictionary(zip(earlierNodes.lazy.map(\.id), earlierNodes.indices)) { first, _ in first }
    // A source is as old as its first known subscription.
    let ages = Dictionary(nodes.lazy.compactMap { node in node.since.map { (node.id, $0) } }) { first, _ in first }
    let firstUses = Dictionary(
      edges.lazy.compactMap { edge in ages[edge.target].map { (edge.source, $0) } }, uniquingKeysWith: min)
    for index in result.nodes.indices {
      result.nodes[index].addActivity(
        since: earlier[nodes[index].id].map { earlierNodes[$0] }, at: before?.takenAt,
        madeAt: nodes[index].since ?? firstUses[nodes[index].id],
        now: takenAt, idleSeconds: thresholds.idleSeconds)
    }
    let busiest = result.nodes.lazy.filter { $0.state == .live }.compactMap(\.rate).max() ?? 0
    let hotRate = max(thresholds.hotRate, busiest * thresholds.hotPart)
    for index in result.nodes.indices where result.nodes[index].state == .live {
      if let rate = result.nodes[index].rate, rate >= hotRate { result.nodes[index].findings.append(.hot) }
    }
    return result
  }
}

extension Node {
  /// - Parameters:
  ///   - earlier: This node in an earlier snapshot.
  ///   - lookedAt: The time of that snapshot, if there is one.
  fileprivate mutating func addActivity(
    since earlier: Node?, at lookedAt: Double?, madeAt: Double?, now: Double, idleSeconds: Double
  ) {
    findings.removeAll { $0 == .idle || $0 == .hot }
    // While a program records causes, it reports the time of the last one.
    let told = lastEventAt
    (rate, lastEventAt) = (nil, nil)
    // The earliest known time since which no value has passed.
    var quietSince: Double?
    if let earlier, let lookedAt {
      let passed = valueCount >= earlier.valueCount ? valueCount - earlier.valueCount : 0
      rate = Double(passed) / (now - lookedAt)
      if passed > 0 {
        lastEventAt = now
      } else if valueCount > 0 {
        lastEventAt = earlier.lastEventAt ?? lookedAt
        quietSince = lastEventAt
      } else {
        quietSince = madeAt ?? lookedAt
      }
    } else if valueCount == 0 {
      quietSince = madeAt
    } else if let lookedAt {
      lastEventAt = now
      // A new node began to count at its creation; a source with one node for all subscribers, some time before.
      if let since, now - max(since, lookedAt) >= 0.1 { rate = Double(valueCount) / (now - max(since, lookedAt)) }
    }
    if let told { (lastEventAt, quietSince) = (told, told) }
    // A node that retries repeatedly is busy, although no values pass.
    if let attempts { quietSince = quietSince.map { max($0, attempts.failedAt) } }
    if state == .live, let quietSince, now - quietSince >= idleSeconds { findings.append(.idle) }
    if state != .live { rate = nil }
  }
}
