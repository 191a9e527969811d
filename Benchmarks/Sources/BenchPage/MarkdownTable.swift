/// A table in Markdown: the first column on the left, numbers on the right.
enum MarkdownTable {
  static func text(_ header: [String], _ rows: [[String]], leftColumns: Set<Int> = [0]) -> String {
    let rule = header.indices.map { leftColumns.contains($0) ? "---" : "---:" }
    return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }
}
