package import SignalGraph

extension GraphPicture {
  /// Makes the picture that the options ask for, but draws some nodes apart from the others, as it would draw them alone: where the reader has opened a
  /// box that stands for them.
  ///
  /// - Parameters:
  ///   - snapshot: The graph.
  ///   - options: What is left out, bundled and folded; of what was opened one box for each node, if they are no more than `limit`.
  ///   - opened: The nodes by their `id`.
  ///   - limit: Of how many nodes each is drawn.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot does not hang together.
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
