import Foundation
import SignalMarbles
import SignalTesting
import Signals
import Testing

@Suite struct FixtureTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/rxjs")

  static func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "marbles" }.sorted { $0.path < $1.path }
  }

  static func read(_ file: URL) throws -> [MarbleFixture] {
    try FixtureParser.parse(String(contentsOf: file, encoding: .utf8), filePath: file.path)
  }

  @Test(arguments: try files()) func readsBack(file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let fixtures = try FixtureParser.parse(text, filePath: file.path)
    #expect(FixturePrinter().print(fixtures) == text)
    #expect(fixtures.allSatisfy { "\($0.rxjsName ?? "").marbles" == file.lastPathComponent })
  }

  @Test(arguments: try files()) func subscriptionsFitTheirDiagrams(file: URL) throws {
    for fixture in try Self.read(file) {
      for texts in fixture.subscriptions.values {
        for text in texts {
          let diagram = try SubscriptionDiagram(text.string, requiresSubscribing: true, dialect: .rxjs)
          #expect(diagram.unsubscribed.map { $0 >= diagram.subscribed ?? 0 } ?? true)
        }
      }
    }
  }

  @Test func aLawWithFewerDiagramsThanObserversLeavesTheOthers() throws {
    let text = Self.head + "hot e1: -a|\nexpected: -a|\nsubscription: ^!\nexpected: -|"
    var fixture = try FixtureParser.parse(text, filePath: "")[0]
    fixture.law = MarbleFixture.Law(number: 16, reason: "the time")
    fixture.law?.expected = [fixture.observers[0].expected]
    #expect("\(try fixture.picture())".contains("observer 2"))
  }

  /// Of which the second takes only the first window.
  @Test func twoObserversOfWindows() throws {
    let text = """
      fixture: a
      operator: windows
      hot e1: -a---b-|
      expected: -x---y-|
      subscription: ^--!
      expected: -x--
      window x: {a|}
      window y: {b|}
      """
    let runner = FixtureRunner(
      operators: [:], nestedOperators: ["windows": { try $0.source().map { Signal.just($0) } }])
    for fixture in try FixtureParser.parse(text, filePath: "") { runner.run(fixture) }
  }

  private static let head = "fixture: a\noperator: map\n"

  @Test(
    arguments: [
      ("nonsense", 1, 1, "the line has no key"),
      ("hot e1: -", 1, 9, "'hot' before the first case"),
      ("dialect: other", 1, 10, "unknown or misplaced dialect"),
      ("fixture: a\nexpected: -", 1, 10, "the case has no operator"),
      (head, 1, 10, "the case expects nothing, or both kinds"),
      (head + "expected: -\nfixture: a", 4, 10, "a second case named 'a'"),
      (head + "tags:", 3, 6, "'tags:' has no text"),
      (head + "colour: red", 3, 1, "unknown key 'colour'"),
      (head + "operator: scan", 3, 11, "a second 'operator'"),
      (head + "value x: [1", 3, 10, "the text is not JSON"),
      (head + "hot a: -\ncold a: -", 4, 9, "a second source 'a'"),
      (head + "subscribed b: ^", 3, 15, "there is no source 'b'"),
      (head + "hot b: -\nsubscribed b: never\nsubscribed b: ^", 5, 15, "a subscription of 'b' beside 'never'"),
      (head + "hot b: -\nsubscribed b: ^\nsubscribed b: never", 5, 15, "'never' beside other subscriptions of 'b'"),
      (head + "subscription: ^\nsubscription: ^", 4, 15, "a second subscription"),
      (head + "expected: -\nsubscription: ^", 1, 10, "the last subscription has no expectation"),
      (head + "frames: 2:a 3", 3, 9, "'3' is not a frame and an event"),
      (head + "law 17: why", 3, 9, "law 17 does not exist, or a law is named twice"),
      (head + "law expected: -", 3, 15, "no law is named yet"),
      (
        head + "law 16: why\nlaw expected: -\nlaw expected: -\nexpected: -", 1, 10,
        "law expected: is not given once for each observer"
      ),
    ])
  func rejects(text: String, line: Int, column: Int, message: String) throws {
    let error = try #require(throws: FixtureSyntaxError.self) {
      try FixtureParser.parse(text, filePath: "/fixtures/bad.marbles")
    }
    #expect(error.message == message)
    #expect(error.source.line == line)
    #expect(error.source.column == column)
    #expect(error.description.hasPrefix("bad.marbles:\(line):\(column): \(message)\n"))
  }

  @Test func aWrongDiagramShowsItsLine() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).marbles")
    let text = Self.head + "hot e1:    --a--|\nexpected:  --a|a\n"
    try text.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let error = try #require(throws: MarbleSyntaxError.self) { try FixtureParser.parse(text, filePath: file.path) }
    #expect(
      error.description == """
        \(file.lastPathComponent):4:16: 'a' comes after the end
          4 | expected:  --a|a
            |                ^
          Remove it, or move the end after it: nothing follows | or #.
        """)
  }
}
