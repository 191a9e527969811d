import Foundation
import Testing

/// The article that compares this kit with others names tests that there are.
@Suite struct HowItComparesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func files() throws -> [String: [URL]] {
    let tests = root.appending(path: "Tests")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
    let named = paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
      .map { ($0.split(separator: "/").last.map(String.init) ?? $0, tests.appending(path: $0)) }
    return Dictionary(grouping: named, by: \.0).mapValues { $0.map(\.1) }
  }

  @Test func everyRowNamesATest() throws {
    let article = Self.root.appending(path: "Sources/SignalTesting/SignalTesting.docc/Articles/HowItCompares.md")
    let files = try Self.files()
    let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| |") }
    #expect(rows.count > 25)
    for row in rows {
      let cell = row.split(separator: "|").last ?? ""
      let tests = cell.matches(of: /`(\w+\.swift)\/(\w+)`/)
      #expect(!tests.isEmpty, "No test is named: \(row)")
      for test in tests {
        let (file, function) = (String(test.output.1), String(test.output.2))
        let texts = try (files[file] ?? []).map { try String(contentsOf: $0, encoding: .utf8) }
        #expect(
          texts.contains { $0.contains("func \(function)(") }, "There is no test \(file)/\(function).")
      }
    }
  }
}
