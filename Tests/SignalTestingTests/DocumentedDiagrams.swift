import Foundation
import OperatorCatalogue
import SignalTesting
import Signals
import Testing

/// The diagrams in the operators' documentation are what happens.
@Suite(.healthy) struct DocumentedDiagrams {
  @Test(arguments: try DocumentedDiagram.all()) func isTrue(_ diagram: DocumentedDiagram) throws {
    let call = try #require(diagram.fixture.operatorName)
    let isKnown = OperatorCatalogue.calls.contains(call)
    let place = try #require(diagram.fixture.source)
    try #require(
      isKnown, "Add '\(call)' to `diagrams` of the operator's row in Tests/OperatorCatalogue/Rows.",
      sourceLocation: SourceLocation(
        fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column))
    OperatorCatalogue.diagramRunner.run(diagram.fixture)
  }

  @Test func everyOperatorHasADiagram() throws {
    let shown = try Set(DocumentedDiagram.all().map(\.function))
    let operators = try DocumentedDiagram.functions()
    #expect(operators.count > 25)
    #expect(operators.subtracting(shown).sorted() == [], "show in the documentation what the operator does, in marbles")
  }

  @Test func everyOperatorHasAnExample() throws {
    let operators = try DocumentedDiagram.functions()
    let shown = try DocumentedDiagram.functions(whoseTextHas: "/// ```swift")
    #expect(operators.subtracting(shown).sorted() == [], "show in the documentation how the operator is used")
  }

  /// What the laws leave open is told for each.
  @Test(arguments: ["Errors", "Ends", "Order and threads", "Allocations"])
  func everyOperatorPromises(_ topic: String) throws {
    let operators = try DocumentedDiagram.functions(in: ["Operators", "Combining"])
    let told = try DocumentedDiagram.functions(in: ["Operators", "Combining"], whoseTextHas: "/// - **\(topic):**")
    #expect(operators.subtracting(told).sorted() == [], "say in the documentation what it promises: \(topic)")
  }

  /// A call that no diagram shows can go; and what is run is the very text that is shown.
  @Test func callsAreRunAsTheyAreWritten() throws {
    let written = try Set(DocumentedDiagram.all().compactMap(\.fixture.operatorName))
    let rows = OperatorFixtureTests.root.appending(path: "Tests/OperatorCatalogue/Rows")
    let program = try FileManager.default.contentsOfDirectory(at: rows, includingPropertiesForKeys: nil)
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    let calls = OperatorCatalogue.calls
    #expect(calls.filter { !written.contains($0) } == [], "no diagram shows these")
    #expect(calls.filter { !program.contains("shown(\($0))") } == [], "these are not run as they are written")
  }
}

/// A diagram of a doc comment: inputs, a call, and what its subscribers get.
///
/// ```
/// source             -a-b-c-|        an input; it begins when it is subscribed to
///                    source.share()  the call, without a name before it
/// first subscribes   ^---!           when the next row's subscriber comes and leaves
/// first              -a-b            what it gets
/// source subscribed  ^---!           when the input was subscribed to
/// window a           -1-(2|)         what the signal delivers that a key stands for, since it comes; "group a" says the same
/// a = 1, b = 2                       what keys stand for
/// ```
///
/// Another call may follow: its inputs are the same.
struct DocumentedDiagram: CustomTestStringConvertible {
  /// The operator's name.
  var function = ""
  var fixture: MarbleFixture

  var testDescription: String { fixture.operatorName ?? "" }

