public import SignalGraph
public import SignalPicture

/// Plans a layout that takes seconds even for a large graph: the first steps keep every node, later ones draw less. If
/// there are still too many boxes, `sfdp` replaces `dot`.
///
/// The cost of layers grows with about the power 2.2 of the boxes within one component, so components are packed, and
/// the largest component determines the cost. Clusters cannot be packed: with them, all boxes count.
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
  /// The format of the plan: pixels and pages have a bounded size, vectors do not.
  public var format: PictureFormat

  /// The content of the drawing, for its captions in SVG.
  private var picture: GraphPicture?
  /// The programs, if there are several.
  private var programs: ProgramPictures?
  private var options = DrawingOptions()
  /// The number of boxes that are laid out together.
  private var size = 0

  /// Plans the layout of a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The graph.
  ///   - format: SVG, PNG or PDF: pixels and pages have a bounded size.
  ///   - options: The content and the direction of the drawing.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot is inconsistent.
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

  /// Plans the layout of several programs' snapshots, as one drawing.
  ///
  /// - Parameters:
  ///   - snapshots: The graphs.
  ///   - format: SVG, PNG or PDF: pixels and pages have a bounded size.
  ///   - options: The content and the direction of the drawing.
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if a snapshot is inconsistent.
  package init(
    for snapshots: [GraphSnapshot], format: PictureFormat, options: DrawingOptions = DrawingOptions()
  ) throws(GraphSnapshotError) {
    var pictures = try ProgramPictures(of: snapshots, options: options)
    // Clusters cannot be packed, so all boxes count.
    if pictures.boxCount > Self.collapsingAbove { pictures.reduce(to: Self.collapsingAbove) }
    self.init(of: pictures, format: format, options: options)
  }

  private init(of pictures: ProgramPictures, format: PictureFormat, options: DrawingOptions) {
    self.init(of: pictures.picture, boxesThatCount: pictures.boxCount, format: format, options: options)
    programs = pictures
  }

  private init(of picture: GraphPicture, boxesThatCount size: Int, format: PictureFormat, options: DrawingOptions) {
    var attributes: [String: String] = [:]
    engine = size > Self.collapsingAbove ? .sfdp : .dot
    if engine == .sfdp { attributes["overlap"] = "scale" }
    if size > Self.shortSearchAbove {
      attributes["nslimit"] = "0.1"
      attributes["nslimit1"] = "0.1"
    } else if picture.links.count > GraphPicture.labelledLinks {
      (attributes["nslimit"], attributes["nslimit1"], attributes["mclimit"]) = ("2", "2", "0.5")
    }
    switch format {
    case .svg: break
    // At most 2,400 pixels, or a page of a metre: enough to read, small enough for any viewer.
    case .png:
      attributes["dpi"] = "144"
      attributes["size"] = "\(LayoutSize.pixelPictureInches),\(LayoutSize.pixelPictureInches)"
    case .pdf: attributes["size"] = "40,40"
    }
    self.format = format
    dot = picture.dot(options: options, graphAttributes: attributes)
    self.picture = picture
    self.options = options
    self.size = size
  }

  /// Whether the aspect ratio matters. It does not for fewer than 12 boxes, several programs, a drawing with one box for
  /// each node, or one with callouts.
  var countsShape: Bool {
    guard let picture, programs == nil else { return false }
    return picture.boxes.count >= 12 && picture.nodeCount > picture.boxes.count && picture.marks.isEmpty
  }

  /// The drawing of one program, if it may be changed for legibility.
  private var flexiblePicture: GraphPicture? {
    guard let limit = options.boxLimit, let picture, picture.programs == nil, picture.boxes.count <= limit else {
      return nil
    }
    return picture
  }

  /// The same boxes in the other direction and with fewer links, in the order of the attempts.
  var alternatives: [LayoutPlan] {
    guard let picture = flexiblePicture, picture.boxes.count >= 12 else { return [] }
    var sparse = picture
    // With at most one link for each box there is hardly a cycle, so most shapes are possible; wide fans are staggered
    // then.
    sparse.boundLinks(to: picture.boxes.count)
    let pictures = countsShape && sparse.links.count < picture.links.count ? [picture, sparse] : [picture]
    let known = options.direction == .fitting ? picture.direction(for: options) : options.direction
    let directions: [DrawingOptions.Direction] =
      options.direction != .fitting ? [known] : known == .down ? [.right, .down] : [.down, .right]
    return pictures.flatMap { picture in
      // Without this plan itself, which is tried first.
      directions.filter { picture.hiddenLinkCount != self.picture?.hiddenLinkCount || $0 != known }.map { direction in
        var options = options
        options.direction = direction
        return LayoutPlan(of: picture, boxesThatCount: size, format: format, options: options)
      }
    }
  }

  /// The same graph in at most two thirds of the boxes, but 8 or more, or one for each program; nil if that is not
  /// possible.
  var withLessDetail: LayoutPlan? {
    if let programs, options.boxLimit != nil { return withLessDetail(of: programs) }
    guard var picture = flexiblePicture, picture.boxes.count > 8 else { return nil }
    let count = picture.boxes.count
    picture.reduce(to: max(8, count * 2 / 3))
    guard picture.boxes.count < count else { return nil }
    return LayoutPlan(of: picture, boxesThatCount: picture.boxes.count, format: format, options: options)
  }

  private func withLessDetail(of programs: ProgramPictures) -> LayoutPlan? {
    guard programs.boxCount > 8 else { return nil }
    var smaller = programs
    smaller.reduce(to: max(8, programs.boxCount * 2 / 3))
    guard smaller.boxCount < programs.boxCount else { return nil }
    return LayoutPlan(of: smaller, format: format, options: options)
  }

  /// The same layout with a notice above it.
  package func adding(_ notice: PictureNotice) -> LayoutPlan {
    guard let picture else { return self }
    var options = options
    options.notice = notice
    return LayoutPlan(of: picture, boxesThatCount: size, format: format, options: options)
  }

  /// Plans the layout of a graph in Graphviz's language.
  init(dot: String, format: PictureFormat) {
    engine = .dot
    self.dot = dot
    self.format = format
  }

  /// Lays out and paints in this process.
  ///
  /// - Returns: The bytes of the drawing.
  /// - Throws: ``RenderingError`` with all messages of the library.
  public func render() throws(RenderingError) -> [UInt8] {
    finished(try Graphviz.render(dot: dot, engine: engine, format: format))
  }

  /// The drawing as it is written to a file: SVG gets dark mode colours, captions and roles.
  ///
  /// - Parameter bytes: The drawing as painted by libgraphviz.
  package func finished(_ bytes: [UInt8]) -> [UInt8] {
    guard format == .svg, let picture else { return bytes }
    return PaintedSVG.finished(bytes, PictureCaptions(of: picture, options: options))
  }
}
