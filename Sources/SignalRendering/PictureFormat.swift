/// A picture that libgraphviz can make.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  /// Scalable vector graphics, with a tooltip on each node.
  case svg
  /// Pixels.
  case png
  /// One page.
  case pdf
}
