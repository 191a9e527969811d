/// From when on a node is called idle, or hot.
public struct ActivityThresholds: Hashable, Sendable {
  /// For how many seconds nothing has to have passed a live node, for ``Node/Finding/idle``.
  public var idleSeconds: Double
  /// How many values a second have to have passed it, for ``Node/Finding/hot``.
  public var hotRate: Double
  /// What part that has to be of those that passed the busiest node, for ``Node/Finding/hot``.
  public var hotPart: Double

  /// Makes thresholds.
  ///
  /// - Parameters:
  ///   - idleSeconds: From how many seconds without a value on a node is idle.
  ///   - hotRate: From how many values a second on a node is hot.
  ///   - hotPart: What part that has to be of the busiest node's.
  public init(idleSeconds: Double = 60, hotRate: Double = 100, hotPart: Double = 0.5) {
    self.idleSeconds = idleSeconds
    self.hotRate = hotRate
    self.hotPart = hotPart
  }
}

extension GraphSnapshot {
  /// This snapshot with what only several looks at a graph tell: ``Node/rate``, ``Node/lastEventAt``, and which nodes are idle or hot.
  ///
  /// A program only counts. So whoever looks at it twice computes the rest from the two counts:
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
  /// A time of the last value that the program itself has noted stays. Where an earlier snapshot has been given its activity too, what it knows is kept: so a node that was quiet from look to look becomes idle.
  ///
  /// - Parameters:
  ///   - before: An earlier snapshot of the same process; with nil, or that of another process, there is no rate, and idle is only what has lived long
  ///     without any value.
  ///   - thresholds: From when on a node is idle or hot.
  /// - Returns: The snapshot; other findings stay.
  /// - Complexity: O(*n*) in the number of nodes.
  public func addingActivity(
    since before: GraphSnapshot?, thresholds: ActivityThresholds = ActivityThresholds()
  ) -> GraphSnapshot {
    var result = self
    let before = before.flatMap { $0.process == process && $0.takenAt < takenAt ? $0 : nil }
    let earlierNodes = before?.nodes ?? []
    // Numbers, and no nodes: of a large graph these take ten times the memory.
    let earlier = Dictionary(zip(earlierNodes.lazy.map(\.id), earlierNodes.indices)) { first, _ in first }
    // A source is as old as its first subscription, as far as is known.
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
  ///   - lookedAt: When that was taken, if there is one.
  fileprivate mutating func addActivity(
    since earlier: Node?, at lookedAt: Double?, madeAt: Double?, now: Double, idleSeconds: Double
  ) {
    findings.removeAll { $0 == .idle || $0 == .hot }
    // While a program notes causes, it tells the time of the last one.
    let told = lastEventAt
    (rate, lastEventAt) = (nil, nil)
    // Since when nothing has passed, as far as is known.
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
      // What is new began to count when it was made; a source that stands for all its subscribers, some time before.
      if let since, now - max(since, lookedAt) >= 0.1 { rate = Double(valueCount) / (now - max(since, lookedAt)) }
    }
    if let told { (lastEventAt, quietSince) = (told, told) }
    // Who tries again and again is busy, though nothing passes.
    if let attempts { quietSince = quietSince.map { max($0, attempts.failedAt) } }
    if state == .live, let quietSince, now - quietSince >= idleSeconds { findings.append(.idle) }
    if state != .live { rate = nil }
  }
}
