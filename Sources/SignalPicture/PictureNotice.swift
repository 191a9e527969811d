/// A notice to read before a drawing, such as that it is too small to be legible.
package struct PictureNotice: Hashable, Sendable {
  package var words: String
  /// The size of its font, in points.
  package var points: Int

  package init(_ words: String, points: Int) {
    self.words = words
    self.points = points
  }
}
