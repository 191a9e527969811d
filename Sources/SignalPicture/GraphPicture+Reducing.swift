import SignalGraph

extension GraphPicture {
  /// Draws less detail, step by step, until there are at most so many boxes and they make a picture that is neither a strip nor a column.
  ///
  /// Runs of operators are folded; chains that differ only in names are bundled; then boxes are drawn by definition, by file, by module; then the least
  /// busy as one. Each step is told in ``notes``. What has a mark is drawn with its own box for as long as possible.
  ///
  /// - Parameter limit: How many boxes there may be.
  /// - Complexity: O(*n* log *n*) in boxes and links, for each round of bundling.
  public mutating func reduce(to limit: Int) {
    var isTooMuch: Bool { boxes.count > limit }
    if isTooMuch || !PictureShape.best(of: self).isLegible { foldLinearRuns() }
    if isTooMuch { bundleEqualChains(atLeast: 2, ignoringNames: true) }
    if isTooMuch { foldLinearRuns() }
    if isTooMuch { collapseByDefinition() }
    if isTooMuch { foldLinearRuns() }
    if isTooMuch { collapseByFile() }
    if isTooMuch { collapseByModule() }
    // Modules beside each other are a strip soon.
    if isTooMuch { collapseLeastBusy(to: max(limit / 2, 1)) }
  }
}
