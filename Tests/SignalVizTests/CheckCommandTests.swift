import Foundation
import SampleGraphs
import SignalFindings
import SignalGraph
import Testing

/// The commands `check` and `diff`, against a program with planted faults and against files.
@Suite("check and diff") struct CheckCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try SampleGraphs.searchBox.json().write(to: folder.file("graph.json"))
    var later = SampleGraphs.searchBox
    later.takenAt += 10
    try later.json().write(to: folder.file("later.json"))
    later.process.pid += 1
    try later.json().write(to: folder.file("other.json"))
    try GraphSnapshot(process: SampleGraphs.searchBox.process, takenAt: 0).json().write(to: folder.file("empty.json"))
  }

  private func tool(_ arguments: String) async throws -> Tool.Result {
    try await tool(arguments.split(separator: " ").map(String.init))
  }

  private func tool(_ arguments: [String]) async throws -> Tool.Result {
    try await Tool.run(arguments, in: folder.url)
  }

  /// Runs it until it names what grows: on a busy machine nothing may grow while the program is watched.
  private func tool(_ arguments: [String], untilItNamesLine line: Int) async throws -> Tool.Result {
    var result = try await tool(arguments)
    for _ in 1..<20 where !result.output.contains("Faults.swift:\(line)") { result = try await tool(arguments) }
    return result
  }

  private let sources = ["--source-root", PlantedProgram.package.path]

  @Test func everyPlantedFaultIsNamedAndTheProgramGoesOn() async throws {
    let program = try await PlantedProgram(in: folder)
    try program.grow()
    let result = try await tool(
      ["check", "--name", "PlantedFaults"] + sources, untilItNamesLine: PlantedProgram.line(of: "growth"))
    #expect(result.status == 1, "\(result)")
    let file = PlantedProgram.package.appendingPathComponent(PlantedProgram.file).path
    for (rule, severity) in [
      ("leak", "error"), ("unhandled-failure", "error"), ("growth", "warning"), ("unused-subscription", "warning"),
      ("late-subscriber", "warning"),
    ] {
      let start = try "\(file):\(PlantedProgram.line(of: rule)): \(severity): "
      let line = result.output.split(separator: "\n").first { $0.hasPrefix(start) }
      #expect(line?.hasSuffix("(\(rule))") == true, "\(start) \(result.output)")
    }
    #expect(result.output.contains("2 errors, 3 warnings in PlantedFaults (pid "))
    #expect(result.output.contains("\n  note: recover above it with `catch` or `retry`"))
    #expect(!result.output.contains("\u{1B}"))
    #expect(try await program.end() == "ended by itself")
  }

  @Test func jsonAndSARIFOfARunningProgram() async throws {
    let program = try await PlantedProgram(in: folder)
    let json = try await tool(["check", "--json", "--for", "0", "--socket", program.socketPath] + sources)
    #expect(json.status == 1, "\(json)")
    let form = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let found = try #require(form["findings"] as? [[String: Any]])
    #expect(
      found.map { $0["rule"] as? String } == ["leak", "unhandled-failure", "unused-subscription", "late-subscriber"])
    #expect(form["watchedSeconds"] as? Double == 0)
    let file = PlantedProgram.package.appendingPathComponent(PlantedProgram.file).path
    #expect(found.allSatisfy { $0["file"] as? String == file })
    let sarif = try await tool(["check", "--sarif", "--for", "100ms", "--only", "leak"] + sources)
    #expect(sarif.status == 1, "\(sarif)")
    #expect(try SARIFForm.problems(in: Data(sarif.output.utf8)) == [])
    #expect(sarif.output.contains("\"uri\" : \"\(PlantedProgram.file)\""))
    #expect(try sarif.output.contains("\"startLine\" : \(PlantedProgram.line(of: "leak"))"))
    #expect(!json.output.contains("\u{1B}") && !sarif.output.contains("\u{1B}"))
    #expect(try await program.end() == "ended by itself")
  }

  @Test func whatABaselineHasDoesNotCount() async throws {
    let program = try await PlantedProgram(in: folder)
    let part = try await tool("check --for 0 --only leak --write-baseline leaks.json")
    #expect(part.status == 0 && part.output.contains("Nothing new found") && part.output.contains("1 known"), "\(part)")
    let new = try await tool("check --for 0 --baseline leaks.json")
    #expect(new.status == 1 && new.output.contains("1 error, 2 warnings") && !new.output.contains("(leak)"), "\(new)")
    let all = try await tool("check --for 0 --json")
    try Data(all.output.utf8).write(to: folder.file("all.json"))
    let none = try await tool("check --for 100ms --baseline all.json")
    #expect(none.status == 0 && none.output.contains("4 known"), "\(none)")
    #expect(try await program.end() == "ended by itself")
  }

  @Test func theDifferenceToARunningProgram() async throws {
    let program = try await PlantedProgram(in: folder)
    #expect(try await tool("render --name PlantedFaults -o before.json").status == 0)
    try program.grow()
    let result = try await tool(
      ["diff", "before.json", "--name", "PlantedFaults"], untilItNamesLine: PlantedProgram.line(of: "growth"))
    #expect(result.status == 0, "\(result)")
    let lines = result.output.split(separator: "\n")
    let place = try " Faults.swift:\(PlantedProgram.line(of: "growth"))"
    #expect(lines.count > 2 && lines[1].hasSuffix(place) && lines[2].hasSuffix(place), "\(result.output)")
    #expect(try await program.end() == "ended by itself")
  }

  @Test(arguments: ["svg", "png", "pdf", "dot", "mmd"])
  func findingsAreDrawn(suffix: String) async throws {
    let result = try await tool("check graph.json -o out.\(suffix)")
    #expect(result.status == 1 && result.output.contains("(leak)"), "\(result)")
    let picture = try Data(contentsOf: folder.file("out.\(suffix)"))
    if ["svg", "dot", "mmd"].contains(suffix) {
      let text = String(decoding: picture, as: UTF8.self)
      #expect(text.contains("this subscription is alive") && text.contains("SearchBox.swift"))
    }
  }

  @Test func filesAreLookedAt() async throws {
    let one = try await tool("check graph.json")
    #expect(one.status == 1 && one.output.contains("SearchBox/SearchBox.swift:53: error: "), "\(one)")
    #expect(one.output.hasSuffix("1 error in SearchBox (pid 4242), one snapshot, 17 live nodes, 3 ended.\n"))
    let two = try await tool("check graph.json later.json --ignore leak")
    #expect(
      two.status == 0 && two.output.contains("Nothing found") && two.output.contains("watched for 10 s"), "\(two)")
    let none = try await tool("check empty.json -o out.svg")
    #expect(none.status == 0 && none.errors.isEmpty, "\(none)")
    #expect(try folder.names.contains("out.svg"))
    let same = try await tool("diff graph.json later.json")
    #expect(same.status == 0 && same.output == "Nothing changed in SearchBox (pid 4242) within 10 s.\n", "\(same)")
    let json = try await tool("diff graph.json later.json --json")
    #expect(json.status == 0 && json.output.contains("\"definitions\" : ["), "\(json)")
  }

  @Test func rulesAreListed() async throws {
    let result = try await tool("check --list")
    #expect(result.status == 0)
    for rule in Rules.all { #expect(result.output.contains(rule.name) && result.output.contains(rule.summary)) }
  }

  @Test(arguments: [
    ["check", "--list"], ["list", "--help"], ["--version"], ["check", "graph.json"], ["check", "graph.json", "--json"],
    ["diff", "graph.json", "later.json"], ["why", "map", "graph.json"],
  ])
  func aFullDiskIsSaid(arguments: [String]) async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let result = try await Tool.run(arguments, in: folder.url, output: FileHandle(forWritingAtPath: "/dev/full"))
    #expect(result.status == 2, "\(result)")
    #expect(
      result.errors
        == "Error: The result cannot be written to the standard output: there is no space left on the disk; free space there, or choose another path.\n"
    )
  }

  @Test(arguments: ["full.svg", "full.png", "full.dot"])
  func aFullDiskIsSaidOfAPicture(file: String) async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    try FileManager.default.createSymbolicLink(atPath: folder.file(file).path, withDestinationPath: "/dev/full")
    let result = try await tool("check graph.json -o \(file)")
    #expect(result.status == 2, "\(result)")
    #expect(result.errors.hasPrefix("Error: The output file `/dev/full` cannot be written: there is no space left on"))
    // What was found is told all the same.
    #expect(result.output == (try await tool("check graph.json")).output)
  }

  @Test func failedPicturePreventsWritingTheBaseline() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("full.dot").path, withDestinationPath: "/dev/full")
    let result = try await tool("check graph.json -o full.dot --write-baseline known.json")
    #expect(result.status == 2, "\(result)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("known.json").path))
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    var arguments: String
    var status: Int32
    var words: String
    var testDescription: String { arguments }

    init(_ status: Int32, _ arguments: String, _ words: String) {
      self.arguments = arguments
      self.status = status
      self.words = words
    }
  }

  @Test(arguments: [
    Wrong(64, "check graph.json --only no-such-rule", "no rule `no-such-rule`. There are: leak, "),
    Wrong(64, "check graph.json --ignore leek", "no rule `leek`"),
    Wrong(64, "check --for soon", "soon"),
    Wrong(64, "check --for -1s", "--for"),
    Wrong(64, "check graph.json --for 2s", "--for watches a running program"),
    Wrong(64, "check graph.json later.json other.json", "there are 3"),
    Wrong(64, "check graph.json --pid 1", "not several"),
    Wrong(64, "check --name A --pid 1", "not several"),
    Wrong(64, "check graph.json --json --sarif", "not both"),
    Wrong(64, "check graph.json -o out.gif", ".gif; use one of svg, png, pdf, dot, mmd."),
    Wrong(64, "check --o\u{1B}[31mred", #"'--o\u{1B}[31mred'"#),
    Wrong(2, "check \u{9B}31m.json", #"no file `\u{9B}31m.json`"#),
    Wrong(2, "check graph.json --baseline older.json", "version -1"),
    Wrong(64, "check graph.json -o out.json", "--json"),
    Wrong(64, "check graph.json --source-root nothing", "`nothing` is not a folder"),
    Wrong(64, "check graph.json --loud", "--loud"),
    Wrong(2, "check", "No inspectable program"),
    Wrong(2, "check --pid 999999", "No inspectable program"),
    Wrong(2, "check --socket nothing.sock", "no socket `nothing.sock`"),
    Wrong(2, "check nothing.json", "no file `nothing.json`"),
    Wrong(2, "check graph.json other.json", "only graphs of one process"),
    Wrong(2, "check later.json graph.json", "give the earlier snapshot first"),
    Wrong(2, "check graph.json --baseline nothing.json", "`nothing.json` cannot be read"),
    Wrong(2, "check graph.json --baseline graph.json", "not what `signal-viz check --write-baseline` writes"),
    Wrong(2, "check graph.json --baseline newer.json", "version 2"),
    Wrong(2, "check graph.json --write-baseline missing/known.json", "`missing`"),
    Wrong(2, "check graph.json -o missing/out.svg", "`missing`"),
    Wrong(64, "diff", "files"),
    Wrong(64, "diff graph.json later.json other.json", "there are 3"),
    Wrong(64, "diff graph.json later.json --pid 1", "not both"),
    Wrong(2, "diff graph.json --pid 999999", "No inspectable program"),
    Wrong(2, "diff graph.json other.json", "only graphs of one process"),
  ])
  func whatIsWrongIsSaid(_ wrong: Wrong) async throws {
    try Data(#"{"version": 2, "findings": []}"#.utf8).write(to: folder.file("newer.json"))
    try Data(#"{"version": -1, "findings": []}"#.utf8).write(to: folder.file("older.json"))
    let before = try folder.names
    let result = try await tool(wrong.arguments)
    #expect(result.status == wrong.status, "\(result)")
    #expect(result.output.isEmpty && result.errors.contains(wrong.words), "\(result)")
    #expect(
      !result.errors.contains { $0 != "\n" && $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
    )
    #expect(try folder.names == before)
  }
}
