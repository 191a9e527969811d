/// A file format that libgraphviz can write.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  /// Scalable vector graphics, for light and dark mode, with captions for screen readers and tooltips.
  case svg
  /// Pixels.
  case png
  /// One page.
  case pdf
}
