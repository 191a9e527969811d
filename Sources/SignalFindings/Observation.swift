package import SignalGraph

/// The input of rules: a graph, and its earlier state if it was watched.
package struct Observation: Sendable {
  /// The graph.
  package let now: GraphView
  /// The earlier graph of the same process.
  package let before: GraphView?
  /// The meaning of the time between the two.
  package let time: Time
  /// Snapshots of the same graph shortly after ``now``, if any: a backlog must still be there in them.
  package var later: [GraphView] = []

  /// The meaning of the time that passes while a graph is watched.
  package enum Time: Sendable {
    /// The real time of a running program: rates are reported.
    case real
    /// The virtual time of a test: rates are reported, but the time until an event means nothing.
    case virtual
    /// The arbitrary duration of a test: it is not reported, and ``Observation/seconds`` is 0.
    case none
  }

  /// Creates an observation of one or two snapshots.
  ///
  /// - Parameters:
  ///   - now: The graph.
  ///   - before: The earlier graph. Ignored if it is of another process. Ignored if it is not earlier, unless `time` is
  ///     ``Time/none``.
  ///   - time: The meaning of the time between the two.
  package init(_ now: GraphSnapshot, since before: GraphSnapshot? = nil, time: Time = .real) {
    self.init(GraphView(now), since: before.map(GraphView.init), time: time)
  }

  /// Creates an observation of one or two graphs, for callers that observe a graph several times; see the other
  /// initialiser.
  package init(_ now: GraphView, since before: GraphView?, time: Time) {
    self.now = now
    self.time = time
    let isEarlier = before.map { before in
      before.snapshot.process == now.snapshot.process
        && (time == .none || before.snapshot.takenAt < now.snapshot.takenAt)
    }
    self.before = isEarlier == true ? before : nil
  }

  /// The time for which the graph was watched, in seconds; 0 without an earlier snapshot, and if the time means
  /// nothing.
  package var seconds: Double {
    guard time != .none, let before else { return 0 }
    // At least a millisecond, so that rates are finite.
    return max(0.001, now.snapshot.takenAt - before.snapshot.takenAt)
  }

  /// The number of values that passed a node while the graph was watched; since its creation if it did not exist
  /// before, or if the graph was not watched.
  ///
  /// - Parameter node: A node of ``now``.
  /// - Returns: The number of values.
  package func values(of node: Node) -> UInt64 {
    let earlier = before?.nodes[node.id]?.valueCount ?? 0
    return node.valueCount >= earlier ? node.valueCount - earlier : 0
  }

  /// The number of values that the source of a connection delivered while the graph was watched; see ``values(of:)``.
  func values(by edge: Edge) -> UInt64 { now.nodes[edge.source].map(values(of:)) ?? 0 }

  /// The number of values that a connection has carried since its creation; nil if unknown. Values that a source sent
  /// before it had this subscriber do not count.
  func valuesInLife(by edge: Edge) -> UInt64? {
    guard let source = now.nodes[edge.source] else { return nil }
    return source.since == nil ? edge.count : source.valueCount
  }

  /// Whether a node was alive when the watch began, and still is.
  ///
  /// - Parameter node: A node of ``now``.
  /// - Returns: Whether it is live in both snapshots.
  package func hasStayed(_ node: Node) -> Bool { node.state == .live && before?.nodes[node.id]?.state == .live }
}
