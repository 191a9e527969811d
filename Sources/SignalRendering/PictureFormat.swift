/// A picture that libgraphviz can make.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  /// Scalable vector graphics, in light and dark, with words for who listens to it or points at a box.
  case svg
  /// Pixels.
  case png
  /// One page.
  case pdf
}
