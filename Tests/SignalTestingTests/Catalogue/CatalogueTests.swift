import Foundation
import OperatorCatalogue
import Testing

/// The catalogue has everything that the library has, and the documents have everything that the catalogue has.
@Suite struct CatalogueTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let library = root.appending(path: "Sources/Signals")
  /// The page of the documentation that leads to every operator.
  private static let index = library.appending(path: "Signals.docc/WhichOperator.md")

  /// The public operators and sources of the core, wherever they are.
  private static func publicOperators() throws -> [PublicOperator] { try PublicOperator.all(of: library) }

  private static func rows(of function: PublicOperator) -> [OperatorEntry] {
    OperatorCatalogue.all.filter { $0.baseName == function.name && $0.file == function.file }
  }

  @Test func everyOperatorHasARow() throws {
    let operators = try Self.publicOperators()
    #expect(operators.count > 150)
    for function in operators {
      #expect(
        !Self.rows(of: function).isEmpty,
        "Add a row for \(function.name) of \(function.file) to Tests/OperatorCatalogue/Rows.")
    }
  }

  /// Functions of one name with different arguments are different operators to their users: each goes through the laws.
  @Test func everyOverloadHasAForm() throws {
    let operators = try Set(Self.publicOperators().filter { !$0.labels.isEmpty || !$0.isStatic })
    for overloads in Dictionary(grouping: operators, by: { "\($0.name) \($0.file)" }).values {
      guard let first = overloads.first else { continue }
      let rows = Self.rows(of: first).filter { $0.kind == .operator }
      guard !rows.isEmpty else { continue }
      let labels = Set(overloads.map(\.labels))
      #expect(
        rows.flatMap(\.forms).count >= labels.count,
        "Add a form for each of \(labels.map { "\(first.name)(\($0.map { $0 + ":" }.joined()))" }.sorted()).")
    }
  }

  /// The operators of other modules, which need a signal in front of them, stand in no row: tests of their own check their laws.
  @Test func operatorsOfOtherRoomsAreChecked() throws {
    let rooms = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
    let operators = try rooms.filter { !["Signals", "SignalTesting"].contains($0) }.flatMap { room in
      try PublicOperator.all(of: Self.root.appending(path: "Sources/\(room)"))
    }.filter { !$0.isStatic && $0.extended == "Signal" }
    #expect(Set(operators.map(\.name)).isSuperset(of: ["lines", "log"]))
    let tests = Self.root.appending(path: "Tests")
    let files = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
    let texts = try files.filter { $0.hasSuffix("Tests.swift") && !$0.contains(".build") }.map {
      try String(contentsOf: tests.appending(path: $0), encoding: .utf8).filter { !$0.isWhitespace }
    }
    for function in operators {
      #expect(
        texts.contains { $0.contains("expectLaws(of:OperatorContract(\"\(function.name)\"") },
        "Check the laws of \(function.name) of \(function.file).")
    }
  }

  @Test(arguments: OperatorCatalogue.all)
  func everyRowNamesAFile(entry: OperatorEntry) {
    #expect(FileManager.default.fileExists(atPath: Self.library.appending(path: entry.file).path), "\(entry.file)")
  }

  @Test(arguments: OperatorCatalogue.all)
  func everyOperatorIsChecked(entry: OperatorEntry) {
    #expect(entry.kind == .source || !entry.forms.isEmpty, "Add a form, so that the laws are checked.")
    let isCore = entry.file.hasPrefix("Core/")
    #expect(isCore || !entry.costs.isEmpty, "Add a sample, so that the page of costs has it.")
  }

  @Test(arguments: OperatorCatalogue.all)
  func everyOperatorIsInTheIndex(entry: OperatorEntry) throws {
    let text = try String(contentsOf: Self.index, encoding: .utf8)
    let isLinked = text.contains("doc:\(entry.page)")
    #expect(isLinked, "Add a link to \(entry.name) to \(Self.index.lastPathComponent).")
  }

  /// Lines that stand twice, or in a form of before, are what a merge leaves.
  @Test(arguments: ["WhichOperator.md", "Extensions/Signal.md"]) func noLineStandsTwice(page: String) throws {
    let text = try String(contentsOf: Self.library.appending(path: "Signals.docc/\(page)"), encoding: .utf8)
    let questions = text.split(separator: "\n").filter { $0.hasPrefix("- ") || $0.hasPrefix("| ") }
      .map { $0.hasPrefix("| ") ? $0.dropFirst(2).prefix { $0 != "|" } : $0 }.filter { !$0.hasPrefix("question") }
    let repeated = Dictionary(grouping: questions) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    #expect(questions.count > 60)
    #expect(repeated == [])
  }

  @Test func namesAreUnique() {
    let names = OperatorCatalogue.all.map(\.name) + OperatorCatalogue.forms.map { "form of " + $0.description }
    #expect(Set(names).count == names.count)
  }
}