  private static let root = OperatorFixtureTests.root.appending(path: "Sources/Signals")
  /// The name of the public function that a line begins to declare.
  private static func function(in line: Substring) -> String? {
    guard line.contains("public ") else { return nil }
    return line.firstMatch(of: /^ *public (?:static )?func `?(?<name>[A-Za-z]+)/).map { String($0.name) }
  }

  private static let folders = ["Operators", "Combining", "Sources"]

  private static func files(in folders: [String] = folders) throws -> [URL] {
    try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        at: root.appending(path: folder), includingPropertiesForKeys: nil)
    }.sorted { $0.path < $1.path }
  }

  /// The names of all operators and sources; or of those whose documentation has a line that begins with a text.
  static func functions(in folders: [String] = folders, whoseTextHas text: String? = nil) throws -> Set<String> {
    var names: Set<String> = []
    for file in try files(in: folders) {
      var hasText = false
      for line in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline) {
        if let text, line.drop(while: \.isWhitespace).hasPrefix(text) { hasText = true }
        guard let name = function(in: line) else { continue }
        if hasText || text == nil { names.insert(name) }
        hasText = false
      }
    }
    return names
  }

  static func all() throws -> [DocumentedDiagram] { try files().flatMap(read) }

  private static func read(_ file: URL) throws -> [DocumentedDiagram] {
    var diagrams: [DocumentedDiagram] = []
    /// Those whose function has not come yet.
    var waiting: [DocumentedDiagram] = []
    var rows: [MarbleText]?
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      if let function = function(in: line) {
        diagrams += waiting.map { DocumentedDiagram(function: function, fixture: $0.fixture) }
        waiting = []
      }
      let comment = line.drop(while: \.isWhitespace)
      guard comment.hasPrefix("///") else { continue }
      let text = String(comment.dropFirst(4))
      if text == "```text" {
        rows = []
      } else if text == "```", let block = rows {
        waiting += try DocumentedRows(block).diagrams
        rows = nil
      } else if !text.allSatisfy(\.isWhitespace) {
        rows?.append(
          MarbleText(
            text,
            source: MarbleSource(
              fileID: "Signals/\(file.lastPathComponent)", filePath: file.path, line: index + 1,
              column: line.count - text.count + 1)))
      }
    }
    return diagrams
  }
}

/// Reads the rows of one block.
private struct DocumentedRows {
  private(set) var diagrams: [DocumentedDiagram] = []
  private var inputs: [MarbleFixture.Source] = []
  private var subscription: MarbleText?

  init(_ rows: [MarbleText]) throws {
    for row in rows {
      // What a source is to send, and what a key is to stand for.
      if let match = row.string.wholeMatch(of: /(?<key>\S) = (?<rest>.*)/) {
        for entry in "\(match.key) = \(match.rest)".matches(of: /(\S) = (.*?)(?:$|, (?=\S = ))/) {
          note(String(entry.1), String(entry.2))
        }
      } else if row.string.hasPrefix(" ") {
        begin(row.part(from: row.string.prefix { $0 == " " }.count))
      } else {
        let name = try #require(row.string.firstMatch(of: /^\S+( \S+)*  +/), "\(row.string): a name and a diagram")
        try read(name.0.trimmingCharacters(in: .whitespaces), row.part(from: name.0.count))
      }
    }
  }

  private mutating func begin(_ call: MarbleText) {
    var fixture = MarbleFixture(name: call.string)
    fixture.operatorName = call.string
    fixture.sources = inputs
    fixture.source = call.source
    diagrams.append(DocumentedDiagram(fixture: fixture))
  }

  private mutating func read(_ name: String, _ text: MarbleText) throws {
    guard let last = diagrams.indices.last else {
      return inputs.append(MarbleFixture.Source(name: name, kind: .cold, diagram: text))
    }
    if let word = ["window ", "group "].first(where: { name.hasPrefix($0) }) {
      diagrams[last].fixture.windows[String(name.dropFirst(word.count))] = text
    } else if name.hasSuffix(" subscribes") {
      subscription = text
    } else if name.hasSuffix(" subscribed") {
      let input = String(name.dropLast(" subscribed".count))
      try #require(inputs.contains { $0.name == input }, "\(name): there is no input of that name")
      diagrams[last].fixture.subscriptions[input, default: []].append(text)
    } else {
      diagrams[last].fixture.observers.append(MarbleFixture.Observer(subscription: subscription, expected: text))
      subscription = nil
    }
  }

  /// Holds for all calls of the block.
  private mutating func note(_ key: String, _ meaning: String) {
    for index in diagrams.indices {
      if key == "#" {
        diagrams[index].fixture.expectedErrors[""] = .string(meaning)
      } else {
        diagrams[index].fixture.values[key] = .string(meaning)
      }
    }
  }
}

extension MarbleText {
  /// The rest of the text, with its place.
  fileprivate func part(from offset: Int) -> MarbleText {
    var source = source
    source?.column += offset
    return MarbleText(String(string.dropFirst(offset)), source: source)
  }
}
