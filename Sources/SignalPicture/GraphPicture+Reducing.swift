import SignalGraph

extension GraphPicture {
  /// The minimum number of boxes at which a drawing of modules is informative enough.
  private static let fewestModules = 12

  /// Reduces detail, step by step, until there are at most `limit` boxes and the drawing is neither too wide nor too
  /// high.
  ///
  /// Linear chains are folded; chains that differ only in names are grouped; long chains are folded further; then boxes
  /// are drawn by definition, by owner or by function if that is enough, by file, by module if there are enough of
  /// them; then the least busy as one. Each step is described in ``notes``. Boxes with a callout or an end of a
  /// channel, and up to a quarter of the boxes with a fault, are drawn separately for as long as possible. Finally the
  /// links are limited to 1.5 for each box of the limit.
  ///
  /// - Parameter limit: The maximum number of boxes.
  /// - Complexity: O(*n* log *n*) in boxes and links, for each round of bundling.
  package mutating func reduce(to limit: Int) {
    var isTooMuch: Bool { boxes.count > limit }
    keepApart([])
    showAllLinks()
    if isTooMuch || !PictureShape.best(of: self).isLegible { foldLinearRuns() }
    if isTooMuch { bundleEqualChains(atLeast: 2, ignoringNames: true) }
    if isTooMuch { foldLinearRuns() }
    // A long chain needs no more than half of the space.
    if isTooMuch { foldLongRuns(to: max(limit / 2, 1)) }
    if isTooMuch { foldLongRuns(to: limit) }
    if isTooMuch { collapseByDefinition() }
    if isTooMuch { foldLinearRuns() }
    if isTooMuch { keepFaultsApart(upTo: limit / 4) }
    if isTooMuch { attempt(within: limit) { $0.collapseByOwner() } }
    if isTooMuch { attempt(within: limit) { $0.collapseByFunction() } }
    if isTooMuch { collapseByFile() }
    if isTooMuch {
      // A few modules would say less than the busiest files.
      var byModule = self
      byModule.collapseByModule()
      if byModule.boxes.count >= Self.fewestModules { self = byModule }
    }
    // Many unconnected boxes soon make a wide row.
    if isTooMuch { collapseLeastBusy(to: max(limit / 2, 1)) }
    boundLinks(to: max(limit * 3 / 2, 1))
  }

  /// Takes a step only if it is sufficient: otherwise a coarser step would merge the same boxes again.
  private mutating func attempt(within limit: Int, _ step: (inout GraphPicture) -> Void) {
    var smaller = self
    step(&smaller)
    if smaller.boxes.count <= limit { self = smaller }
  }
}
