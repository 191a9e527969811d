import SignalTesting
import Testing

@Suite struct MarbleParserTests {
  /// Frame, whether inside subscribe, and notation of each moment.
  static func summary(_ diagram: MarbleDiagram) -> String {
    diagram.moments.map { moment in
      let time = Double(moment.nanoseconds) / 1_000_000
      let number = time == time.rounded() ? "\(Int(time))" : "\(time)"
      return (moment.isInsideSubscribe ? "{}" : number) + ":" + MarblePrinter().token(for: moment)
    }.joined(separator: " ")
  }

  @Test(
    arguments: [
      ("-", ""),
      ("--a-b|", "2:a 4:b 5:|"),
      ("a", "0:a"),
      (" - a \n - b ", "1:a 3:b"),
      ("-(ab)-c", "1:(ab) 3:c"),
      ("-(a & b)-c", "1:(a & b) 3:c"),
      ("(a)b", "0:a 1:b"),
      ("( a | )", "0:(a|)"),
      ("(a & b & |)", "0:(a & b & |)"),
      ("{ab}-c|", "{}:{ab} 1:c 2:|"),
      ("{a}(b|)", "{}:a 0:(b|)"),
      ("--#", "2:#"),
      ("--#offline-", "2:#offline"),
      ("#<not found>", "0:#<not found>"),
      ("-?-", "1:?"),
      ("-'two words'-b", "1:'two words' 3:b"),
      ("<found>-<a>", "0:<found> 2:a"),
      ("'it\\'s'", "0:'it\\'s'"),
      ("-''-<я>", "1:'' 3:я"),
      ("-012", "1:0 2:1 3:2"),
      ("1 m", "0:1 1:m"),
      ("a 9ms b 9s c|", "0:a 10:b 9011:c 9012:|"),
      ("10.2ms a 1.2s b 1m c|", "10.2:a 1211.2:b 61212.2:c 61213.2:|"),
      ("100us a 1h b", "0.1:a 3600001.1:b"),
      ("a 0.000001ms b", "0:a 1.000001:b"),
      ("👩‍👩‍👧-é-漢", "0:👩‍👩‍👧 2:é 4:漢"),
      ("a|--", "0:a 1:|"),
    ])
  func reads(text: String, expected: String) throws {
    let diagram = try MarbleDiagram(text)
    #expect(Self.summary(diagram).replacing("{}:{a} ", with: "{}:a ") == expected)
  }

  @Test(
    arguments: [
      ("--(abc)-|", "2:(abc) 8:|"),
      ("--( a b c )-|", "2:(abc) 8:|"),
      ("a1msb", "0:a 1:1 2:m 3:s 4:b"),
      ("a 9ms b 9s c|", "0:a 10:b 9011:c 9012:|"),
      ("a 9ms", "0:a 1:9 2:m 3:s"),
      ("a 1h b", "0:a 1:1 2:h 3:b"),
      ("-?&{}<>'", "1:<?> 2:<&> 3:<{> 4:<}> 5:<<> 6:<\\>> 7:<'>"),
      ("(a|)", "0:(a|)"),
    ])
  func readsRxJS(text: String, expected: String) throws {
    #expect(Self.summary(try MarbleDiagram(text, dialect: .rxjs)) == expected)
  }

  @Test func hotTimesCountFromTheMark() throws {
    let diagram = try MarbleDiagram("--a--^--b|", role: .hot)
    #expect(Self.summary(diagram) == "-3:a 3:b 4:|")
    #expect(diagram.start == -5_000_000)
    #expect(diagram.end == 5_000_000)
    #expect(try MarbleDiagram("---b|", role: .hot).isAnchored == false)
  }

  @Test func frameLength() throws {
    let diagram = try MarbleDiagram("-a 1s b", frame: .seconds(2))
    #expect(diagram.events.map(\.nanoseconds) == [2_000_000_000, 5_000_000_000])
  }

  struct Rejection: CustomTestStringConvertible, Sendable {
    var text: String
    var message: String
    var place: Range<Int>
    var role = MarbleRole.expectation
    var dialect = MarbleDialect.signals
    var testDescription: String { "\(dialect) \(role) \(text.debugDescription)" }
  }

