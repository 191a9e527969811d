import Foundation

/// Parses `.marbles` files.
///
/// A file is lines of `key: text`. `dialect:` precedes the first case and applies to the file; `fixture:` begins a
/// case. The keys of a case:
///
/// ```
/// fixture:         name of the case
/// operator:        this library's name, or "none yet"
/// rxjs:            the name in RxJS
/// argument ms:     JSON
/// hot e1:          --a--b--|            in order of creation; also "cold e1:"
/// value x:         JSON                 what a key stands for
/// error:           JSON                 what # stands for; "error name:" for #name; "expected error:" in the expectation
/// subscription:    ^------!             of the observer whose "expected:" follows
/// expected:        --x--|               once for each observer; without a diagram, the run fails and says which one holds
/// frames:          2:a 3:b 8:|          in a case of the parser, instead of "expected:"
/// window x:        -a-|                 relative to the instant of x
/// subscribed e1:   ^----!               once for each subscription, or "never"
/// law 16:          why the library differs; then "law expected:" and "law subscribed e1:" with what holds instead
/// tags:            words, separated by commas
/// origin:          where the case comes from
/// note:            what a reader should know
/// ```
///
/// Empty lines and lines that begin with `//` are ignored. Spaces around a text are not part of it. Diagrams are
/// parsed, and thus checked, immediately.
public struct FixtureParser {
  private let fileID: String
  private let filePath: String
  private let lines: [Substring]
  private var number = 0
  private var column = 1
  private var dialect = MarbleDialect.signals
  private var fixtures: [MarbleFixture] = []
  private var pendingSubscription: MarbleText?
  private var seen: Set<String> = []

  /// Parses a file's text.
  ///
  /// ```swift
  /// import Foundation
  ///
  /// let file = URL(fileURLWithPath: "Fixtures/operators/map.marbles")
  /// let cases = try FixtureParser.parse(String(contentsOf: file, encoding: .utf8), filePath: file.path)
  /// print(cases.map(\.name))
  /// ```
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - filePath: The file's path, for messages: a failing case is reported at this file.
  /// - Returns: The cases, in the order of the file.
  /// - Throws: ``FixtureSyntaxError``, also if the file contains no case; or ``MarbleSyntaxError`` for a diagram.
  public static func parse(_ text: String, filePath: String) throws -> [MarbleFixture] {
    var parser = FixtureParser(text: text, filePath: filePath)
    return try parser.parse()
  }

