import Foundation
import SignalTesting
import Signals
import Synchronization
import Testing

private struct Item: Equatable, Sendable { var name: String }
private struct Problem: Error, Equatable { var code: Int }

/// Expectations whose diagram is still to be written.
@Suite struct RecordingTests {
  @Test func printsWhatCame() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.hot("-a-(bc)--|")
        m.expect(source.signal.map { $0 + $0 }, "")
      }
    }
    #expect(
      message == """
        An expectation without a diagram.

          received: "-'aa'-('bb''cc')--|"
        """)
  }

  @Test func givesKeysToValues() {
    let message = failure(offset: 3) {
      marbles { m in
        let source = m.cold("{a}-b-c-b-#", error: Problem(code: 1))
        m.expect(
          source.signal.map { Item(name: $0) }, "", values: ["x": Item(name: "b")],
          errors: ["one": Problem(code: 1)])
      }
    }
    #expect(message.contains("received: \"{a}-x-b-x-#one\""), "\(message)")
    #expect(message.contains("\"a\": Item(name: \"a\")"), "\(message)")
    #expect(message.contains("\"b\": Item(name: \"c\")"), "\(message)")
  }

  @Test func recordsToTheEndOfTheSubscription() {
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(.interval(every: .milliseconds(2), on: m.scheduler), "", subscription: "^------!")
      }
    }
    #expect(message.contains("received: \"--0-1-2\""), "\(message)")
    let nothing = failure(offset: 2) {
      marbles { m in
        m.expect(Signal<Int>.never(), "", subscription: "^------!")
      }
    }
    #expect(nothing.contains("received: \"-------\""), "\(nothing)")
  }

  @Test func stopsWithSomethingEndless() {
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(.interval(every: .milliseconds(1), on: m.scheduler), "")
      }
    }
    #expect(message.contains("200 events came until 200 ms"), "\(message)")
    #expect(message.contains("such as with subscription: \"^---------!\""), "\(message)")
    #expect(!message.contains("received:"), "\(message)")
  }

  @Test func theEndMayBeTheLastOfAllEvents() {
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(Signal.sequence(1...199), "")
      }
    }
    #expect(message.contains("received:"), "\(message)")
  }

  @Test func stopsWithASourceThatSendsEndlesslyInsideSubscribe() {
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(Signal.sequence(0...), "")
      }
    }
    #expect(message.contains("200 events came until 0"), "\(message)")
  }

  @Test func endlessRecordingWithASubscription() {
    let message = failure(offset: 2) {
      marbles { m in
        m.expect(.interval(every: .microseconds(10), on: m.scheduler), "", subscription: "^---------!")
      }
    }
    #expect(message.contains("200 events came until 2 ms"), "\(message)")
    #expect(message.hasSuffix("Let the subscription end earlier, or the signal send less often."), "\(message)")
  }

  @Test func aDialectOfItsOwn() {
    let message = failure(offset: 3) {
      marbles(dialect: .rxjs) { m in
        let source = m.cold("-a 400ms (bc|)")
        m.expect(source.signal, "")
      }
    }
    #expect(message.contains("received: \"-a 0.4s (bc|)\""), "\(message)")
  }
}

/// Diagrams that are rewritten in their files.
@Suite struct DiagramUpdateTests {
  /// A file of its own, that goes away.
  private final class SourceFile {
    let url: URL

    init(_ text: String, named name: String = "Sample.swift") throws {
      url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    /// Rewrites a diagram of the call at the first place of a text.
    func update(_ old: String, to new: String, at call: String, argument: Int = 1, in original: String? = nil) -> String
    {
      let original = original ?? text
      guard let range = original.range(of: call) else { return "no such call" }
      let before = original[..<range.lowerBound]
      let line = before.count { $0 == "\n" } + 1
      let column = before.utf8.count - (before.lastIndex(of: "\n").map { before[...$0].utf8.count } ?? 0) + 1
      let source = MarbleSource(fileID: "Tests/Sample.swift", filePath: url.path, line: line, column: column)
      return DiagramUpdate.$forced.withValue(true) {
        DiagramUpdate(MarbleText(old, source: source), argument: argument).apply(new)
      }
    }
  }

