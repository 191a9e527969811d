public import SignalGraph
public import SignalPicture

/// How a picture of a given size is laid out in seconds rather than hours: the first steps keep every node, later
/// ones draw less.
///
/// The cost of layers grows with about the power 2.2 of the boxes within one component, so components are packed, and what
/// counts is the largest component. Clusters cannot be packed: with them, all boxes count.
public struct LayoutPlan: Hashable, Sendable {
  /// Above this many boxes linear runs are folded.
  static let foldingAbove = 1_500
  /// Above this many boxes in one component the simplex search is cut short.
  static let shortSearchAbove = 1_000
  /// Above this many boxes in one component, boxes of the same definition are drawn as one, then those of a file.
  static let collapsingAbove = 4_500

  /// The algorithm.
  public var engine: Graphviz.Engine
  /// The graph in Graphviz's language.
  public var dot: String
  /// The format that the text was made for: pixels and pages have a bounded size, vectors do not.
  public var format: PictureFormat

  /// What is drawn, for what is said of it in SVG.
  private var picture: GraphPicture?
  private var options = DrawingOptions()

  /// How many inches a side of a PNG picture may have, with 144 pixels each.
  private static let pixelPictureInches = 16.6
  /// Down to which scale the smallest letters of a picture in pixels can be read: they are 9 pixels high then.
  package static let legibleScale = 0.5

  /// How much smaller a layout is painted, so that it fits; 1 if it fits as it is.
  package static func scale(of picture: Graphviz.Picture, format: PictureFormat) -> Double {
    let largest = max(picture.width, picture.height)
    return format == .png && largest > 0 ? min(1, pixelPictureInches * 72 / largest) : 1
  }

  /// Plans the layout of a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The graph.
  ///   - format: SVG, PNG or PDF: pixels and pages have a bounded size.
  ///   - options: What is drawn, and in which direction.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot does not hang together.
  public init(
    for snapshot: GraphSnapshot, format: PictureFormat, options: DrawingOptions = DrawingOptions()
  ) throws(GraphSnapshotError) {
    var picture = try GraphPicture(of: snapshot, options: options)
    if picture.boxes.count > Self.foldingAbove { picture.foldLinearRuns() }
    func boxesThatCount() -> Int { options.clustersByFile ? picture.boxes.count : picture.largestComponent }
    if boxesThatCount() > Self.collapsingAbove { picture.collapseByDefinition() }
    if boxesThatCount() > Self.collapsingAbove { picture.collapseByFile() }
    self.init(of: picture, boxesThatCount: boxesThatCount(), format: format, options: options)
  }

  /// Plans the layout of several programs' snapshots, as one picture.
  ///
  /// - Parameters:
  ///   - snapshots: The graphs.
  ///   - format: SVG, PNG or PDF: pixels and pages have a bounded size.
  ///   - options: What is drawn, and in which direction.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if a snapshot does not hang together.
  package init(
    for snapshots: [GraphSnapshot], format: PictureFormat, options: DrawingOptions = DrawingOptions()
  ) throws(GraphSnapshotError) {
    var pictures = try ProgramPictures(of: snapshots, options: options)
    // Frames cannot be packed, so all boxes count.
    if pictures.boxCount > Self.collapsingAbove { pictures.reduce(to: Self.collapsingAbove) }
    self.init(of: pictures.picture, boxesThatCount: pictures.boxCount, format: format, options: options)
  }

  private init(of picture: GraphPicture, boxesThatCount size: Int, format: PictureFormat, options: DrawingOptions) {
    var attributes: [String: String] = [:]
    engine = size > Self.collapsingAbove ? .sfdp : .dot
    if engine == .sfdp { attributes["overlap"] = "scale" }
    if size > Self.shortSearchAbove {
      attributes["nslimit"] = "0.1"
      attributes["nslimit1"] = "0.1"
    }
    switch format {
    case .svg: break
    // At most 2,400 pixels, or a page of a metre: enough to read, small enough for any viewer.
    case .png:
      attributes["dpi"] = "144"
      attributes["size"] = "\(Self.pixelPictureInches),\(Self.pixelPictureInches)"
    case .pdf: attributes["size"] = "40,40"
    }
    self.format = format
    dot = picture.dot(options: options, graphAttributes: attributes)
    self.picture = picture
    self.options = options
  }

  /// Plans the layout of a graph that is text already.
  init(dot: String, format: PictureFormat) {
    engine = .dot
    self.dot = dot
    self.format = format
  }

  /// Lays out and paints in this process.
  ///
  /// - Returns: The bytes of the picture.
  /// - Throws: ``RenderingError`` with everything the library said.
  public func render() throws(RenderingError) -> [UInt8] {
    finished(try Graphviz.render(dot: dot, engine: engine, format: format))
  }

  /// The picture as it is written to a file: SVG gets colours for dark ground, words and roles.
  ///
  /// - Parameter bytes: The picture as libgraphviz has painted it.
  package func finished(_ bytes: [UInt8]) -> [UInt8] {
    guard format == .svg, let picture else { return bytes }
    return PaintedSVG.finished(bytes, PictureCaptions(of: picture, options: options))
  }
}
