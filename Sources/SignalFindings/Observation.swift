package import SignalGraph

/// What rules look at: a graph, and if it was watched for a while, how it was before.
package struct Observation: Sendable {
  /// The graph.
  package let now: GraphView
  /// The graph before, of the same process.
  package let before: GraphView?
  /// What the time between the two is worth.
  package let time: Time
  /// Looks at the same graph shortly after ``now``, where there are any: what is reported must still hold then.
  package var later: [GraphView] = []

  /// What the time is worth that passes while a graph is watched.
  package enum Time: Sendable {
    /// It is that of a program that runs: rates are told.
    case real
    /// It is the virtual time of a test: rates are told, but how soon something happened says nothing.
    case virtual
    /// It is as long as a test happened to take, so it is not told, and ``Observation/seconds`` is 0.
    case none
  }

  /// Makes an observation of one or two snapshots.
  ///
  /// - Parameters:
  ///   - now: The graph.
  ///   - before: The graph before. It is left out if it is of another process, or was not taken before.
  ///   - time: What the time between the two is worth.
  package init(_ now: GraphSnapshot, since before: GraphSnapshot? = nil, time: Time = .real) {
    self.now = GraphView(now)
    self.time = time
    if let before, before.process == now.process, time == .none || before.takenAt < now.takenAt {
      self.before = GraphView(before)
    } else {
      self.before = nil
    }
  }

  /// How long the graph was watched, in seconds; 0 without an earlier snapshot, and where the time is worth nothing.
  package var seconds: Double {
    guard time != .none, let before else { return 0 }
    return max(0.001, now.snapshot.takenAt - before.snapshot.takenAt)
  }

  /// How many values passed a node while the graph was watched; since it was made, if it was not there before or nobody watched.
  ///
  /// - Parameter node: A node of ``now``.
  /// - Returns: The number of values.
  package func values(of node: Node) -> UInt64 {
    let earlier = before?.nodes[node.id]?.valueCount ?? 0
    return node.valueCount >= earlier ? node.valueCount - earlier : 0
  }

  /// How many values came by a connection while the graph was watched, as ``values(of:)`` says.
  func values(by edge: Edge) -> UInt64 { now.nodes[edge.source].map(values(of:)) ?? 0 }

  /// How many values came by a connection since it was made; nil where that is not known: what a source sent before somebody subscribed to it has not
  /// come there.
  func valuesInLife(by edge: Edge) -> UInt64? {
    guard let source = now.nodes[edge.source] else { return nil }
    return source.since == nil ? edge.count : source.valueCount
  }

  /// Whether a node was there, alive, all the time that the graph was watched.
  ///
  /// - Parameter node: A node of ``now``.
  /// - Returns: Whether it was there before and lives.
  package func hasStayed(_ node: Node) -> Bool { node.state == .live && before?.nodes[node.id]?.state == .live }
}
