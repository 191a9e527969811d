import SignalPicture
import Testing

@testable import SignalTesting

/// Thousands of events: messages and pictures show what is near the differences, and count the rest.
@Suite struct LongDiagramTests {
  private let count = 4_000

  private func diagram(_ changes: [Int: String] = [:]) -> String {
    (0..<count).map { changes[$0] ?? ($0.isMultiple(of: 2) ? "a" : "b") }.map { "-" + $0 }.joined()
  }

  private func compare(_ changes: [Int: String]) throws -> MarbleComparison<String> {
    try MarbleComparisonTests.compare(diagram(changes), diagram())
  }

  @Test func agrees() throws { #expect(try compare([:]).isMatch) }

  @Test func differencesFarApartAreFoundAtTheirPositions() throws {
    let comparison = try compare([3: "x", 2_000: "y", 3_999: "z"])
    #expect(
      comparison.differences == [
        .different(expected: 3, actual: 3), .different(expected: 2_000, actual: 2_000),
        .different(expected: 3_999, actual: 3_999),
      ])
  }

  @Test func somethingThatIsMissingAfterALongBeginning() throws {
    let comparison = try compare([2_000: "-", 2_001: "(bc)"])
    #expect(comparison.differences == [.extra(actual: 2_000), .missing(expected: 2_001)])
  }

  @Test func theRowsShowWhatIsNearThem() throws {
    let text = try compare([3: "x", 2_000: "y", 3_999: "z"]).description
    #expect(text.split(separator: "\n").count < 20, "\(text)")
    #expect(text.count < 2_000)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("expected") }
    for letter in ["x", "y", "z"] { #expect(rows.contains { $0.contains("-\(letter)") }, "\(text)") }
    #expect(text.contains("\n…\n"), "\(text)")
    #expect(text.contains("frame 7: expected x, got b"), "\(text)")
    #expect(text.contains("7999 ms: expected z, got b"), "\(text)")
  }

  @Test func thousandsOfDifferencesAreCounted() throws {
    let changes = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, "c") })
    let text = try compare(changes).description
    #expect(text.contains("… and 3980 more differences"), "\(text.suffix(300))")
    #expect(text.split(separator: "\n").count < 40)
  }

  @Test(arguments: [0, 1, 5])
  func messageOfManyEventsIsShort(step: Int64) throws {
    let actual = (0..<20_000).map { TimedEvent(nanoseconds: 500_000 + $0 * step, event: .value("a")) }
    let parsed = try ParsedMarbleDiagram(MarbleText("-b"), role: .expectation)
    let message = try MarbleComparison<String>(parsed, values: .literal(), actual: actual).report(of: parsed).message
    #expect(message.split(separator: "\n").count < 60, "\(message.prefix(10_000))")
    #expect(message.count < 5_000)
    #expect(message.contains("received: 20000 events"))
    let lines = try MarbleComparison<String>(parsed, values: .literal(), actual: actual).compared
    #expect(lines.received.moments.count < 1_000)
  }

  @Test func whatWasReceivedIsWhole() throws {
    let parsed = try ParsedMarbleDiagram(MarbleText(diagram([3_000: "x"])), role: .expectation)
    let message = try compare([3_000: "x"]).report(of: parsed).message
    #expect(message.contains("received: \"\(diagram())\""))
  }

  @Test func thePictureShowsWhatIsNearTheFirst() throws {
    let lines = try compare([3_000: "x"]).compared
    #expect(lines.expected.moments.count < 700)
    #expect(lines.expected.moments.contains { $0.events.first?.kind == .value("x") })
    #expect(lines.received.moments.first?.nanoseconds == lines.excerpt?.times.lowerBound)
    let drawn = lines.expected.moments.count + lines.received.moments.count
    let excerpt = try #require(lines.excerpt)
    #expect(excerpt.eventsBefore + drawn + excerpt.eventsAfter == 2 * count)
    let svg = lines.picture(title: "long", above: [], from: 0, to: nil).svg()
    let remarks = svg.matches(of: /… [^<]*drawn/).map { String($0.0) }
    #expect(remarks == ["… 5,996 events before, not drawn", "… and 1,984 events more, not drawn"])
  }

  @Test func sourcesAreDrawnForTheSameTime() throws {
    let test = MarbleTest()
    let source = test.cold(diagram())
    test.expect(source.signal, diagram())
    test.run()
    let text = MarbleText("-x-|", source: MarbleSource(line: #line, column: 10))
    let picture = test.picture(of: try compare([3_000: "x"]).compared, text: text, from: 0, to: nil)
    guard case .line(let line) = picture.rows.first else {
      Issue.record("\(picture.rows)")
      return
    }
    #expect(line.moments.count < 700)
    #expect(line.moments.contains { $0.nanoseconds == 6_001_000_000 })
    let remarks = picture.svg().matches(of: /… [^<]*drawn/).map { String($0.0) }
    #expect(remarks.first == "… 8,994 events before, not drawn", "\(remarks)")
  }
}
