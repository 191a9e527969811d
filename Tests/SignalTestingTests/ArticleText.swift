import Foundation
import Testing

/// An article of the documentation: its code has to be that of a test.
struct ArticleText {
  let blocks: [String]
  /// The first sample of a message.
  let message: String

  init(_ article: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("Sources/SignalTesting/SignalTesting.docc/Articles/\(article).md"),
      encoding: .utf8)
    func blocks(_ language: String) -> [String] {
      text.components(separatedBy: "\n```\n").compactMap { part in
        part.range(of: "```\(language)\n").map { String(part[$0.upperBound...]) }
      }
    }
    self.blocks = blocks("swift")
    message = blocks("text").first ?? ""
  }

  /// Checks that each paragraph of each block stands in a source file, but for imports and `@Test`.
  func expectCode(in file: String, source: SourceLocation = #_sourceLocation) throws {
    let code = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!blocks.isEmpty, sourceLocation: source)
    for block in blocks {
      let lines = block.replacing("@Test ", with: "").split(separator: "\n", omittingEmptySubsequences: false)
      let text = lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
      for paragraph in text.components(separatedBy: "\n\n") {
        #expect(code.contains(paragraph.trimmingCharacters(in: .newlines)), sourceLocation: source)
      }
    }
  }

  /// A message without what differs from run to run: spaces, numbers, and rows of threads.
  static func plain(_ message: String) -> String {
    message.split(separator: "\n").filter { !$0.contains("thread ") }.joined(separator: " ")
      .replacing(/[0-9]+/, with: "N").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
