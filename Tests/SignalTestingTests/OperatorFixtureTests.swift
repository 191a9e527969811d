import Foundation
import OperatorCatalogue
import SignalTesting
import Testing

/// Every fixture is a case of its own.
@Suite struct OperatorFixtureTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func fixtures(in folder: String) throws -> [MarbleFixture] {
    let folder = root.appending(path: "Fixtures").appending(path: folder)
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "marbles" }.sorted { $0.path < $1.path }
      .flatMap { try FixtureParser.parse(String(contentsOf: $0, encoding: .utf8), filePath: $0.path) }
  }

  static func all() throws -> [MarbleFixture] { try fixtures(in: "rxjs") + fixtures(in: "operators") }

  @Test(arguments: try all().filter { $0.operatorName != "parse" }.map(FixtureCase.init))
  func passes(_ testCase: FixtureCase) {
    OperatorCatalogue.fixtureRunner.run(testCase.fixture)
  }

  /// The library has the operator of each case.
  @Test func everyOperatorIsThere() throws {
    let pending = try Self.all().filter { !$0.isSupported }
    #expect(pending.compactMap(\.rxjsName) == [])
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
