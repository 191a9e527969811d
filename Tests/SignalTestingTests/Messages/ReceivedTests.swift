import SignalTesting
import Signals
import Testing

/// What a failure says was received can be pasted into the test, which then passes.
@Suite struct ReceivedTests {
  /// The messages of the failures of a body.
  private func messages(_ body: () -> Void) -> [String] {
    let issues = Issues()
    withKnownIssue {
      body()
    } matching: { issue in
      issues.add(issue)
      return true
    }
    return issues.all.compactMap { $0.comments.first?.rawValue }
  }

  /// The text of a Swift literal at the beginning of a text.
  private func literal(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if isEscaped {
        result.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        break
      } else {
        result.append(character)
      }
    }
    return result
  }

  /// What is behind `received: `.
  private func received(_ message: String, _ title: String = "received: ") throws -> String {
    let range = try #require(message.firstRange(of: title))
    return literal(message[range.upperBound...])
  }

  private static let awkward = [
    "", " ", "a", "ab", "\"", "\\", "'", "<x>", "|", "#", "-", "–", "а", "5ms", "1", "10", "class", "nil", "true", "\n",
    "\r\n", "\t",
    "\u{200B}", "\u{A0}x", "e\u{301}", "👩‍👩‍👧", "漢", "\u{7}", "\\n", "\\u{41}", "?", "(a & b)", "{", "^", "!",
  ]

  @Test(arguments: 0..<20) func textsCanBePastedBack(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<20 {
      let count = Int.random(in: 1...6, using: &random)
      let texts = (0..<count).map { _ in Self.awkward.randomElement(using: &random) ?? "" }
      let gap = Int64.random(in: 1...30, using: &random)
      let isAtOnce = Bool.random(using: &random)
      func run(_ diagram: String) {
        marbles { m in
          let values = Signal.sequence(texts)
          let signal = isAtOnce ? values : values.delay(for: .milliseconds(gap), on: m.scheduler)
          m.expect(signal, diagram)
        }
      }
      let message = try #require(messages { run("-") }.first)
      let diagram = try received(message)
      run(diagram)
    }
  }

  @Test func numbersAndTruthCanBePastedBack() throws {
    func run(_ diagram: String) {
      marbles { m in m.expect(Signal.sequence([1.5, -2, 10, .infinity]), diagram) }
    }
    let message = try #require(messages { run("-") }.first)
    run(try received(message))
    func runTruth(_ diagram: String) {
      marbles { m in m.expect(Signal.sequence([true, false]), diagram) }
    }
    let truth = try #require(messages { runTruth("-") }.first)
    runTruth(try received(truth))
  }

  @Test func namesOfErrorsCanBePastedBack() throws {
    struct Lost: Error, Equatable { var at: Int }
    func run(_ diagram: String, _ errors: [String: any Error]) {
      marbles { m in
        let source = m.cold("-a-#", error: Lost(at: 1))
        m.expect(source.signal, diagram, errors: errors)
      }
    }
    let named = try #require(messages { run("-b-#class", ["class": Lost(at: 1)]) }.first)
    #expect(try received(named) == "-a-#class")
    run("-a-#class", ["class": Lost(at: 1)])
    let other = try #require(messages { run("-a-#", ["": Lost(at: 2)]) }.first)
    #expect(other.contains(#"received: "-a-#other", errors: ["other": Lost(at: 1)]"#))
    run("-a-#other", ["other": Lost(at: 1)])
  }

  @Test func valuesWithoutAKeyGetOne() throws {
    struct User: Equatable { var name: String }
    func run(_ diagram: String, _ values: [String: User]) {
      marbles { m in
        m.expect(Signal.sequence([User(name: "Ann"), User(name: "Bob"), User(name: "Ann")]), diagram, values: values)
      }
    }
    let message = try #require(messages { run("{az|}", ["a": User(name: "Cid"), "z": User(name: "Bob")]) }.first)
    #expect(message.contains(#"received: "{bzb|}", values: ["b": User(name: "Ann")]"#))
    run("{bzb|}", ["b": User(name: "Ann"), "z": User(name: "Bob")])
  }

  /// A text that is also a key has to be told from it.
  @Test func aTextThatIsAKeyGetsAnother() throws {
    func run(_ diagram: String, _ values: [String: String]) {
      marbles { m in m.expect(Signal.sequence(["a", "b"]), diagram, values: values) }
    }
    let message = try #require(messages { run("{aa|}", ["a": "b"]) }.first)
    #expect(message.contains(#"received: "{ba|}", values: ["b": "a"]"#))
    run("{ba|}", ["a": "b", "b": "a"])
  }

  @Test func whatStandsBetweenTheFramesNamesAFrame() throws {
    func run(_ diagram: String, frame: Duration) {
      marbles(frame: frame) { m in
        let two = Signal.sequence([1, 2]).delay(for: .microseconds(200), on: m.scheduler)
        m.expect(two.merge(with: two.delay(for: .microseconds(300), on: m.scheduler)), diagram)
      }
    }
    let message = try #require(messages { run("-", frame: .milliseconds(1)) }.first)
    run(try received(message, "received, with marbles(frame: .microseconds(300)): "), frame: .microseconds(300))
  }

  @Test func theDialectOfTheTest() throws {
    func run(_ diagram: String) {
      marbles(dialect: .rxjs) { m in
        m.expect(m.cold("-(ab)-c|").signal, diagram)
      }
    }
    let message = try #require(messages { run("-") }.first)
    run(try received(message))
  }

  @Test func signalsCanBePastedBack() throws {
    func run(_ diagram: String, _ signals: [String: String]) {
      marbles { m in
        let inner = m.cold("-1-<10>|")
        m.expectNested(
          m.hot("-a-b|", values: ["a": inner.signal, "b": inner.signal]).signal, diagram, signals: signals)
      }
    }
    let message = try #require(messages { run("-x---|", ["x": "-1|"]) }.first)
    #expect(message.contains(#"received: "-a-a|", signals: ["a": "-1-'10'|"]"#))
    run("-a-a|", ["a": "-1-'10'|"])
  }
}