  @Test func rewritesALiteral() throws {
    let file = try SourceFile(
      """
      marbles { m in
        m.expect(source.signal, "-a|", values: ["a": "-a|"])  // "-a|"
      }

      """)
    let message = file.update("-a|", to: "-'b\\'\"c'|", at: "expect(")
    #expect(
      file.text == """
        marbles { m in
          m.expect(source.signal, "-'b\\\\'\\"c'|", values: ["a": "-a|"])  // "-a|"
        }

        """)
    #expect(message.contains("Sample.swift:2:\n  - \"-a|\"\n  + \"-'b"), "\(message)")
  }

  @Test(arguments: [
    ("m.expect(s, \"\")", "", "m.expect(s, \"--b\")"),
    ("m.expect(s,\n   #\"-a\"#)", "-a", "m.expect(s,\n   #\"--b\"#)"),
    (
      "m.expect(s.map { f(\"-a\", \"\\($0 + \"-a\"))\") }, \"   -a\", by: ==)", "   -a",
      "m.expect(s.map { f(\"-a\", \"\\($0 + \"-a\"))\") }, \"   --b\", by: ==)"
    ),
    ("m.expect(/* \"-a\", ( */ s, // \"-a\"\n \"-a\")", "-a", "m.expect(/* \"-a\", ( */ s, // \"-a\"\n \"--b\")"),
    ("m.expect(s, \"-\\u{61}\")", "-a", "m.expect(s, \"--b\")"),
    ("m.expect(s, subscription: \"-a\", \"-a\")", "-a", "m.expect(s, subscription: \"-a\", \"--b\")"),
    ("m.expect(\"s\", subscription: \"-a\", x)", "-a", "m.expect(\"s\", subscription: \"--b\", x)"),
    (
      "m.expect(\n  s,\n  \"\"\"\n  -a\n    --c\n  \"\"\"\n)", "-a\n  --c",
      "m.expect(\n  s,\n  \"\"\"\n  --b\n  \"\"\"\n)"
    ),
  ]) func rewritesWhereverItStands(code: String, old: String, expected: String) throws {
    let file = try SourceFile("let é = 1; " + code + "\n")
    let message = file.update(old, to: "--b", at: "m.expect")
    #expect(file.text == "let é = 1; " + expected + "\n", "\(message)")
  }

