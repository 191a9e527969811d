/// A cell of a table that does not grow with what is around it: Graphviz gives a table all the room that there is, and its cells equal parts of it.
struct FixedCell {
  /// In points.
  var width: Int
  /// `LEFT` or `CENTER`.
  var align: String
  /// Attributes of the cell in Graphviz's language.
  var attributes = ""
  /// What is in it, in Graphviz's language.
  var content: String

  /// How wide letters of 9 points are, at most, with some room beside them.
  static func width(of words: String) -> Int { 5 * words.count + 6 }

  /// The cells side by side, at the left.
  static func table(_ cells: [FixedCell], height: Int, spacing: Int) -> String {
    let width = cells.reduce(spacing) { $0 + $1.width + spacing }
    let row = cells.map { $0.text(height: height) }.joined()
    return
      "<TABLE FIXEDSIZE=\"TRUE\" WIDTH=\"\(width)\" HEIGHT=\"\(height + 2 * spacing)\" ALIGN=\"LEFT\" BORDER=\"0\" CELLBORDER=\"0\""
      + " CELLSPACING=\"\(spacing)\" CELLPADDING=\"0\"><TR>\(row)</TR></TABLE>"
  }

  // Without VALIGN: Graphviz 2.42 draws a cell of a fixed size that has it elsewhere.
  private func text(height: Int) -> String {
    "<TD FIXEDSIZE=\"TRUE\" WIDTH=\"\(width)\" HEIGHT=\"\(height)\" ALIGN=\"\(align)\" \(attributes)>\(content)</TD>"
  }
}