  static let rejections: [Rejection] = [
    .init(text: "--a--|b-", message: "'b' comes after the end", place: 6..<7),
    .init(text: "#|", message: "'|' comes after the end", place: 1..<2),
    .init(text: "(|a)", message: "'a' comes after the end", place: 2..<3),
    .init(text: "(a & | & b)", message: "'b' comes after the end", place: 9..<10),
    .init(text: "{|}a", message: "'a' comes after the end", place: 3..<4),
    .init(text: "|'late'", message: "''late'' comes after the end", place: 1..<7),
    .init(text: "-^-a-^", message: "a second ^", place: 5..<6, role: .hot),
    .init(text: "--^", message: "^ has no meaning in an expectation", place: 2..<3),
    .init(text: "--^", message: "^ has no meaning in a cold source", place: 2..<3, role: .cold),
    .init(text: "-a!", message: "! belongs to subscription diagrams", place: 2..<3),
    .init(text: "-?", message: "? in a source", place: 1..<2, role: .cold),
    .init(text: "{a}-", message: "{ } has no meaning in a hot source", place: 0..<1, role: .hot),
    .init(text: "-{a}", message: "{ } is not at the beginning", place: 1..<2),
    .init(text: "{a & b}", message: "& inside { }", place: 1..<2),
    .init(text: "{}", message: "an empty group", place: 0..<2),
    .init(text: "-()-", message: "an empty group", place: 1..<3),
    .init(text: "-((a)b)", message: "a group inside a group", place: 2..<3),
    .init(text: "-(a{b})", message: "a group inside a group", place: 3..<4),
    .init(text: "-(ab", message: "( is not closed", place: 1..<2),
    .init(text: "{a", message: "{ is not closed", place: 0..<1),
    .init(text: "-ab)", message: ") without its opening", place: 3..<4),
    .init(text: "-a}", message: "} without its opening", place: 2..<3),
    .init(text: "-a>", message: "> without its opening", place: 2..<3),
    .init(text: "-(ab--(cd)|", message: "( is not closed", place: 1..<2),
    .init(text: "-(ab--c|", message: "( is not closed", place: 1..<2),
    .init(text: "{ab--c|", message: "{ is not closed", place: 0..<1),
    .init(text: "(')'--", message: "( is not closed", place: 0..<1),
    .init(text: "-(a-b)", message: "- inside a group", place: 3..<4),
    .init(text: "-(a^b)", message: "^ inside a group", place: 3..<4, role: .hot),
    .init(text: "(a 5ms b)", message: "a duration inside a group", place: 3..<6),
    .init(text: "a & b", message: "& outside a group", place: 2..<3),
    .init(text: "(& a)", message: "& without an event before it", place: 1..<2),
    .init(text: "(a &)", message: "& without an event after it", place: 3..<4),
    .init(text: "(a & & b)", message: "& without an event before it", place: 5..<6),
    .init(text: "(a & b c)", message: "& is missing before this event", place: 7..<8),
    .init(text: "(a b & c)", message: "some events of the group have no & between them", place: 5..<6),
    .init(text: "-<>", message: "<> is empty", place: 1..<3),
    .init(text: "-'abc", message: "' is not closed on its line", place: 1..<2),
    .init(text: "-'ab\nc'", message: "' is not closed on its line", place: 1..<2),
    .init(text: "-<abc", message: "< is not closed on its line", place: 1..<2),
    .init(text: "'a\\q'", message: "unknown escape '\\q'", place: 2..<4),
    .init(text: "'a\\", message: "unknown escape '\\'", place: 2..<3),
    .init(
      text: "-a 10 ms b", message: "'10 ms' is 4 values; did you mean 10ms?", place: 3..<8),
    .init(
      text: "600 ms", message: "'600 ms' is 5 values; did you mean 600ms?", place: 0..<6),
    .init(
      text: "a1msb", message: "'1ms' touches its neighbours: it could be a duration or 3 values", place: 1..<4),
    .init(
      text: "--10ms--", message: "'10ms' touches its neighbours: it could be a duration or 4 values", place: 2..<6),
    .init(text: "(1s)", message: "'1s' touches its neighbours: it could be a duration or 2 values", place: 1..<3),
    .init(text: "a 99999999999h b", message: "'99999999999h' is longer than 292 years", place: 2..<14),
    .init(
      text: "99999999999999999999999s", message: "'99999999999999999999999s' is longer than 292 years", place: 0..<24),
    .init(text: "2000000h a 1000000h b", message: "the diagram is longer than 292 years", place: 11..<19),
    .init(text: "a 0.0001us b", message: "'0.0001us' is finer than a nanosecond", place: 2..<10),
    .init(text: " \n ", message: "the diagram is empty", place: 0..<0),
    .init(text: "", message: "the diagram is empty", place: 0..<0),
    .init(
      text: "-a\n-b", message: "the .rxjs dialect allows no white space but the space", place: 2..<3, dialect: .rxjs),
    .init(text: "-👩‍👧", message: "RxJS reads '👩‍👧' as 3 values", place: 1..<2, dialect: .rxjs),
    .init(text: "-|a", message: "'a' comes after the end", place: 2..<3, dialect: .rxjs),
  ]

