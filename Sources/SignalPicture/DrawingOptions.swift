public import SignalGraph

/// How a graph is drawn.
public struct DrawingOptions: Hashable, Sendable {
  /// The direction in which values travel across the picture.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// From top to bottom.
    case down
    /// From left to right.
    case right
    /// Whichever of the two gives the better shape.
    case fitting
  }

  /// The direction in which values travel.
  public var direction: Direction
  /// Whether the nodes of a file are drawn inside a frame with its name.
  public var clustersByFile: Bool
  /// Whether a legend lists the looks that occur.
  public var showsLegend: Bool
  /// Whether nodes are drawn that finished or were disposed, and that nothing was found on.
  public var showsEnded: Bool
  /// From how many on equal chains are drawn as one with their number; `nil` draws each.
  public var bundlesFrom: Int?
  /// Whether runs of operators are drawn as one box.
  public var foldsLinearRuns: Bool
  /// How many boxes there may be, before less detail is drawn: see ``GraphPicture/reduce(to:)``. `nil` draws all detail.
  public var boxLimit: Int?
  /// Where a click on a node leads to.
  public var sourceLink: SourceLink?
  /// What is said about nodes, with numbers and a list.
  public var marks: [PictureMark] = []
  /// What is said of the whole picture, in lines above the list of marks.
  public var headings: [String] = []
  /// What has to be known before the picture is read, in letters of its own size.
  package var notice: PictureNotice?
  /// Whether the heading names the options of `signal-viz render` that show what was left out.
  package var namesOptions = false
  /// Whether programs run that are not in a picture of several, as they have not answered.
  package var hasSilentPrograms = false
  /// How nodes differ from an earlier look, by their `id`.
  public var changes: [UInt64: PictureChange] = [:]

  /// Makes options; without arguments, those of the command with `--ended`.
  ///
  /// - Parameters:
  ///   - direction: The direction in which values travel.
  ///   - clustersByFile: Whether the nodes of a file are drawn inside a frame with its name.
  ///   - showsLegend: Whether a legend lists the looks that occur.
  ///   - showsEnded: Whether nodes are drawn that ended, and that nothing was found on.
  ///   - bundlesFrom: From how many on equal chains are drawn as one with their number; `nil` draws each.
  ///   - foldsLinearRuns: Whether runs of operators are drawn as one box.
  ///   - boxLimit: How many boxes there may be, before less detail is drawn; `nil` draws all detail.
  ///   - sourceLink: Where a click on a node leads to.
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

extension GraphPicture {
  /// Makes the picture that the options ask for.
  ///
  /// - Parameters:
  ///   - snapshot: The graph.
  ///   - options: What is left out, bundled and folded.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot does not hang together.
  /// - Complexity: O(*n* log *n*) in nodes and edges.
  public init(of snapshot: GraphSnapshot, options: DrawingOptions) throws(GraphSnapshotError) {
    try self.init(of: snapshot)
    mark(options.marks)
    tell(options.changes)
    if !options.showsEnded { leaveOutEnded() }
    if let minimum = options.bundlesFrom { bundleEqualChains(atLeast: minimum) }
    if options.foldsLinearRuns { foldLinearRuns() }
    if let limit = options.boxLimit { reduce(to: limit) }
  }
}

extension GraphSnapshot {
  /// The graph in Graphviz's language; the same bytes whatever the order of nodes and edges.
  ///
  /// ```swift
  /// import SignalGraph
  ///
  /// func write(_ snapshot: GraphSnapshot) throws {
  ///   print(try snapshot.dot(options: DrawingOptions(direction: .right)))
  /// }
  /// ```
  ///
  /// - Parameter options: What is drawn, and in which direction.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot does not hang together.
  public func dot(options: DrawingOptions = DrawingOptions()) throws(GraphSnapshotError) -> String {
    try GraphPicture(of: self, options: options).dot(options: options)
  }

  /// The graph as a Mermaid flowchart; the same bytes whatever the order of nodes and edges.
  ///
  /// Mermaid refuses what has more than 50,000 characters or 500 edges, unless it is told otherwise. So where the options have a
  /// limit of boxes, the text has fewer boxes than that if it would be larger.
  ///
  /// - Parameter options: What is drawn, and in which direction.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot does not hang together.
  public func mermaid(options: DrawingOptions = DrawingOptions()) throws(GraphSnapshotError) -> String {
    try MermaidText(of: self, options: options).text
  }
}
