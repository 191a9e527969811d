public import SignalGraph
public import SignalPicture

extension GraphSnapshot {
  /// Draws the graph.
  ///
  /// ```swift
  /// import Foundation
  /// import SignalGraph
  /// import SignalRendering
  ///
  /// func draw(_ snapshot: GraphSnapshot) throws {
  ///   let options = DrawingOptions(direction: .right, clustersByFile: true)
  ///   let picture = try snapshot.rendered(as: .svg, options: options)
  ///   try Data(picture).write(to: URL(fileURLWithPath: "graph.svg"))
  /// }
  /// ```
  ///
  /// The same snapshot gives the same bytes, whatever the order of its nodes and edges, with the same library and
  /// fonts. Thread-safe; concurrent calls wait for each other. See ``Graphviz`` for the library's effects on the
  /// process.
  ///
  /// - Parameters:
  ///   - format: SVG, PNG or PDF.
  ///   - options: The content and the direction of the drawing.
  /// - Returns: The bytes of a file of that format.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` for an inconsistent snapshot, ``RenderingError`` with the library's
  ///   messages.
  /// - Complexity: Laying out takes most of the time, and grows faster than the graph: large graphs are drawn with less
  ///   detail, see ``LayoutPlan``.
  public func rendered(as format: PictureFormat, options: DrawingOptions = DrawingOptions()) throws -> [UInt8] {
    let plan = try LayoutPlan(for: self, format: format, options: options)
    let found = try LegibleLayout.first(of: plan, isTooLarge: { _ in false }) { plan, _ in
      let picture = try Graphviz.draw(dot: plan.dot, engine: plan.engine, format: format)
      return (picture.bytes, picture.size)
    }
    return found.plan.finished(found.drawn)
  }
}
