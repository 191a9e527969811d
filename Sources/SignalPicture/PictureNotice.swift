/// What has to be known before a picture is read, such as that it is too small to be read.
package struct PictureNotice: Hashable, Sendable {
  package var words: String
  /// How large its letters are, in points.
  package var points: Int

  package init(_ words: String, points: Int) {
    self.words = words
    self.points = points
  }
}
