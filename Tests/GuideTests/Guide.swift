import Foundation

/// An article that is followed step by step: its code, its commands and what they say, in order.
struct Guide {
  /// A piece of code, between lines of three backticks.
  struct Block {
    var language: String
    var lines: [String]
    /// Where it begins in the article.
    var line: Int

    var words: String { lines.joined(separator: "\n") }
  }

  /// The guides, by the names of their articles.
  static let names = ["FindALeak", "WhyDoesNothingArrive", "WhyTwice", "WhoIsFillingMemory"]
  /// The folder that the package is in.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// Where the articles are.
  static let folder = package.appendingPathComponent("Sources/SignalInspector/SignalInspector.docc")

  var name: String
  var text: String
  var blocks: [Block] = []

  init(named name: String) throws {
    self.name = name
    text = try String(contentsOf: Self.folder.appendingPathComponent("Guides/\(name).md"), encoding: .utf8)
    var open: Block?
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        if let block = open { blocks.append(block) }
        open = open == nil ? Block(language: String(line.dropFirst(3)), lines: [], line: number + 1) : nil
      } else {
        open?.lines.append(String(line))
      }
    }
  }

  /// The blocks of Swift code: the program, and its test.
  var code: [Block] { blocks.filter { $0.language == "swift" } }

  /// What the test says before the program is mended: the text below the test.
  var failure: Block? {
    guard let test = code.last else { return nil }
    return blocks.first { $0.line > test.line && $0.language == "text" }
  }

  /// The name of the program: that of the type which is run.
  var program: String? {
    guard let lines = code.first?.lines, let main = lines.firstIndex(of: "@main"), main + 1 < lines.count else {
      return nil
    }
    return lines[main + 1].split(separator: " ").dropFirst().first.map(String.init)
  }
}

extension String {
  /// The text without what differs from run to run: each number is `#`, except the lines of places such as `Feed.swift:42`.
  var withoutFigures: String {
    replacing(/(?:\.swift:[0-9]+)|(?:[0-9]+(?:[.,][0-9]+)*)/) { match in
      match.output.hasPrefix(".swift:") ? match.output : "#"
    }
  }
}
