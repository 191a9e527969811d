import Foundation
import SignalPicture
import Signals
import Synchronization
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
    let test = MarbleTest()
    let letters = test.hot("-a-b-|")
    let numbers = test.cold("-1-2-|")
    let both = letters.signal.merge(with: numbers.signal)
    let text = MarbleText("-x-|", source: MarbleSource(line: #line + 1, column: 10))
    test.expect(both, "-a1b2", subscription: "-^---!")
    test.run()
    let picture = test.picture(
      of: try comparison("-x-|", "-a-b-|").compared, text: text, from: 1_000_000, to: 7_000_000)
    try #require(picture.rows.count == 5)
    #expect(picture.rows[2] == .box("letters.signal.merge(with: numbers.signal)"))
    #expect(picture.title.hasPrefix("aFailedExpectationIsDrawnWithItsSourcesAndItsCode(), FailurePictureTests.swift:"))
    guard case .line(let hot) = picture.rows[0], case .line(let cold) = picture.rows[1],
      case .line(let expected) = picture.rows[3]
    else {
      Issue.record("\(picture.rows)")
      return
    }
    #expect([hot, cold].map(\.name) == ["letters", "numbers"])
    #expect(hot.begin == 0 && cold.begin == 1_000_000 && cold.left == 5_000_000)
    // What a source that begins anew has not sent is not drawn.
    #expect(cold.moments.map(\.nanoseconds) == [2_000_000, 4_000_000])
    #expect(events(expected).first == Event(.value("x"), difference: .different))
    #expect(expected.begin == 1_000_000 && expected.left == 7_000_000)
  }

  @Test func innerSignalsThatDifferAreDrawnBelowTheirSides() throws {
    let picture = try nested(["x": "-1--2|", "y": "-3|"])
    let lines = picture.rows.compactMap { row -> MarblePicture.Line? in
      if case .line(let line) = row { line } else { nil }
    }
    #expect(lines.map(\.name).suffix(4) == ["expected", "expected x", "received", "received other signal"])
    try #require(lines.count >= 4)
    let (expected, received) = (lines[lines.count - 3], lines[lines.count - 1])
    #expect(expected.opener == "x" && received.opener == "other signal")
    #expect(expected.begin == 1_000_000 && received.begin == 1_000_000)
    #expect(expected.moments.map(\.nanoseconds) == [2_000_000, 5_000_000, 6_000_000])
    #expect(events(received).map(\.difference) == [nil, .moved, .moved])
    #expect(picture.svg().contains("received other"))
  }

  /// The picture of an expectation of signals that do not come as these diagrams say.
  private func nested(_ signals: [String: String]) throws -> MarblePicture {
    try picture {
      marbles { m in
        let outer = m.hot("-a--b-|")
        let inner = ["a": m.cold("-1-2|"), "b": m.cold("-3|")].mapValues(\.signal)
        m.expectNested(outer.signal.map { inner[$0] ?? .never() }, "-x--y-|", signals: signals)
      }
    }
  }

  /// The picture that a test attaches, which fails once.
  private func picture(of test: () -> Void) throws -> MarblePicture {
    let seen = Mutex<[MarblePicture]>([])
    FailureAttachment.$watch.withValue({ picture in seen.withLock { $0.append(picture) } }) {
      withKnownIssue { test() }
    }
    let all = seen.withLock { $0 }
    try #require(all.count == 1)
    return all[0]
  }

  @Test func aRecordedDiagramIsDrawn() throws {
    let picture = try picture {
      marbles { m in
        let letters = m.hot("-a-b-|")
        m.expect(letters.signal.map { $0 + $0 }, "")
      }
    }
    try #require(picture.rows.count == 3)
    #expect(picture.rows[1] == .box("letters.signal.map { $0 + $0 }"))
    guard case .line(let received) = picture.rows[2] else { return }
    #expect(events(received) == [.value("aa"), .value("bb"), .finished])
  }

  @Test func soIsWhatCameWhereNothingShould() throws {
    let picture = try picture {
      marbles { m in
        let letters = m.hot("-a-b-|")
        m.expectNoEvents(of: letters.signal.prefix(1))
      }
    }
    try #require(picture.rows.count == 3)
    #expect(picture.rows[1] == .box("letters.signal.prefix(1)"))
    guard case .line(let received) = picture.rows[2] else { return }
    #expect(events(received) == [.value("a"), .finished])
    #expect(picture.svg().contains("received"))
  }

  @Test func thousandsOfEventsWhereNothingShouldCome() throws {
    let picture = try picture {
      marbles { m in
        let letters = m.hot(String(repeating: "a", count: 3_000))
        m.expectNoEvents(of: letters.signal)
      }
    }
    guard case .line(let received) = picture.rows.last else { return }
    #expect(received.moments.count == 1_500)
    #expect(picture.svg().contains("more, not drawn"))
  }

  @Test func recordedSubscriptionsAreDrawn() throws {
    let picture = try picture {
      marbles { m in
        let letters = m.cold("-a-|")
        m.expect(letters.signal, "-a-|")
        m.expectSubscriptions(of: letters, "")
      }
    }
    #expect(
      picture.rows.contains(.subscription(MarblePicture.Span("received", subscribed: 0, unsubscribed: 3_000_000))))
    #expect(!picture.rows.contains { if case .subscription(let span) = $0 { span.name == "expected" } else { false } })
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
      ("m.expect(a.map { $0 }, \"-\")", "a.map { $0 }"),
      ("m.expect(f(1, [2, 3], \", \"), \"-\")", "f(1, [2, 3], \", \")"),
      ("m.expectNested(\n  a\n    .window(2),\n  \"-\")", "a.window(2)"), ("m.expect(other, \"-\")", "other"),
      ("m.expectNoEvents(of: a.map { x in x }, for: .seconds(1))", "a.map { x in x }"),
      ("m.expect(", nil), ("m.expect", nil), ("", nil),
    ] as [(String, String?)])
  func theArgumentOfACallIsFound(code: String, expression: String?) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
    try Data(code.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let place = MarbleSource(fileID: "a", filePath: file.path, line: 1, column: 3)
    #expect(TestedCode(at: place)?.firstArgument == expression)
    #expect(TestedCode(at: MarbleSource(fileID: "a", filePath: file.path, line: 9, column: 1)) == nil)
  }

  @Test func aNameIsTakenForWhatItStandsFor() throws {
    let doubled = 1
      .advanced(by: 2)
    let place = MarbleSource(line: #line + 1, column: 5)
    #expect(doubled == 3)
    #expect(TestedCode(at: place)?.firstArgument == "doubled == 3")
    let code = TestedCode(at: MarbleSource(line: #line + 1, column: 9))
    _ = max(doubled, 1)
    #expect(code?.firstArgument == "1.advanced(by: 2)")
    #expect(TestedCode(at: MarbleSource(line: #line - 3, column: 20))?.assignedName == "code")
  }
}
