import Foundation
import Testing

/// The tables for those who come from another library name only what there is.
@Suite struct ComparisonTableTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// Read once: the sources of all modules take seconds to scan.
  private static let names = Result { try PublicNames(of: sources) }

  /// The rows of a page's tables: what something is called there, and here.
  private static func rows(of library: String) throws -> [(there: Substring, here: Substring)] {
    let page = sources.appending(path: "Signals/Signals.docc/Articles/ComingFrom\(library).md")
    return try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isNewline)
      .filter { $0.hasPrefix("| ") }.map { $0.split(separator: " | ", omittingEmptySubsequences: false) }
      .filter { $0.count >= 2 }.map { ($0[0], $0[1]) }
  }

  private static func code(in cell: Substring) -> [String] {
    cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
  }

  @Test(arguments: ["AsyncAlgorithms", "Combine", "ReactiveSwift", "RxSwift"])
  func everyNameIsPublic(library: String) throws {
    let names = try Self.names.get()
    let rows = try Self.rows(of: library)
    #expect(rows.count > 15)
    for row in rows {
      if row.here.contains("the same") {
        for code in Self.code(in: row.there) {
          let unknown = CodeScanner.uses(in: code).map(\.name).filter { names.unknown(in: $0) != [] }
          #expect(unknown.isEmpty, "ComingFrom\(library).md says that this has the same name here: \(code)")
        }
      }
      for code in Self.code(in: row.here) {
        #expect(names.unknown(in: code).isEmpty, "ComingFrom\(library).md says \(code), which there is not.")
      }
    }
  }

  @Test func whatThereIsNotIsFound() throws {
    let names = try Self.names.get()
    #expect(names.unknown(in: "signal.debounce(for: x, on: y).flatMapLatest { $0.nothing() }") == [])
    #expect(names.unknown(in: "await firstValue()") == [])
    #expect(names.unknown(in: "debounce(for:scheduler:)") == ["debounce"])
    #expect(names.unknown(in: ".sink { }") == ["sink"])
    #expect(names.unknown(in: "Emitter(replaying: 1)") == ["Emitter"])
    #expect(names.unknown(in: "map().sink()") == ["sink"])
  }
}
