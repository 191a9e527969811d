import SignalGraph

extension GraphPicture {
  /// In so many boxes the modules of a program say enough of it.
  private static let fewestModules = 12

  /// Draws less detail, step by step, until there are at most so many boxes and they make a picture that is neither a strip nor a column.
  ///
  /// Runs of operators are folded; chains that differ only in names are bundled; long runs are folded further; then boxes are drawn by definition, by
  /// owner or by function if that is enough, by file, by module if there are enough of them; then the least busy as one. Each step is told in ``notes``.
  /// What has a mark or is an end of a channel, and up to a quarter of the boxes with a fault, are drawn with their own boxes for as long as possible. At
  /// last the links are bounded to 1.5 for each box of the limit.
  ///
  /// - Parameter limit: How many boxes there may be.
  /// - Complexity: O(*n* log *n*) in boxes and links, for each round of bundling.
  public mutating func reduce(to limit: Int) {
    var isTooMuch: Bool { boxes.count > limit }
    keepApart([])
    showAllLinks()
    if isTooMuch || !PictureShape.best(of: self).isLegible { foldLinearRuns() }
    if isTooMuch { bundleEqualChains(atLeast: 2, ignoringNames: true) }
    if isTooMuch { foldLinearRuns() }
    // A long run needs no more than half of the room.
    if isTooMuch { foldLongRuns(to: max(limit / 2, 1)) }
    if isTooMuch { foldLongRuns(to: limit) }
    if isTooMuch { collapseByDefinition() }
    if isTooMuch { foldLinearRuns() }
    if isTooMuch { keepFaultsApart(upTo: limit / 4) }
    if isTooMuch { attempt(within: limit) { $0.collapseByOwner() } }
    if isTooMuch { attempt(within: limit) { $0.collapseByFunction() } }
    if isTooMuch { collapseByFile() }
    if isTooMuch {
      // A few boxes would say less than the busiest files.
      var byModule = self
      byModule.collapseByModule()
      if byModule.boxes.count >= Self.fewestModules { self = byModule }
    }
    // Many beside each other are a strip soon.
    if isTooMuch { collapseLeastBusy(to: max(limit / 2, 1)) }
    boundLinks(to: max(limit * 3 / 2, 1))
  }

  /// Takes a step only if it is enough: what it draws as one would be drawn with others else, in a coarser step.
  private mutating func attempt(within limit: Int, _ step: (inout GraphPicture) -> Void) {
    var smaller = self
    step(&smaller)
    if smaller.boxes.count <= limit { self = smaller }
  }
}
