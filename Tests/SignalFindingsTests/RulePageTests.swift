import Foundation
import SignalFindings
import Testing

/// Every rule has its page in the documentation, and its row in the table of rules.
@Suite("pages of rules") struct RulePageTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/SignalInspector/SignalInspector.docc")

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.folder.appendingPathComponent(path), encoding: .utf8)
  }

  @Test(arguments: Rules.all.map { $0.name })
  func aRuleHasAPageWithTheFaultAndTheMendedCode(_ name: String) throws {
    let page = try text("Rules/\(name).md")
    #expect(page.hasPrefix("# \(name)\n"))
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(headings == ["## What it means", "## How it comes", "## How to fix it", "## When it is reported"])
    for section in page.components(separatedBy: "\n## ")
    where section.hasPrefix("How it comes") || section.hasPrefix("How to fix it") {
      #expect(section.contains("```swift\n"))
    }
  }

  @Test func eachRuleHasARowAndALinkInTheirOrder() throws {
    let names = Rules.all.map { $0.name }
    let lines = try text("WhatIsFound.md").components(separatedBy: "\n")
    let rows = lines.compactMap { $0.wholeMatch(of: /\| <doc:([a-z-]+)> \|.*/).map { String($0.1) } }
    let links = lines.compactMap { $0.wholeMatch(of: /- <doc:([a-z-]+)>/).map { String($0.1) } }
    #expect(rows == names)
    #expect(links == names)
  }

  @Test func theTableOfTestsNamesEachRuleOnce() throws {
    let article = "../../SignalTesting/SignalTesting.docc/Articles/CheckingThatAGraphIsHealthy.md"
    let sections = try text(article).components(separatedBy: "\n## ")
    let section = try #require(sections.first { $0.hasPrefix("Which rules can find something") })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let cells = rows.compactMap { $0.split(separator: "|").first }
    #expect(
      cells.flatMap { $0.matches(of: /`([a-z-]+)`/).map { String($0.1) } }.sorted()
        == Rules.all.map { $0.name }.sorted())
  }

  @Test func thereIsNoPageWithoutRule() throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appendingPathComponent("Rules").path)
    #expect(Set(pages) == Set(Rules.all.map { "\($0.name).md" }))
  }

  @Test func rulesHaveNamesOfTheirOwnAndSummaries() {
    let names = Rules.all.map { $0.name }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil })
    #expect(Rules.all.allSatisfy { !$0.summary.isEmpty })
  }
}
