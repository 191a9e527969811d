public import SignalGraph

/// The options for drawing a graph.
public struct DrawingOptions: Hashable, Sendable {
  /// The direction in which values travel across the drawing.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// From top to bottom.
    case down
    /// From left to right.
    case right
    /// The one of the two that gives the better shape.
    case fitting
  }

  /// The direction in which values travel.
  public var direction: Direction
  /// Whether the nodes of a file are drawn in a cluster with its name.
  public var clustersByFile: Bool
  /// Whether a legend lists the styles that occur.
  public var showsLegend: Bool
  /// Whether nodes that finished or were disposed are drawn, even without findings.
  public var showsEnded: Bool
  /// The number of equal chains from which on they are drawn as one group with their number; `nil` draws each.
  public var bundlesFrom: Int?
  /// Whether linear chains of operators are drawn as one box.
  public var foldsLinearRuns: Bool
  /// The maximum number of boxes before detail is reduced. `nil` draws all detail.
  public var boxLimit: Int?
  /// The target of a click on a node.
  public var sourceLink: SourceLink?
  /// The callouts of nodes, shown as numbers and in a list.
  package var marks: [PictureMark] = []
  /// The lines about the whole drawing, above the list of callouts.
  package var headings: [String] = []
  /// A notice to read before the drawing, in a font size of its own.
  package var notice: PictureNotice?
  /// What the heading adds where the picture has less detail than the graph, such as "--all shows each".
  package var detailHint: String?
  /// What the heading adds where nodes are left out because they have ended.
  package var endedHint: String?
  /// How nodes differ from an earlier look, by their `id`.
  package var changes: [UInt64: PictureChange] = [:]

  /// Creates options; without arguments, those of the command with `--ended`.
  ///
  /// - Parameters:
  ///   - direction: The direction in which values travel.
  ///   - clustersByFile: Whether the nodes of a file are drawn in a cluster with its name.
  ///   - showsLegend: Whether a legend lists the styles that occur.
  ///   - showsEnded: Whether nodes that ended are drawn, even without findings.
  ///   - bundlesFrom: The number of equal chains from which on they are drawn as one group with their number; `nil`
  ///     draws each.
  ///   - foldsLinearRuns: Whether linear chains of operators are drawn as one box.
  ///   - boxLimit: The maximum number of boxes before detail is reduced; `nil` draws all detail.
  ///   - sourceLink: The target of a click on a node.
  public init(
    direction: Direction = .fitting, clustersByFile: Bool = false, showsLegend: Bool = true, showsEnded: Bool = true,
    bundlesFrom: Int? = 3, foldsLinearRuns: Bool = false, boxLimit: Int? = 80, sourceLink: SourceLink? = nil
  ) {
    self.direction = direction
    self.clustersByFile = clustersByFile
    self.showsLegend = showsLegend
    self.showsEnded = showsEnded
    self.bundlesFrom = bundlesFrom
    self.foldsLinearRuns = foldsLinearRuns
    self.boxLimit = boxLimit
    self.sourceLink = sourceLink
  }
}

extension GraphSnapshot {
  /// The graph in Graphviz's DOT language; the same bytes whatever the order of nodes and edges.
  ///
  /// ```swift
  /// import SignalGraph
  /// import SignalRendering
  ///
  /// func write(_ snapshot: GraphSnapshot) throws {
  ///   print(try snapshot.dot(options: DrawingOptions(direction: .right)))
  /// }
  /// ```
  ///
  /// - Parameter options: The drawing options.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot is inconsistent.
  public func dot(options: DrawingOptions = DrawingOptions()) throws(GraphSnapshotError) -> String {
    try GraphPicture(of: self, options: options).dot(options: options)
  }

  /// The graph as a Mermaid flowchart; the same bytes whatever the order of nodes and edges.
  ///
  /// By default Mermaid rejects text with more than 50,000 characters or 500 edges. If the options have a limit of
  /// boxes, the text therefore has even fewer boxes if it would be larger.
  ///
  /// - Parameter options: The drawing options.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot is inconsistent.
  public func mermaid(options: DrawingOptions = DrawingOptions()) throws(GraphSnapshotError) -> String {
    try MermaidText(of: self, options: options).text
  }
}