  /// Parses all `.marbles` files of a directory.
  ///
  /// ```swift
  /// import SignalTesting
  /// import Testing
  ///
  /// @Test(.requiresArguments, arguments: try FixtureParser.parse(folder: "Fixtures/operators"))
  /// func hasANote(fixture: MarbleFixture) {
  ///   #expect(fixture.note != nil)
  /// }
  /// ```
  ///
  /// - Parameter path: The directory's path.
  /// - Returns: The cases, in the order of the files' names.
  /// - Throws: ``FixtureArgumentError`` if the directory contains no such file; rethrows the errors of
  ///   ``parse(_:filePath:)``.
  public static func parse(folder path: String) throws -> [MarbleFixture] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let names = files.filter { $0.hasSuffix(".marbles") }.sorted()
    guard !names.isEmpty else { throw FixtureArgumentError("The directory \(path) contains no .marbles file.") }
    return try names.flatMap { name in
      let file = "\(path)/\(name)"
      return try parse(String(contentsOfFile: file, encoding: .utf8), filePath: file)
    }
  }

  private init(text: String, filePath: String) {
    self.filePath = filePath
    fileID = String(filePath.split(separator: "/").last ?? "")
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  private mutating func parse() throws -> [MarbleFixture] {
    while number < lines.count {
      let line = lines[number]
      number += 1
      column = 1
      let content = line.trimmed()
      if content.isEmpty || content.hasPrefix("//") { continue }
      guard let colon = line.firstIndex(of: ":") else {
        throw error("the line has no key", advice: "Write key: text, or // before a comment.")
      }
      let words = line[..<colon].split(whereSeparator: \.isWhitespace).map(String.init)
      let rest = line[line.index(after: colon)...]
      let text = rest.trimmed()
      column = line.distance(from: line.startIndex, to: text.isEmpty ? line.endIndex : text.startIndex) + 1
      // An expectation without a diagram has not been recorded yet.
      guard !text.isEmpty || [["expected"], ["law", "expected"]].contains(words) else {
        throw error("'\(words.joined(separator: " ")):' has no text", advice: "Write it.")
      }
      try read(words, String(text))
    }
    try finishCase()
    guard !fixtures.isEmpty else {
      (number, column) = (1, 1)
      throw error("the file holds no case", advice: "Start a case with fixture: and its name, or remove the file.")
    }
    return fixtures
  }

  private func error(_ message: String, advice: String) -> FixtureSyntaxError {
    FixtureSyntaxError(message: message, advice: advice, source: place, line: String(lines[number - 1]))
  }

  private var place: MarbleSource {
    MarbleSource(fileID: fileID, filePath: filePath, line: number, column: column)
  }

  private mutating func read(_ words: [String], _ text: String) throws {
    guard let key = words.first else { throw error("the line has no key", advice: "Write key: text.") }
    if key == "dialect" {
      guard fixtures.isEmpty, let dialect = MarbleDialect(rawValue: text) else {
        throw error("unknown or misplaced dialect", advice: "Write signals or rxjs before the first case.")
      }
      self.dialect = dialect
      return
    }
    if key == "fixture" {
      try finishCase()
      guard !fixtures.contains(where: { $0.name == text }) else {
        throw error("a second case named '\(text)'", advice: "Give each case its own name.")
      }
      var fixture = MarbleFixture(name: text)
      fixture.dialect = dialect
      fixture.source = place
      fixtures.append(fixture)
      seen = []
      return
    }
    guard !fixtures.isEmpty else {
      throw error("'\(key)' before the first case", advice: "Start a case with fixture: and its name.")
    }
    let last = fixtures.count - 1
    let repeated = ["subscribed", "expected", "subscription", "law"]
    let isNamed = words.count > 1
    if !repeated.contains(key) || words.starts(with: ["expected", "error"]),
      !seen.insert(words.joined(separator: " ")).inserted
    {
      throw error("a second '\(words.joined(separator: " "))'", advice: "Keep one.")
    }
    switch (key, words.count) {
    case ("operator", 1): fixtures[last].operatorName = text == "none yet" ? nil : text
    case ("rxjs", 1): fixtures[last].rxjsName = text
    case ("argument", 2): fixtures[last].arguments[words[1]] = try json(text)
    case ("value", 2): fixtures[last].values[words[1]] = try json(text)
    case ("error", 1...2): fixtures[last].errors[isNamed ? words[1] : ""] = try json(text)
    case ("expected", 2...3) where words[1] == "error":
      fixtures[last].expectedErrors[words.count == 3 ? words[2] : ""] = try json(text)
    case ("hot", 2), ("cold", 2): try readSource(words[1], key, text)
    case ("subscription", 1):
      guard pendingSubscription == nil else {
        throw error("a second subscription", advice: "Write expected: after each subscription.")
      }
      pendingSubscription = try subscription(text, isExpectation: false)
    case ("expected", 1):
      fixtures[last].observers.append(
        MarbleFixture.Observer(subscription: pendingSubscription, expected: try diagram(text, .expectation)))
      pendingSubscription = nil
    case ("frames", 1): fixtures[last].frames = try frames(text)
    case ("window", 2): fixtures[last].windows[words[1]] = try diagram(text, .expectation)
    case ("subscribed", 2): try readSubscribed(words[1], text, into: &fixtures[last].subscriptions)
    case ("law", 2...3): try readLaw(words, text)
    case ("tags", 1): fixtures[last].tags = text.split(separator: ",").map { String($0.trimmed()) }
    case ("origin", 1): fixtures[last].origin = text
    case ("note", 1): fixtures[last].note = text
    default:
      column = 1
      throw error(
        "unknown key '\(words.joined(separator: " "))'", advice: "FixtureParser's documentation lists the keys.")
    }
  }

  private func json(_ text: String) throws -> FixtureValue {
    guard let value = FixtureValue(json: text) else {
      throw error(
        "the text is not JSON", advice: "Write a string as \"text\", else a number, list, table, true or false.")
    }
    return value
  }

  private func diagram(_ text: String, _ role: MarbleRole) throws -> MarbleText {
    let text = MarbleText(text, source: place)
    if text.isBlank { return text }
    _ = try ParsedMarbleDiagram(text, role: role, dialect: dialect)
    return text
  }

  private func subscription(_ text: String, isExpectation: Bool) throws -> MarbleText {
    _ = try SubscriptionDiagram(text, requiresSubscribing: isExpectation, dialect: dialect, source: place)
    return MarbleText(text, source: place)
  }

  private mutating func readSource(_ name: String, _ kind: String, _ text: String) throws {
    let last = fixtures.count - 1
    guard !fixtures[last].sources.contains(where: { $0.name == name }) else {
      throw error("a second source '\(name)'", advice: "Give each source its own name.")
    }
    let kind: MarbleFixture.Source.Kind = kind == "hot" ? .hot : .cold
    fixtures[last].sources.append(
      MarbleFixture.Source(name: name, kind: kind, diagram: try diagram(text, kind == .hot ? .hot : .cold)))
  }

  private func readSubscribed(
    _ name: String, _ text: String, into subscriptions: inout [String: [MarbleText]]
  ) throws {
    guard fixtures[fixtures.count - 1].sources.contains(where: { $0.name == name }) else {
      throw error("there is no source '\(name)'", advice: "Write hot \(name): or cold \(name): before it.")
    }
    if text == "never" {
      guard subscriptions[name] == nil else {
        throw error("'never' beside other subscriptions of '\(name)'", advice: "Keep one of the two.")
      }
      subscriptions[name] = []
    } else {
      if subscriptions[name]?.isEmpty == true {
        throw error("a subscription of '\(name)' beside 'never'", advice: "Keep one of the two.")
      }
      subscriptions[name, default: []].append(try subscription(text, isExpectation: true))
    }
  }

  private mutating func readLaw(_ words: [String], _ text: String) throws {
    let last = fixtures.count - 1
    if let law = Int(words[1]), words.count == 2 {
      guard (1...16).contains(law), fixtures[last].law == nil else {
        throw error("law \(law) does not exist, or a law is named twice", advice: "Name one of the laws 1 to 16.")
      }
      fixtures[last].law = MarbleFixture.Law(number: law, reason: text)
      return
    }
    guard var law = fixtures[last].law else {
      throw error("no law is named yet", advice: "Write law 16: and the reason before it.")
    }
    switch (words[1], words.count) {
    case ("expected", 2): law.expected.append(try diagram(text, .expectation))
    case ("subscribed", 3): try readSubscribed(words[2], text, into: &law.subscriptions)
    default: throw error("unknown key", advice: "Write law NUMBER:, law expected: or law subscribed NAME:.")
    }
    fixtures[last].law = law
  }

  private func frames(_ text: String) throws -> [MarbleFixture.Frame] {
    try text.split(separator: " ").map { word in
      guard let colon = word.firstIndex(of: ":"), let time = Int(word[..<colon]), colon != word.indices.last else {
        throw error("'\(word)' is not a frame and an event", advice: "Write frames such as 2:a 8:|.")
      }
      return MarbleFixture.Frame(time: time, event: String(word[word.index(after: colon)...]))
    }
  }

  private mutating func finishCase() throws {
    guard let fixture = fixtures.last else { return }
    func failure(_ message: String, _ advice: String) -> FixtureSyntaxError {
      let source = fixture.source ?? place
      return FixtureSyntaxError(message: message, advice: advice, source: source, line: String(lines[source.line - 1]))
    }
    guard seen.contains("operator") else { throw failure("the case has no operator", "Write operator: and its name.") }
    guard pendingSubscription == nil else {
      throw failure("the last subscription has no expectation", "Write expected: after it.")
    }
    guard fixture.observers.isEmpty != fixture.frames.isEmpty else {
      throw failure("the case expects nothing, or both kinds", "Write expected:, or frames: for a case of the parser.")
    }
    if let law = fixture.law, !law.expected.isEmpty, law.expected.count != fixture.observers.count {
      throw failure("law expected: is not given once for each observer", "Write one for each expected:.")
    }
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The text without white space around it.
  package func trimmed() -> Substring {
    var text = self[...].drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
