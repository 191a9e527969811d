/// The size of a layout in points, before it is scaled to the size that the graph asks for.
package struct LayoutSize: Hashable, Sendable {
  package var width: Double
  package var height: Double

  /// The maximum width and height of a PNG drawing in inches, with 144 pixels each.
  static let pixelPictureInches = 16.6
  /// The minimum scale at which the smallest text of a pixel drawing is legible: its glyphs are 9 pixels high then.
  package static let legibleScale = 0.5
  /// The largest ratio of the longer side to the shorter one.
  static let largestRatio = 2.2

  package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  /// The scale at which a layout fits into a PNG drawing; 1 if it fits unscaled.
  package var pixelScale: Double {
    let largest = max(width, height)
    return largest > 0 ? min(1, Self.pixelPictureInches * 72 / largest) : 1
  }

  /// The factor by which it misses a legible size and shape; 1 or less for one that does not.
  ///
  /// - Parameter countsShape: Whether the aspect ratio matters.
  func excess(countingShape countsShape: Bool) -> Double {
    let shape = min(width, height) > 0 ? max(width, height) / min(width, height) / Self.largestRatio : 1
    return max(Self.legibleScale / pixelScale, countsShape ? shape : 0)
  }
}
