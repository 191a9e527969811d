/// Something that is said about nodes of a picture: a number on each of them, and words in a list above the graph.
///
/// The number is its place in ``DrawingOptions/marks``, from 1.
public struct PictureMark: Hashable, Sendable {
  /// The nodes that it is about, by their `id`.
  public var nodes: Set<UInt64>
  /// What is said: one sentence.
  public var words: String
  /// The place in the source code, such as `Feed.swift:42`.
  public var place: String
  /// What to do: one sentence.
  public var remedy: String
  /// Whether it is wrong; otherwise it is likely to be.
  public var isError: Bool

  /// Makes a mark.
  ///
  /// - Parameters:
  ///   - nodes: The nodes that it is about, by their `id`.
  ///   - words: What is said.
  ///   - place: The place in the source code.
  ///   - remedy: What to do.
  ///   - isError: Whether it is wrong; otherwise it is likely to be.
  public init(nodes: Set<UInt64>, words: String, place: String, remedy: String, isError: Bool) {
    self.nodes = nodes
    self.words = words
    self.place = place
    self.remedy = remedy
    self.isError = isError
  }
}
