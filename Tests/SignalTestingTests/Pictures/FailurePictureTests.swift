import Foundation
import SignalPicture
import Signals
import Testing

@testable import SignalTesting

@Suite struct FailurePictureTests {
  private typealias Event = MarblePicture.Event

  private func comparison(_ expected: String, _ received: String) throws -> MarbleComparison<String> {
    let values = MarbleValues<String>.literal()
    let events = try values.schedule(ParsedMarbleDiagram(MarbleText(received), role: .cold))
    return try MarbleComparison(
      ParsedMarbleDiagram(MarbleText(expected), role: .expectation), values: values, actual: events)
  }

  private func events(_ line: MarblePicture.Line) -> [Event] { line.moments.flatMap(\.events) }

  @Test func differencesAreMarkedOnBothSides() throws {
    let lines = try comparison("-a-b-c--d-|", "-a--b-c-x-#").compared
    #expect(
      events(lines.expected) == [
        .value("a"), Event(.value("b"), difference: .moved), Event(.value("c"), difference: .moved),
        Event(.value("d"), difference: .different), Event(.finished, difference: .different),
      ])
    #expect(
      events(lines.received) == [
        .value("a"), Event(.value("b"), difference: .moved), Event(.value("c"), difference: .moved),
        Event(.value("x"), difference: .different),
        Event(.failed("MarbleFailure()"), difference: .different),
      ])
    #expect(
      lines.notes == [
        "b came at 4 ms, expected at 3 ms", "c came at 6 ms, expected at 5 ms", "at 8 ms: expected d, received x",
        "at 10 ms: expected the end, received the failure MarbleFailure()",
      ])
  }

  @Test func whatIsMissingOrExtraIsTold() throws {
    let lines = try comparison("-a-b-", "-a----c").compared
    #expect(lines.notes == ["b at 3 ms is missing", "c at 6 ms was not expected"])
  }

  @Test func manyDifferencesAreCounted() throws {
    let lines = try comparison(String(repeating: "a", count: 30), String(repeating: "b", count: 30)).compared
    #expect(lines.notes.count == 9)
    #expect(lines.notes.last == "… and 22 more")
  }

  @Test func aFailedExpectationIsDrawnWithItsSourcesAndItsCode() throws {
    var picture: MarblePicture?
    let test = MarbleTest()
    let letters = test.hot("-a-b-|")
    let doubled = letters.signal.map { $0 + $0 }
    test.expect(doubled, "-x-|", subscription: "^----!")
    FailureSketch.collect(for: test) {
      FailureSketch.current?.begin(SubscriptionDiagram(subscribed: 1_000_000, unsubscribed: 7_000_000))
      // What is asked first is what is drawn.
      _ = try? comparison("-x-|", "-a-b-|").report
      _ = try? comparison("-y-|", "-a-b-|").report
      picture = FailureSketch.current?.take(at: MarbleSource(line: #line - 2, column: 30))
      #expect(FailureSketch.current?.take(at: MarbleSource()) == nil)
    }
    withKnownIssue { test.run() }
    let rows = try #require(picture?.rows)
    try #require(rows.count == 4)
    #expect(rows[1] == .box("letters.signal.map { $0 + $0 }"))
    guard case .line(let source) = rows[0], case .line(let expected) = rows[2] else {
      Issue.record("\(rows)")
      return
    }
    #expect(source.name == "letters")
    #expect(events(expected).first == Event(.value("x"), difference: .different))
    #expect(expected.begin == 1_000_000 && expected.left == 7_000_000)
  }

  @Test func nothingIsNotedWhereNothingDiffers() throws {
    let test = MarbleTest()
    test.expect(test.hot("-a-").signal, "-a-")
    FailureSketch.collect(for: test) {
      _ = try? comparison("-x-|", "-x-|").report
      #expect(FailureSketch.current?.take(at: MarbleSource()) == nil)
    }
    test.run()
    #expect(FailureSketch.current == nil)
  }

  @Test func subscriptionsAreBars() {
    let comparison = SubscriptionComparison(
      expected: [
        SubscriptionDiagram(subscribed: 0, unsubscribed: 3_000_000), SubscriptionDiagram(subscribed: 4_000_000),
      ],
      actual: [SubscriptionDiagram(subscribed: nil, unsubscribed: 3_000_000)])
    #expect(
      comparison.rows == [
        .subscription(MarblePicture.Span("expected 1", subscribed: 0, unsubscribed: 3_000_000)),
        .subscription(MarblePicture.Span("expected 2", subscribed: 4_000_000, isDifferent: true)),
        .subscription(MarblePicture.Span("received", subscribed: 0, unsubscribed: 3_000_000)),
      ])
  }

  @Test(
    arguments: [
      ("debounce typing", "debounce-typing"), ("debounce-typing()", "debounce-typing"),
      ("../../etc/passwd", "etc-passwd"),
      ("", "failure"), ("\u{0}\n", "failure"), (String(repeating: "x", count: 300), String(repeating: "x", count: 80)),
    ])
  func filesAreNamedAfterTests(words: String, name: String) {
    #expect(FailureAttachment.fileName(words) == name)
  }

  @Test(
    arguments: [
      ("    m.expect(a.map { $0 }, \"-\")", "a.map { $0 }"),
      ("expect(f(1, [2, 3], \", \"), \"-\")", "f(1, [2, 3], \", \")"),
      ("let a = b\n  .map { $0 }\n  .filter { $0 > 1 }\nm.expect(a, \"-\")", "b.map { $0 }.filter { $0 > 1 }"),
      ("m.expectNested(\n  a\n    .window(2),\n  \"-\")", "a.window(2)"), ("m.expect(other, \"-\")", "other"),
      ("m.expect(", nil), ("print(1)", nil), ("", nil),
    ] as [(String, String?)])
  func codeIsFoundAboveTheDiagram(code: String, expression: String?) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
    try Data(code.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    let place = MarbleSource(fileID: "a", filePath: file.path, line: lines.count, column: (lines.last?.count ?? 0) + 1)
    #expect(TestedCode(at: place)?.expectedExpression == expression)
    #expect(TestedCode(at: MarbleSource(fileID: "a", filePath: file.path, line: 9, column: 1)) == nil)
  }
}
