import Foundation
import Synchronization
import Testing

/// The tests of a suite have to fail, with the words of a guide: they are those that the guide shows, of a program that is not mended yet.
struct FailsAsTold: SuiteTrait, TestTrait, TestScoping {
  let guide: String
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let said = Mutex<[String]>([])
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      let words = issue.comments.map(\.rawValue).joined(separator: "\n")
      said.withLock { $0.append(words.trimmingCharacters(in: .newlines)) }
      return true
    }
    let guide = try Guide(named: guide)
    let quoted = try #require(guide.failure, "\(guide.name) does not say how its test fails.")
    try guide.expect(Self.asShown(said.withLock { $0.joined(separator: "\n\n") }, by: guide), in: quoted)
  }

  /// Places in the file of the test, as they are in the text that the guide shows.
  private static func asShown(_ words: String, by guide: Guide) throws -> String {
    let shown = try ShownTest(of: guide)
    return words.replacing(/(\w+)TestsBefore\.swift:([0-9]+)/) { match in
      "\(match.output.1)Tests.swift:\((Int(match.output.2) ?? 0) - shown.linesBefore)"
    }
  }
}

extension Trait where Self == FailsAsTold {
  /// The tests have to fail with the words of a guide.
  static func fails(asToldBy guide: String) -> FailsAsTold { FailsAsTold(guide: guide) }
}

/// The test that a guide shows, and the files in which it is run: before and after the program is mended.
struct ShownTest {
  /// The test without its imports.
  let text: [String]
  /// How many lines further down it is in the file that is run before.
  let linesBefore: Int

  init(of guide: Guide) throws {
    let name = try #require(guide.program)
    let block = try #require(guide.code.count == 2 ? guide.code.last : nil, "\(guide.name) shows no test.")
    let start = try #require(block.lines.firstIndex { $0.hasPrefix("@Test") })
    let text = Array(block.lines[start...])
    self.text = text
    let before = try Self.lines("\(name)TestsBefore.swift")
    let after = try Self.lines("\(name)Tests.swift")
    #expect(Array(after.suffix(text.count)) == text, "\(name)Tests.swift has another test than \(guide.name)")
    let indented = text.map { $0.isEmpty ? "" : "  \($0)" }
    let found = try #require(
      before.indices.first { Array(before[$0...].prefix(text.count)) == indented },
      "\(name)TestsBefore.swift has another test than \(guide.name)")
    linesBefore = found - start
  }

  private static func lines(_ file: String) throws -> [String] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Shown/\(file)")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }
}
