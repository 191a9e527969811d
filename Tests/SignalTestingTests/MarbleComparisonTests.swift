import Foundation
import SignalTesting
import Testing

@Suite struct MarbleComparisonTests {
  /// Compares two diagrams of strings, the actual one as if it were received.
  static func compare(
    _ expected: String, _ actual: String, dialect: MarbleDialect = .signals, ignoresSubscribePhase: Bool = false
  ) throws -> MarbleComparison<String> {
    let values = MarbleValues<String>.literal()
    let actual = try values.schedule(ParsedMarbleDiagram(MarbleText(actual), role: .cold, dialect: dialect))
    return try MarbleComparison(
      ParsedMarbleDiagram(MarbleText(expected), role: .expectation, dialect: dialect), values: values, actual: actual,
      ignoresSubscribePhase: ignoresSubscribePhase)
  }

  @Test(
    arguments: [
      ("--a-b|", "--a-b|"), ("-(ab)", "-(ab)"), ("-(a & b & c)", "-(cab)"), ("-(a & ?)", "-(ba)"),
      ("-(? & a)", "-(ab)"), ("-?-|", "-x-|"), ("{a}-b", "{a}-b"), ("-#", "-#"), ("---", "-"), ("- 5s a", "- 5s a"),
      ("-(a & b & |)", "-(ba|)"),
    ])
  func agree(expected: String, actual: String) throws {
    let comparison = try Self.compare(expected, actual)
    #expect(comparison.isMatch)
    #expect(comparison.description == "")
  }

  @Test(arguments: [
    ("--a", "--a|", "frame 3: extra |"), ("--a", "--(a|)", "frame 2: extra |"), ("---", "--|", "frame 2: extra |"),
    ("--a", "--a#", "frame 3: extra # (MarbleFailure())"), ("--a|", "--a", "frame 3: missing |"),
  ])
  func endOnOneSideIsDifference(expected: String, actual: String, sentence: String) throws {
    let comparison = try Self.compare(expected, actual)
    #expect(!comparison.isMatch)
    #expect(comparison.description.split(separator: "\n").last.map(String.init) == sentence)
  }

  @Test func rxjsDoesNotTellWhetherInsideSubscribe() throws {
    #expect(try Self.compare("a-b", "{a}--b", ignoresSubscribePhase: true).isMatch)
    #expect(try !Self.compare("a-b", "{a}--b").isMatch)
  }

  @Test func differencesComeInOrderOfTime() throws {
    let comparison = try Self.compare("a--d--g--|", "a---e----|")
    let sentences = comparison.description.split(separator: "\n").filter { $0.hasPrefix("frame ") }
    #expect(sentences == ["frame 3: missing d", "frame 4: extra e", "frame 6: missing g"])
  }

  struct Person: Equatable {
    var name: String
    var age: Int
  }

  @Test func showsTheDifferenceOfValues() throws {
    let parsed = try ParsedMarbleDiagram(MarbleText("--a--b|"), role: .expectation)
    let values = MarbleValues(["a": Person(name: "Ada", age: 36), "b": Person(name: "Ben", age: 7)])
    let comparison = try MarbleComparison(
      parsed, values: values,
      actual: [
        TimedEvent(nanoseconds: 2_000_000, event: .value(Person(name: "Ada", age: 36))),
        TimedEvent(nanoseconds: 5_000_000, event: .value(Person(name: "Ben", age: 8))),
        TimedEvent(nanoseconds: 6_000_000, event: .finished),
      ])
    #expect(
      comparison.description == """
        expected  --a--b|
        actual    --a--c|
                       ^

        frame 5: expected b = Person(name: "Ben", age: 7), got c = Person(name: "Ben", age: 8)

        frame 5, − expected, + actual:
            MarbleComparisonTests.Person(
              name: "Ben",
          -   age: 7
          +   age: 8
            )
        """)
  }

  @Test(arguments: snapshots) func shows(_ snapshot: Snapshot) throws {
    let text = try Self.compare(snapshot.expected, snapshot.actual).description
    #expect(text == snapshot.text)
  }

  struct Snapshot: Sendable, CustomTestStringConvertible {
    var expected: String
    var actual: String
    var text: String
    var testDescription: String { "\(expected) against \(actual)" }
  }
}
