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

  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: library.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }.sorted()
  }

  private static let folders = ["Operators", "Combining", "Sources"]

  /// The public operators and sources, as the sources of the library have them, each with its file.
  private static func publicOperators() throws -> [(name: String, file: String)] {
    let pattern = /public (?:static )?func `?([A-Za-z]+)/
    let lifts = ["Core/API/Signal+Lift.swift", "Core/API/Signal.swift"]
    return try (folders.flatMap(files) + lifts).flatMap { file in
      try String(contentsOf: library.appending(path: file), encoding: .utf8).matches(of: pattern)
        .map { (String($0.1), file) }
    }
  }

  @Test func everyOperatorHasARow() throws {
    let operators = try Self.publicOperators()
    #expect(operators.count > 40)
    for (name, file) in operators {
      #expect(
        OperatorCatalogue.all.contains { $0.baseName == name && $0.file == file },
        "Add a row for \(name) of \(file) to Tests/OperatorCatalogue/Rows.")
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

  @Test func namesAreUnique() {
    let names = OperatorCatalogue.all.map(\.name) + OperatorCatalogue.forms.map { "form of " + $0.description }
    #expect(Set(names).count == names.count)
  }
}
