import Foundation
import OperatorCatalogue
import SignalTesting
import Testing

/// The checked cases of RxJS, as `Fixtures/rxjs-cases.tsv` lists them: each passes, or a law decides otherwise.
@Suite struct RxJSCaseTests {
  @Test(arguments: try RxJSCase.all()) func holds(_ listed: RxJSCase) throws {
    let fixture = try #require(
      OperatorFixtureTests.fixtures(in: "rxjs").first { $0.name == listed.name }, "no file of Fixtures/rxjs has it")
    #expect(fixture.source?.fileName == listed.file)
    #expect(fixture.verdict == listed.verdict)
    try #require(fixture.isSupported, "the library has no operator for it")
    if fixture.operatorName == "parse" {
      try checkFrames(of: fixture)
    } else {
      try #require(!fixture.observers.isEmpty, "it expects nothing")
      OperatorCatalogue.fixtureRunner.run(fixture)
    }
  }

  @Test func noneIsMissing() throws {
    let listed = try RxJSCase.all().map(\.name)
    let fixtures = try OperatorFixtureTests.fixtures(in: "rxjs")
    #expect(listed.count == 61)
    #expect(Set(listed).count == listed.count, "a case stands there twice")
    #expect(fixtures.count == listed.count)
    #expect(Set(fixtures.map(\.name)).symmetricDifference(listed).sorted() == [], "the list or a file lacks these")
    #expect(fixtures.allSatisfy { $0.dialect == .rxjs && $0.rxjsName != nil && $0.origin != nil })
  }

  /// A case of the notation: a diagram is read as these events.
  private func checkFrames(of fixture: MarbleFixture) throws {
    let source = try #require(fixture.sources.first)
    try #require(!fixture.frames.isEmpty, "it expects nothing")
    let diagram = try ParsedMarbleDiagram(source.diagram, role: .cold, dialect: fixture.dialect).diagram
    let read = diagram.events.map { time, event in
      MarbleFixture.Frame(
        time: Int(time / diagram.frame),
        event: MarblePrinter(dialect: .rxjs).token(for: .init(nanoseconds: 0, events: [event])))
    }
    #expect(read == fixture.frames)
  }
}

/// A line of the list.
struct RxJSCase: CustomTestStringConvertible {
  let name: String
  let file: String
  let verdict: String

  var testDescription: String { name }

  static func all() throws -> [RxJSCase] {
    let list = OperatorFixtureTests.root.appending(path: "Fixtures/rxjs-cases.tsv")
    let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    return try lines.map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(columns.count == 3, "\(line)")
      return RxJSCase(name: columns[0], file: columns[1], verdict: columns[2])
    }
  }
}

extension MarbleFixture {
  /// What the list of the cases says of one.
  fileprivate var verdict: String { law.map { "law \($0.number)" } ?? "passes" }
}
