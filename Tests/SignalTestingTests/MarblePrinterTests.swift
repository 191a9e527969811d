import SignalTesting
import Testing

@Suite struct MarblePrinterTests {
  @Test(
    arguments: [
      ("--a--b|", "--a--b|"),
      ("- - a", "--a"),
      ("(a)", "a"),
      ("<a>", "a"),
      ("( 1 m )", "(1 m)"),
      ("-----------------------------------------a", "41ms a"),
      ("a 3600s b 90s c", "a 1h b 90s c"),
      ("a 1500ms b", "a 1.5s b"),
      ("0.5ms a 59999ms b 2000ms", "500us a 59999ms b 2s"),
      ("{'x'}(b & c & |)", "{'x'}(b & c & |)"),
      ("#oops--", "#oops--"),
      ("-<-><|>'\\n'", "-<-><|>'\\n'"),
    ])
  func writes(text: String, expected: String) throws {
    #expect(try MarblePrinter().print(MarbleDiagram(text)) == expected)
  }

  @Test func refusesWhatHasNoNotation() throws {
    let close = MarbleDiagram(
      moments: [
        MarbleMoment(nanoseconds: 0, events: [.finished]), MarbleMoment(nanoseconds: 10, events: [.finished]),
      ])
    #expect(throws: MarblePrintingError.self) { try MarblePrinter().print(close) }
    for text in ["-'text'", "-(a & b)", "-?", "{a}", "-#name", "(ab)c", "-<key>"] {
      let diagram = try MarbleDiagram(text)
      #expect(throws: MarblePrintingError.self, "\(text)") { try MarblePrinter(dialect: .rxjs).print(diagram) }
    }
    #expect(try MarblePrinter(dialect: .rxjs).print(MarbleDiagram("(ab)--- 1s c|")) == "(ab) 1s c|")
  }

  @Test(arguments: 0..<40) func readsBack(seed: UInt64) throws {
    var generator = DiagramGenerator(random: SplitMix(seed: seed))
    for _ in 0..<125 {
      let diagram = generator.diagram()
      let text = try MarblePrinter(longestRun: Int.random(in: 0...30, using: &generator.random)).print(diagram)
      let role: MarbleRole = diagram.isAnchored ? .hot : .expectation
      #expect(try MarbleDiagram(text, role: role, frame: .nanoseconds(diagram.frame)) == diagram, "\(text)")
    }
  }

  @Test(arguments: 0..<20) func readsBackRxJS(seed: UInt64) throws {
    var generator = DiagramGenerator(random: SplitMix(seed: seed))
    var written = 0
    for _ in 0..<125 {
      let diagram = generator.rxjsDiagram()
      guard let text = try? MarblePrinter(dialect: .rxjs).print(diagram) else { continue }
      written += 1
      let role: MarbleRole = diagram.isAnchored ? .hot : .expectation
      #expect(try MarbleDiagram(text, role: role, dialect: .rxjs) == diagram, "\(text)")
    }
    #expect(written > 100)
  }

  @Test(arguments: MarbleDialect.allCases) func subscriptionsReadBack(dialect: MarbleDialect) throws {
    var random = SplitMix(seed: 1)
    for _ in 0..<2_000 {
      let start = Int64.random(in: 0...40, using: &random) * 1_000_000
      let length = Int64.random(in: 0...40, using: &random) * 1_000_000
      var diagram = SubscriptionDiagram(
        subscribed: Bool.random(using: &random) || length == 0 ? start : nil,
        unsubscribed: Bool.random(using: &random) ? start + length : nil)
      if diagram.subscribed == nil, diagram.unsubscribed == nil { diagram.unsubscribed = start }
      if dialect == .rxjs, diagram.subscribed == diagram.unsubscribed { diagram.end = start + 4_000_000 }
      diagram.end = max(diagram.end, (diagram.unsubscribed ?? diagram.subscribed ?? 0) + 1_000_000)
      diagram.end += Int64.random(in: 0...3, using: &random) * 1_000_000
      let text = try MarblePrinter(dialect: dialect).print(diagram)
      #expect(try SubscriptionDiagram(text, dialect: dialect) == diagram, "\(text)")
    }
  }
}

