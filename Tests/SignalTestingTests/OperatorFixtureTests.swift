import Foundation
import OperatorCatalogue
import SignalTesting
import Testing

/// Every fixture of the library's own is a case of its own; `RxJSCaseTests` has the others.
@Suite struct OperatorFixtureTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func fixtures(in folder: String) throws -> [MarbleFixture] {
    let folder = root.appending(path: "Fixtures").appending(path: folder)
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "marbles" }.sorted { $0.path < $1.path }
      .flatMap { try FixtureParser.parse(String(contentsOf: $0, encoding: .utf8), filePath: $0.path) }
  }

  @Test(arguments: try fixtures(in: "operators").map(FixtureCase.init))
  func passes(_ testCase: FixtureCase) {
    OperatorCatalogue.fixtureRunner.run(testCase.fixture)
  }

  /// A file of the library's own fixtures is named like its operator.
  @Test func filesAreNamedLikeTheirOperators() throws {
    for fixture in try Self.fixtures(in: "operators") {
      let name = try #require(fixture.operatorName).prefix { $0.isLetter }
      #expect(fixture.source?.fileName == "\(name).marbles")
      #expect(fixture.dialect == .signals)
    }
  }
}

/// A fixture that shows its operator and its name.
struct FixtureCase: CustomTestStringConvertible {
  let fixture: MarbleFixture

  var testDescription: String { "\(fixture.operatorName ?? "") – \(fixture.name)" }
}
