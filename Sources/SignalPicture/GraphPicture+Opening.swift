package import SignalGraph

extension GraphPicture {
  /// Creates the drawing described by the options, but draws some nodes separately, as in a drawing of their own,
  /// because the reader has opened a box that represents them.
  ///
  /// - Parameters:
  ///   - snapshot: The graph.
  ///   - options: Determines what is omitted, grouped and folded; opened nodes have one box each, if they are no more
  ///     than `limit`.
  ///   - opened: The nodes by their `id`.
  ///   - limit: The maximum number of opened nodes with one box each.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot is inconsistent.
  package init(
    of snapshot: GraphSnapshot, options: DrawingOptions, opening opened: Set<UInt64>, limit: Int
  ) throws(GraphSnapshotError) {
    guard !opened.isEmpty else {
      try self.init(of: snapshot, options: options)
      return
    }
    let others = Set(snapshot.nodes.map(\.id)).subtracting(opened)
    try self.init(of: snapshot.part(of: others), options: options)
    var detailed = options
    if opened.count <= limit { (detailed.bundlesFrom, detailed.boxLimit) = (nil, nil) }
    let apart = try GraphPicture(of: snapshot.part(of: opened), options: detailed)
    add(apart, with: snapshot)
  }
}
