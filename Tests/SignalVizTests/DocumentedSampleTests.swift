import BuiltPrograms
import Foundation
import Testing

/// The tables of the documentation are those of real programs, but for numbers.
@Suite("samples of the documentation", .serialized, .timeLimit(.minutes(20))) struct DocumentedSampleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An example, while it runs.
  private final class Example {
    let process = Process()

    init(_ name: String, in folder: TemporaryFolder) throws {
      process.executableURL = try BuiltProgram.file(name)
      process.environment = ProcessInfo.processInfo.environment
        .merging(["SIGNAL_VIZ_DIRECTORY": folder.file("sockets").path, "SIGNALS_KEEP_GRAPH": "1"]) { _, new in new }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    deinit { kill(process.processIdentifier, SIGKILL) }
  }

  /// The lines that an article shows as the answer to a command.
  private func sample(of command: String, in article: String) throws -> [String] {
    let file = PlantedProgram.package.appendingPathComponent(
      "Sources/SignalInspector/SignalInspector.docc/\(article).md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let rest = try #require(text.range(of: "swift run signal-viz \(command)\n")).upperBound
    let start = try #require(text.range(of: "```text\n", range: rest..<text.endIndex)).upperBound
    let end = try #require(text.range(of: "\n```", range: start..<text.endIndex)).lowerBound
    return text[start..<end].split(separator: "\n").map(String.init)
  }

  /// The words of a line: numbers are `#`, and paths their last part.
  private func words(_ line: String) -> [String] {
    line.split(separator: " ").map { word in
      let last = word.split(separator: "/").last.map(String.init) ?? ""
      return (word.hasPrefix("/") ? last : String(word)).replacing(/[0-9]+([.,][0-9]+)*/, with: "#")
    }
  }

  /// What the tool says, once it says what it should.
  private func answer(to arguments: [String], until isRight: ([String]) -> Bool) async throws -> [String] {
    var lines: [String] = []
    for _ in 0..<60 {
      lines = try await Tool.run(arguments, in: folder.url).output.split(separator: "\n").map(String.init)
      if isRight(lines) { break }
    }
    return lines
  }

  @Test func programsThatRunAndThoseThatWereKilled() async throws {
    let examples = try [Example("SearchBox", in: folder), Example("Faults", in: folder)]
    let shown = try Set(sample(of: "list", in: "LookingAtAProgram").map(words))
    let list = try await answer(to: ["list"]) { Set($0.map(words)) == shown }
    #expect(Set(list.map(words)) == shown, "\(list)")

    for example in examples {
      kill(example.process.processIdentifier, SIGKILL)
      example.process.waitUntilExit()
    }
    let left = try Set(sample(of: "list --dead", in: "AfterTheProgramHasEnded").map(words))
    let dead = try await answer(to: ["list", "--dead"]) { Set($0.map(words)) == left }
    #expect(Set(dead.map(words)) == left, "\(dead)")
  }

  @Test func whatIsBusy() async throws {
    let example = try Example("SearchBox", in: folder)
    let shown = try sample(of: "top --name SearchBox", in: "LookingAtAProgram")
    // What is written where; how much passes there is never the same.
    func places(_ lines: some Sequence<String>) -> Set<String> {
      Set(lines.map { $0.split(separator: " ").drop { !$0.contains { $0.isLetter } }.joined(separator: " ") })
    }
    let arguments = ["top", "--name", "SearchBox", "--every", "300ms", "--for", "300ms", "--limit", "100"]
    let wanted = places(shown.dropFirst(2))
    // Everything that is shown, in one response: before the first page of results ends, the heading counts no ended nodes.
    func isShown(_ lines: [String]) -> Bool {
      lines.prefix(2).map(words) == shown.prefix(2).map(words) && wanted.isSubset(of: places(lines.dropFirst(2)))
    }
    let lines = try await answer(to: arguments, until: isShown)
    #expect(isShown(lines), "\(lines)")
    withExtendedLifetime(example) {}
  }
}
