import SignalTesting
import Testing

/// What a comparison says of values.
@Suite struct ValueMessageTests {
  struct User: Equatable {
    var name: String
    var tags: [String: Int] = [:]
    var friend: Friend?
  }

  enum Friend: Equatable {
    case named(String)
    case nobody
  }

  private func text<Value: Equatable>(_ expected: Value, _ actual: Value) throws -> String {
    try MarbleComparison(
      ParsedMarbleDiagram(MarbleText("-e-"), role: .expectation), values: MarbleValues(["e": expected]),
      actual: [TimedEvent(nanoseconds: 1_000_000, event: .value(actual))]
    ).description
  }

  @Test func aValueOnOneLine() throws {
    let user = User(name: "A\"n\nn", tags: ["b": 2, "a": 1].filter { $0.key == "a" }, friend: .named("Bob"))
    let shown = try text(user, User(name: "", friend: .nobody))
    #expect(
      shown.contains(
        #"expected e = User(name: "A\"n\nn", tags: ["a": 1], friend: named("Bob")), got a = User(name: "", tags: [:], friend: nobody)"#
      ))
    #expect(try text(Optional(1), nil).contains("expected e = 1, got a = nil"))
    #expect(try text([1], []).contains("expected e = [1], got a = []"))
  }

  @Test func largeValuesAreComparedPartByPart() throws {
    let names = (0..<2_000).map { User(name: "user \($0)", tags: ["a": $0]) }
    var others = names
    others[7].name = "Bob"
    others[9].tags = ["a": 9, "b": 1]
    others[1_000].friend = .nobody
    others.removeLast()
    let shown = try text(names, others).split(separator: "\n").map(String.init)
    #expect(
      shown.suffix(5) == [
        "  expected 2000 elements, got 1999", "  [7].name: expected \"user 7\", got \"Bob\"",
        "  [9].tags[\"b\"]: extra 1",
        "  [1000].friend: expected nil, got nobody",
        "  [1999]: missing User(name: \"user 1999\", tags: [\"a\": 1999], friend: nil)",
      ])
  }

  @Test func anElementThatIsMissing() throws {
    let numbers = Array(0..<10_000)
    let shown = try text(numbers, numbers.filter { $0 != 5_000 })
    #expect(shown.contains("expected 10000 elements, got 9999\n  [5000]: missing 5000"))
    #expect(shown.split(separator: "\n").count < 12)
  }

  @Test func aDifferenceHasFewLines() throws {
    let numbers = Array(0..<150)
    #expect(try text(numbers, numbers.map { -$0 - 1 }).split(separator: "\n").count < 20)
    let lines = (0..<40).map { "line \($0)" }
    #expect(try text(lines, lines.map { $0 + "!" }).contains("more lines"))
    let large = Array(0..<10_000)
    #expect(try text(large, large.map { -$0 - 1 }).contains("… and 9989 more differences"))
  }

  @Test func longTextsAroundTheirFirstDifference() throws {
    let start = String(repeating: "a lot of words, ", count: 30)
    let shown = try text(start + "yes" + start, start + "no" + start)
    #expect(shown.contains("from character 481 on (of 963, got 962):"))
    #expect(shown.contains("− …ds, a lot of words, yesa lot of w…"))
    #expect(shown.contains("+ …ds, a lot of words, noa lot of w…"))
    #expect(try text(start, start + "!").contains("from character 481 on (of 480, got 481):"))
  }

  @Test func whatIsNotSeen() throws {
    #expect(try text("Ann", "Ann ").contains(#"expected e = "Ann", got a = "Ann ""#))
    let twins = try text("pea", "реа")
    #expect(
      twins.contains(
        "they look alike: actual has U+0440 CYRILLIC SMALL LETTER ER, U+0435 CYRILLIC SMALL LETTER IE, U+0430 CYRILLIC SMALL LETTER A"
      ))
    #expect(try text("a b", "a\u{A0}b").contains(#"got a = "a\u{a0}b""#))
  }

  struct Same: Equatable, CustomStringConvertible {
    var number: Int
    var description: String { "Same" }
  }

  @Test func valuesThatReadAlike() throws {
    let shown = try text(Same(number: 1), Same(number: 2))
    #expect(shown.contains("number: 1"))
    #expect(shown.contains("number: 2"))
    struct Never: Equatable {
      static func == (left: Self, right: Self) -> Bool { false }
    }
    #expect(try text(Never(), Never()).contains("both have the same description, but == returns false"))
  }
}