  /// What the compiler says of a call's place, in the ways in which calls are written.
  @Test func findsTheCallsThatTheCompilerMeans() throws {
    let call = Call()
    let texts = [
      call.expect(1, "-a"), call.expect(2, "-a"),
      call
        .expect(
          [3].map { $0 + 1 }.count, "-a"),
      Call().expect(4, "-a", tag: "-a"),
    ]
    let original = try String(contentsOfFile: #filePath, encoding: .utf8)
    let file = try SourceFile(original)
    for (index, text) in texts.enumerated() {
      let found = try #require(text.source)
      let place = MarbleSource(
        fileID: found.fileID, filePath: file.url.path, line: found.line, column: found.column)
      let message = DiagramUpdate.$forced.withValue(true) {
        DiagramUpdate(MarbleText(text.string, source: place), argument: 1).apply("-new\(index)")
      }
      #expect(message.contains("rewritten at"), "\(message)")
    }
    var expected = original
    for (index, code) in ["(1, \"-a\")", "(2, \"-a\")", "+ 1 }.count, \"-a\")", "(4, \"-a\""].enumerated() {
      let range = try #require(expected.range(of: code))
      expected.replaceSubrange(range, with: code.replacing("-a", with: "-new\(index)"))
    }
    #expect(file.text == expected)
  }

  private struct Call {
    func expect(
      _ signal: Int, _ diagram: String, tag: String = "", fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> MarbleText {
      MarbleText(diagram, source: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  @Test(arguments: [
    "m.expect(s, text)", "m.expect(s, \"-a\" + \"\")", "m.expect(s, \"-\\(x)\")", "m.expect(s, \"-b\")",
    "m.expect(s, \"-a", "m.expect(x: \"-a\", y: \"-a\", z)", "m.expect", "m.expect { \"-a\" }",
  ]) func refusesWhatIsNotThere(code: String) throws {
    let file = try SourceFile(code)
    let message = file.update("-a", to: "--b", at: "m.expect")
    #expect(message.contains("not rewritten: "), "\(message)")
    #expect(file.text == code)
  }

  @Test func rewritesSeveralOfOneFile() throws {
    let text = """
      m.expect(a, \"\"\"
        -a
        -b
        \"\"\")
      m.first(b, "-a"); m.second(b, "-a")
      m.third(c, "")

      """
    let file = try SourceFile(text)
    // In any order, at the places that the compiler saw.
    for (call, old) in [("m.second", "-a"), ("m.third", ""), ("m.expect", "-a\n-b"), ("m.first", "-a")] {
      let message = file.update(old, to: "--\(call.last ?? " ")---", at: call, in: text)
      #expect(message.contains("rewritten at"), "\(message)")
    }
    #expect(
      file.text == """
        m.expect(a, \"\"\"
          --t---
          \"\"\")
        m.first(b, "--t---"); m.second(b, "--d---")
        m.third(c, "--d---")

        """)
  }

  @Test func anExpectationThatRanTwice() throws {
    let text = "m.expect(a, \"-a\")\n"
    let file = try SourceFile(text)
    #expect(file.update("-a", to: "--b", at: "m.expect", in: text).contains("rewritten at"))
    #expect(file.update("-a", to: "--b", at: "m.expect", in: text).contains("rewritten at"))
    let message = file.update("-a", to: "--c", at: "m.expect", in: text)
    #expect(
      message.contains(
        "ran more than once, and what it received differed: \"--b\", then \"--c\". The first change was undone."),
      "\(message)")
    #expect(file.text == text)
    for new in ["--b", "--c"] {
      #expect(file.update("-a", to: new, at: "m.expect", in: text).contains("not rewritten: this expectation ran more"))
      #expect(file.text == text)
    }
  }

  @Test func blankFixtureThatRanTwiceIsWrittenOnce() throws {
    let text = "expected:\nsubscribed e1:  ^-!\n"
    let file = try SourceFile(text, named: "sample.marbles")
    // The place behind the key.
    let place = "\nsubscribed"
    for _ in 1...2 {
      #expect(file.update("", to: "-a-", at: place, in: text).contains("rewritten at"))
      #expect(file.text == "expected:  -a-\nsubscribed e1:  ^-!\n")
    }
    let message = file.update("", to: "-b-", at: place, in: text)
    #expect(message.contains("differed: -a-, then -b-. The first change was undone."), "\(message)")
    for new in ["-a-", "-b-"] {
      #expect(file.text == text)
      #expect(file.update("", to: new, at: place, in: text).contains("not rewritten: this expectation ran more"))
    }
    #expect(file.text == text)
  }

  @Test func manyThreadsAtOnce() throws {
    let text = (0..<60).map { "m.call\($0)(a, \"-a\")\n" }.joined()
    let file = try SourceFile(text)
    let messages = Mutex<[String]>([])
    let update = { @Sendable [url = file.url] (number: Int) in
      let source = MarbleSource(fileID: "Tests/Sample.swift", filePath: url.path, line: number + 1, column: 1)
      let message = DiagramUpdate.$forced.withValue(true) {
        DiagramUpdate(MarbleText("-a", source: source), argument: 1).apply(String(repeating: "-", count: number + 1))
      }
      messages.withLock { $0.append(message) }
    }
    DispatchQueue.concurrentPerform(iterations: 60) { update($0) }
    #expect(messages.withLock { $0 }.allSatisfy { $0.contains("rewritten at") })
    #expect(
      file.text == (0..<60).map { "m.call\($0)(a, \"\(String(repeating: "-", count: $0 + 1))\")\n" }.joined())
  }

  @Test func aFileThatSomebodyElseChanged() throws {
    let text = "m.expect(a, \"-a\")\nm.other(a, \"-a\")\n"
    let file = try SourceFile(text)
    _ = file.update("-a", to: "--b", at: "m.expect", in: text)
    try ("// new\n" + file.text).write(to: file.url, atomically: true, encoding: .utf8)
    let changed = file.text
    #expect(file.update("-a", to: "--b", at: "m.other", in: text).contains("not rewritten: "))
    #expect(file.text == changed)
  }

  @Test func aFileThatIsNotToBeWritten() throws {
    let missing = MarbleSource(fileID: "x", filePath: "/nowhere/at/all.swift", line: 1, column: 1)
    DiagramUpdate.$forced.withValue(true) {
      #expect(DiagramUpdate(MarbleText("-a", source: missing), argument: 1).apply("-").contains("cannot be"))
      #expect(DiagramUpdate(MarbleText("-a"), argument: 1).apply("-").contains("location of the diagram is unknown"))
    }
  }

  @Test func aFileThatIsNewerThanTheTests() throws {
    let file = try SourceFile("m.expect(a, \"-a\")\n")
    var source = MarbleSource()
    (source.filePath, source.line, source.column) = (file.url.path, 1, 1)
    let message = DiagramUpdate.$forced.withValue(true) {
      DiagramUpdate(MarbleText("-a", source: source), argument: 1).apply("-")
    }
    #expect(message.contains("was changed after the tests were built"), "\(message)")
    #expect(file.text == "m.expect(a, \"-a\")\n")
  }

  @Test func rewritesFixtures() throws {
    let file = try SourceFile(
      """
      fixture:   one
      operator:  same
      hot e1:    -a-b-|
      expected:  -a--b|
      subscribed e1:  ^-!

      fixture: two
      operator: same
      hot e1:  -a|
      expected:
      // behind it

      """, named: "sample.marbles")
    let runner = FixtureRunner(operators: ["same": { try $0.source() }])
    let cases = try FixtureParser.parse(file.text, filePath: file.url.path)
    let issues = DiagramUpdate.$forced.withValue(true) { issuesOf { for fixture in cases { runner.run(fixture) } } }
    #expect(issues.count == 3)
    #expect(issues.allSatisfy { $0.comments.first?.rawValue.contains("rewritten at") == true })
    #expect(
      file.text == """
        fixture:   one
        operator:  same
        hot e1:    -a-b-|
        expected:  -a-b-|
        subscribed e1:  ^----!

        fixture: two
        operator: same
        hot e1:  -a|
        expected:  -a|
        // behind it

        """)
    for fixture in try FixtureParser.parse(file.text, filePath: file.url.path) { runner.run(fixture) }
  }

  @Test func rewritesSubscriptions() throws {
    let text = "m.expectSubscriptions(of: a, \"^-!\", \"-^\")\n"
    let file = try SourceFile(text)
    #expect(file.update("-^", to: "-^--!", at: "m.expect", argument: 1, in: text).contains("rewritten at"))
    #expect(file.text == "m.expectSubscriptions(of: a, \"^-!\", \"-^--!\")\n")
  }

  @Test func variantsOfASearchRewriteNothing() {
    var isOn: [Bool] = []
    func declare(_ m: MarbleTest) {
      isOn.append(DiagramUpdate.isOn)
      let (left, right) = (m.hot("-a-|"), m.hot("-b-|"))
      m.expect(Signal.merge(left.signal, right.signal), "-(a & b)-|")
    }
    // These run the test as it is first and last.
    let searches: [() -> Void] = [{ cancelEverywhere(declare) }, { _ = mutateSources(declare) }]
    DiagramUpdate.$forced.withValue(true) {
      for search in searches {
        isOn = []
        search()
        #expect(isOn.count > 4 && isOn == [true] + Array(repeating: false, count: isOn.count - 2) + [true], "\(isOn)")
      }
      isOn = []
      marblesInEveryOrder(declare)
      #expect(isOn.count > 1 && isOn[0] && !isOn[1...].contains(true), "\(isOn)")
    }
  }

  @Test func doesNothingUnasked() throws {
    let file = try SourceFile("m.expect(a, \"-a\")\n")
    let source = MarbleSource(fileID: "x", filePath: file.url.path, line: 1, column: 1)
    #expect(
      DiagramUpdate.$forced.withValue(false) { DiagramUpdate(MarbleText("-a", source: source), argument: 1).apply("-") }
        == "")
    #expect(file.text == "m.expect(a, \"-a\")\n")
  }
}