/// Makes random diagrams of all constructs.
struct DiagramGenerator {
  var random: SplitMix

  private static let awkward = [
    "-", "|", "#", "?", "(", ")", "&", "{", "}", "^", "!", "'", "<", ">", "\\", " ", "\n", "\r\n", "\t", "\u{301}",
    "👩", "\u{200D}", "🇩", "🇪", "\u{1100}", "\u{1161}", "क्", "क", "é", "漢", "\u{7}", "\u{FE0F}", "🏽", "\u{2028}",
  ]

  private mutating func word() -> String {
    let letters = Array("abc0123456789.umsh").map(String.init) + (chance(3) ? Self.awkward : [])
    let length = chance(3) ? 1 : Int.random(in: 1...5, using: &random)
    return (0..<length).map { _ in letters.randomElement(using: &random) ?? "a" }.joined()
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func value(isExpectation: Bool) -> MarbleEvent {
    if isExpectation, chance(8) { return .anyValue }
    if chance(5) { return .value(.text(word())) }
    if chance(4) { return .value(.key(word())) }
    return .value(.key(String("abcmsuh0159".randomElement(using: &random) ?? "a")))
  }

  private mutating func gap(_ frame: Int64) -> Int64 {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: Int64.random(in: 1...7_300_000_000_000, using: &random)
    case 1:
      Int64.random(in: 1...90, using: &random) * [1_000_000_000, 60_000_000_000, 3_600_000_000_000][chance(2) ? 0 : 1]
    case 2: 0
    default: Int64.random(in: 0...30, using: &random) * frame
    }
  }

  mutating func diagram() -> MarbleDiagram {
    let frame: Int64 = [1_000_000, 1_000_000, 500_000, 7, 1_000_000_000].randomElement(using: &random) ?? 1_000_000
    let isAnchored = chance(4)
    var moments: [MarbleMoment] = []
    var clock: Int64 = 0
    let start = isAnchored ? -gap(frame) : 0
    if isAnchored, start <= -frame, chance(2) {
      moments.append(MarbleMoment(nanoseconds: start, events: [value(isExpectation: false)]))
    }
    if isAnchored {
      clock = frame
    } else if chance(4) {
      let count = Int.random(in: 1...3, using: &random)
      moments.append(
        MarbleMoment(
          nanoseconds: 0, isInsideSubscribe: true, events: (0..<count).map { _ in value(isExpectation: true) }))
    }
    let count = Int.random(in: 0...8, using: &random)
    for index in 0..<count {
      clock += gap(frame)
      var events = (0..<(chance(3) ? Int.random(in: 1...4, using: &random) : 1)).map { _ in
        value(isExpectation: !isAnchored)
      }
      if index == count - 1, chance(2) {
        if chance(2) { events = [] }
        events.append(chance(2) ? .finished : .failed(chance(2) ? nil : word()))
      }
      moments.append(MarbleMoment(nanoseconds: clock, order: chance(3) ? .any : .asWritten, events: events))
      clock += frame
    }
    clock += gap(frame)
    return MarbleDiagram(moments: moments, start: start, end: max(clock, frame), isAnchored: isAnchored, frame: frame)
  }

  mutating func rxjsDiagram() -> MarbleDiagram {
    var moments: [MarbleMoment] = []
    var clock: Int64 = 0
    let count = Int.random(in: 1...6, using: &random)
    for index in 0..<count {
      clock += gap(1_000_000)
      var events = (0..<(chance(3) ? Int.random(in: 1...4, using: &random) : 1)).map { _ in
        MarbleEvent.value(.key(String("abcdef0159?&<".randomElement(using: &random) ?? "a")))
      }
      if index == count - 1, chance(2) { events.append(chance(2) ? .finished : .failed(nil)) }
      moments.append(MarbleMoment(nanoseconds: clock, events: events))
      clock += events.count == 1 ? 1_000_000 : Int64(events.count + 2) * 1_000_000
    }
    return MarbleDiagram(moments: moments, start: 0, end: clock + gap(1_000_000))
  }
}
