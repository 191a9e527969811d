/// A callout for nodes of a drawing: a number on each of them, and an entry in a list above the graph.
///
/// The number is its position in ``DrawingOptions/marks``, from 1.
package struct PictureMark: Hashable, Sendable {
  /// The nodes that it refers to, by their `id`.
  package var nodes: Set<UInt64>
  /// The message, one sentence.
  package var words: String
  /// The source location, such as `Feed.swift:42`.
  package var place: String
  /// The remedy, one sentence.
  package var remedy: String
  /// Whether it is an error; otherwise it is a likely one.
  package var isError: Bool

  /// Creates a callout.
  ///
  /// - Parameters:
  ///   - nodes: The nodes that it refers to, by their `id`.
  ///   - words: The message.
  ///   - place: The source location.
  ///   - remedy: The remedy.
  ///   - isError: Whether it is an error; otherwise it is a likely one.
  package init(nodes: Set<UInt64>, words: String, place: String, remedy: String, isError: Bool) {
    self.nodes = nodes
    self.words = words
    self.place = place
    self.remedy = remedy
    self.isError = isError
  }
}
