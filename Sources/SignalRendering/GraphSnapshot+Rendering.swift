public import SignalGraph
public import SignalPicture

extension GraphSnapshot {
  /// Draws the graph.
  ///
  /// The same snapshot gives the same bytes, whatever the order of its nodes and edges, with the same library and
  /// fonts. Safe to call from any thread; calls wait for each other. See ``Graphviz`` for what the library may do to
  /// the process.
  ///
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` for a snapshot that does not hang together, ``RenderingError`` with what the
  ///   library said.
  public func rendered(as format: PictureFormat, options: DrawingOptions = DrawingOptions()) throws -> [UInt8] {
    try LayoutPlan(for: self, format: format, options: options).render()
  }
}
