import Foundation
import Synchronization
import Testing

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
  private var file: URL
  var text: String
  var blocks: [Block] = []

  init(named name: String) throws {
    self.name = name
    file = Self.folder.appendingPathComponent("Guides/\(name).md")
    text = try String(contentsOf: file, encoding: .utf8)
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

  /// Whether what is quoted is to be written anew.
  static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1"
  private static let updates = Mutex(())

  /// Checks that what is quoted is what was said, but for numbers; or writes it anew.
  func expect(_ words: String, in block: Block) throws {
    if let difference = try difference(of: words, to: block) { Issue.record(difference) }
  }

  /// The place and what was said, if that is not what is quoted there, but for numbers. When updating, writes it anew instead.
  func difference(of words: String, to block: Block) throws -> Comment? {
    guard words.withoutFigures != block.words.withoutFigures else { return nil }
    guard Self.isUpdating else {
      return "\(name).md:\(block.line) does not say:\n\(words)"
    }
    try Self.updates.withLock { _ in
      let text = try String(contentsOf: file, encoding: .utf8)
      try Data(
        text.replacing("```text\n\(block.words)\n```\n", with: "```text\n\(words)\n```\n", maxReplacements: 1).utf8
      )
      .write(to: file)
    }
    return nil
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
