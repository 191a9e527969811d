/// A table cell of fixed size: Graphviz distributes all available space among the cells of a table.
struct FixedCell {
  /// The width in points.
  var width: Int
  /// `LEFT` or `CENTER`.
  var align: String
  /// The attributes of the cell in DOT.
  var attributes = ""
  /// The content in DOT.
  var content: String

  /// The maximum width of text in 9-point type, with some space around it.
  static func width(of words: String) -> Int { 5 * words.count + 6 }

  /// Returns the cells side by side, left-aligned.
  static func table(_ cells: [FixedCell], height: Int, spacing: Int) -> String {
    let width = cells.reduce(spacing) { $0 + $1.width + spacing }
    let row = cells.map { $0.text(height: height) }.joined()
    return
      "<TABLE FIXEDSIZE=\"TRUE\" WIDTH=\"\(width)\" HEIGHT=\"\(height + 2 * spacing)\" ALIGN=\"LEFT\" BORDER=\"0\" CELLBORDER=\"0\""
      + " CELLSPACING=\"\(spacing)\" CELLPADDING=\"0\"><TR>\(row)</TR></TABLE>"
  }

  // Without VALIGN: Graphviz 2.42 misplaces cells of a fixed size that have it.
  private func text(height: Int) -> String {
    "<TD FIXEDSIZE=\"TRUE\" WIDTH=\"\(width)\" HEIGHT=\"\(height)\" ALIGN=\"\(align)\" \(attributes)>\(content)</TD>"
  }
}
