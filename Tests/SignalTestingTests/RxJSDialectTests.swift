import SignalTesting
import Signals
import Testing

/// The `.rxjs` dialect reads what RxJS reads.
@Suite struct RxJSDialectTests {
  @Test func eventsInsideSubscribeAreWithinATolerance() {
    marbles(dialect: .rxjs) { m in m.expect(Signal.just("a"), "-(a|)", tolerance: .milliseconds(1)) }
  }

  /// What RxJS's `parseMarbles` makes of a diagram in run mode, character by character.
  private static func reference(_ text: String) -> (events: [String], end: Double)? {
    let characters = Array(text)
    var events: [String] = []
    var frame = 0.0
    var group: Double?
    var anchor: Double?
    var index = 0
    func time() -> Double { group ?? frame }
    var found: [(time: Double, event: String)] = []
    while index < characters.count {
      var next = frame
      switch characters[index] {
      case " ": break
      case "-": next += 1
      case "(":
        group = frame
        next += 1
      case ")":
        group = nil
        next += 1
      case "^":
        if anchor != nil { return nil }
        anchor = time()
        next += 1
      case let character:
        if character.isNumber, index == 0 || characters[index - 1] == " ",
          let match = String(characters[index...]).prefixMatch(of: #/([0-9]+(?:\.[0-9]+)?)(ms|s|m)[ ]/#),
          let number = Double(match.1)
        {
          index += match.0.count - 1
          next += number * ["ms": 1, "s": 1000, "m": 60_000][String(match.2), default: 0]
        } else {
          found.append((time(), String(character)))
          next += 1
        }
      }
      frame = next
      index += 1
    }
    events = found.map { "\($0.time - (anchor ?? 0)):\($0.event)" }
    return (events, frame - (anchor ?? 0))
  }

  private static func read(_ text: String) throws -> (events: [String], end: Double) {
    let diagram = try MarbleDiagram(text, role: .hot, dialect: .rxjs)
    let events = diagram.events.map { time, event in
      "\(Double(time) / 1_000_000):\(MarblePrinter.text(of: event, dialect: .rxjs))"
    }
    return (events, Double(diagram.end) / 1_000_000)
  }

  @Test(arguments: [
    ("400ms (a-b|)", ["400.0:a", "400.0:b", "400.0:|"], 406.0),
    ("-(a 3ms b)-c", ["1.0:a", "1.0:b", "9.0:c"], 10),
    ("--(^a-)-b", ["0.0:a", "6.0:b"], 7), ("(--)a", ["4.0:a"], 5),
    ("a 0.5m b 2s |", ["0.0:a", "30001.0:b", "32002.0:|"], 32003),
    ("a9ms b", ["0.0:a", "1.0:9", "2.0:m", "3.0:s", "4.0:b"], 5), ("1 ms", ["0.0:1", "1.0:m", "2.0:s"], 3),
    ("9ms", ["0.0:9", "1.0:m", "2.0:s"], 3), ("(a 9ms)", ["0.0:a", "0.0:9", "0.0:m", "0.0:s"], 6),
  ])
  func reads(text: String, events: [String], end: Double) throws {
    let read = try Self.read(text)
    #expect(read.events == events)
    #expect(read.end == end)
    #expect(try #require(Self.reference(text)) == read)
  }

  /// What RxJS reads too, but what can only be a mistake.
  private static let refused = [
    "comes after the end", "a group inside a group", ") without its opening", "( is not closed", "an empty group",
    "the diagram is empty",
  ]

  @Test(arguments: 0..<20) func readsAsRxJSDoes(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pieces = [
      "a", "b", "1", "m", "s", "-", "--", " ", "(", ")", "|", "#", " 3ms ", " 1.5s ", "2m ", " 7ms", ".", "&", "?",
    ]
    var read = 0
    for _ in 0..<500 {
      let count = Int.random(in: 1...9, using: &random)
      var text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "-" }.joined()
      if Int.random(in: 0..<4, using: &random) == 0 { text = "(" + text.filter { !"()|#".contains($0) } + ")" }
      if Int.random(in: 0..<4, using: &random) == 0 { text = "-^" + text }
      do {
        let own = try Self.read(text)
        let reference = try #require(Self.reference(text))
        #expect(own == reference, "\(text)")
        read += 1
      } catch let error as MarbleSyntaxError {
        #expect(Self.refused.contains { error.message.contains($0) }, "\(text): \(error)")
      }
    }
    #expect(read > 125)
  }

  @Test(arguments: 0..<5) func printsWhatItReads(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pieces = ["a", "b", "-", " 3ms ", "(ab)", "(a-b)", "(a 4ms b-)", " 1.5s "]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "-" }
        .joined()
      let diagram = try MarbleDiagram(text, dialect: .rxjs)
      #expect(try MarbleDiagram(MarblePrinter(dialect: .rxjs).print(diagram), dialect: .rxjs) == diagram, "\(text)")
    }
  }
}
