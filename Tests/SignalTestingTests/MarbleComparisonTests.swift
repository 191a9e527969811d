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

  @Test func rxjsDoesNotTellWhetherInsideSubscribe() throws {
    #expect(try Self.compare("a-b", "{a}--b", ignoresSubscribePhase: true).isMatch)
    #expect(try !Self.compare("a-b", "{a}--b").isMatch)
  }

  @Test func show() throws {
    for (e, a) in [
      ("--a--b--c-|", "--a--x-----|"), ("-a-b-c|", "--a-b-c|"), ("--a--b--|", "--b--a--|"), ("--a|", "--a--b|"),
      ("--a-", "--a-b-c"), ("--(abc)--|", "--(axc)--|"), ("--(a & b)--|", "--(b c)--|"), ("--b--|", "--'two words'--|"),
      ("a-b", "{a}--b"), ("{ab}--|", "{b}--|"), ("-a 5s b 59999ms c|", "-a 5s b 60s c|"), ("-漢-b", "-a-漢漢"),
      ("--a--|", "--a--#"), ("--a", "-"), ("-", "--a"), ("-a 10.5ms b|", "-a 10ms b|"), ("--?--|", "-----|"),
      (
        String(repeating: "abcdefghi-", count: 30),
        String(repeating: "abcdefghi-", count: 20) + String(repeating: "abXdefghi-", count: 10)
      ),
    ] {
      let c = try Self.compare(e, a)
      print("\n=== \(e.prefix(60))   \(a.prefix(60))\n\(c)")
    }
  }
}
