import Foundation
import Testing

/// Operators without a closure declare `runsNoClosure`, and no others: read from the sources of the library.
@Suite struct ClosureFreeOperatorTests {
  private static let library = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Signals")

  /// Operators without a closure that may have an effect nevertheless.
  private static let exceptions: [String: String] = [
    "append": "subscribes to another signal later",
    "assertNoFailure": "stops the program",
    "concat": "subscribes to another signal later",
    "dematerialize": "fails by itself",
    "flatten": "subscribes to other signals later",
    "ifEmpty": "subscribes to another signal later",
    "multicast": "shares",
    "print": "prints",
    "race": "has left signals that may have had an effect",
    "retry(after:)": "uses a generator of the program",
    "share": "shares",
    "switchToLatest": "subscribes to other signals later",
    "timeout": "fails by itself, or subscribes to another signal later",
  ]

  /// What a function of the sources declares at one place.
  private struct Declaration {
    let kind: String
    let hasClosure: Bool
    let runsNoClosure: Bool
    let file: String
  }

  private static func declarations() throws -> [Declaration] {
    try ["Operators", "Combining"].flatMap { folder in
      let url = library.appending(path: folder)
      return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().flatMap { name in
        let text = try String(contentsOf: url.appending(path: name), encoding: .utf8)
        return declarations(in: text, file: name)
      }
    }
  }

  private static func declarations(in text: String, file: String) -> [Declaration] {
    let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    return code.components(separatedBy: "func ").dropFirst().flatMap { function in
      let parameters = CodeScanner.inside(function[(function.firstIndex(of: "(") ?? function.startIndex)...])
      return function.matches(of: /\bSite\(\s*"(?<kind>[^"]+)"/).map { match in
        let open = function[match.range].firstIndex(of: "(") ?? match.range.lowerBound
        return Declaration(
          kind: String(match.kind), hasClosure: parameters.contains("->"),
          runsNoClosure: CodeScanner.inside(function[open...]).contains(".runsNoClosure"), file: file)
      }
    }
  }

  @Test func operatorsWithoutClosureDeclareIt() throws {
    let all = try Self.declarations()
    #expect(all.count > 90)
    #expect(all.filter(\.runsNoClosure).count > 50)
    for declaration in all where !declaration.hasClosure && Self.exceptions[declaration.kind] == nil {
      #expect(
        declaration.runsNoClosure,
        "Declare that \(declaration.kind) of \(declaration.file) runs no closure, or add it to the exceptions.")
    }
  }

  @Test func operatorsWithClosureDoNotDeclareIt() throws {
    for declaration in try Self.declarations() where declaration.hasClosure || Self.exceptions[declaration.kind] != nil
    {
      #expect(!declaration.runsNoClosure, "\(declaration.kind) of \(declaration.file) may have an effect.")
    }
  }

  @Test func exceptionsExist() throws {
    let kinds = try Set(Self.declarations().filter { !$0.hasClosure }.map(\.kind))
    #expect(Set(Self.exceptions.keys).subtracting(kinds) == [])
  }
}