  static let lookAlikes: [(text: String, message: String)] = [
    ("–a", "'–' is U+2013 EN DASH, not -"), ("—a", "'—' is U+2014 EM DASH, not -"),
    ("−a", "'−' is U+2212 MINUS SIGN, not -"),
    ("a－", "'－' is U+FF0D FULLWIDTH HYPHEN-MINUS, not -"), ("-a｜", "'｜' is U+FF5C FULLWIDTH VERTICAL LINE, not |"),
    ("-‘a’", "'‘' is U+2018 LEFT SINGLE QUOTATION MARK, not '"),
    ("-a\u{200B}-", "an invisible character, U+200B ZERO WIDTH SPACE"),
    ("-a\u{200D}-", "an invisible character, U+200D ZERO WIDTH JOINER"),
    ("-\u{FEFF}a", "an invisible character, U+FEFF ZERO WIDTH NO-BREAK SPACE"),
    ("-\u{FE0F}a", "an invisible character, U+FE0F VARIATION SELECTOR-16"),
    ("(a–b)", "'–' is U+2013 EN DASH, not -"), ("a-а", "'а' is U+0430 CYRILLIC SMALL LETTER A, not a"),
    ("-１", "'１' is U+FF11 FULLWIDTH DIGIT ONE, not 1"),
    ("-\u{301}a", "'-\u{301}' is U+002D HYPHEN-MINUS, U+0301 COMBINING ACUTE ACCENT, not -"),
    ("-\u{7}a", "an invisible character, U+0007"),
  ]

  @Test(arguments: lookAlikes, MarbleDialect.allCases)
  func rejectsLookAlikes(_ sample: (text: String, message: String), dialect: MarbleDialect) throws {
    let error = try #require(throws: MarbleSyntaxError.self) { try MarbleDiagram(sample.text, dialect: dialect) }
    #expect(error.message == sample.message)
    #expect(error.advice.hasPrefix("Write ") || error.advice == "Remove it.")
  }

  @Test func rejectsLookAlikesInSubscriptions() throws {
    let error = try #require(throws: MarbleSyntaxError.self) { try SubscriptionDiagram("^––!") }
    #expect(error.message == "'–' is U+2013 EN DASH, not -")
    let open = try #require(throws: MarbleSyntaxError.self) { try SubscriptionDiagram("-(^--!") }
    #expect(open.message == "( is not closed")
  }

  /// Letters of one script, what stands in quotes, and pictures are values.
  @Test(arguments: ["-а-б-", "-'–'-<—>-", "-ο-ν-λ-", "-👩‍👩‍👧-1️⃣-❤️-", "-é-e\u{301}-", "-'a\u{200B}'-"])
  func readsWhatIsMeant(text: String) throws {
    #expect(throws: Never.self) { try MarbleDiagram(text) }
  }

  @Test(arguments: rejections) func rejects(_ rejection: Rejection) throws {
    let error = try #require(throws: MarbleSyntaxError.self) {
      try MarbleDiagram(rejection.text, role: rejection.role, dialect: rejection.dialect)
    }
    #expect(error.message == rejection.message)
    #expect(error.place == rejection.place)
    #expect(!error.advice.isEmpty)
  }

  @Test(arguments: [Duration.zero, .milliseconds(-1), .seconds(Int64.max), Duration(attoseconds: 1)])
  func rejectsFrame(_ frame: Duration) {
    #expect(throws: MarbleSyntaxError.self) { try MarbleDiagram("-a", frame: frame) }
  }

  @Test(arguments: [MarbleDialect.signals, .rxjs], [MarbleRole.hot, .cold, .expectation])
  func neverTrapsOnRandomText(dialect: MarbleDialect, role: MarbleRole) {
    var random = SplitMix(seed: 7)
    let alphabet = Array("--ab12.msuh|#?()&{}^!'<>\\ \n👩é")
    var accepted = 0
    for _ in 0..<5_000 {
      let text = String(
        (0..<Int.random(in: 0..<12, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "-" })
      do throws(MarbleSyntaxError) {
        _ = try MarbleDiagram(text, role: role, dialect: dialect)
        accepted += 1
      } catch {
        #expect(error.place.upperBound <= text.count)
        #expect(error.description.contains("^"))
      }
    }
    #expect(accepted > 50)
  }
}
