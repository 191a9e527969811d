import Foundation
import SampleGraphs
import SignalFindings
import SignalGraph
import Testing

@testable import signal_viz

/// `check --watch`: what comes and what goes.
@Suite("check --watch", .timeLimit(.minutes(20))) struct WatchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func watch(_ arguments: String) throws -> RunningTool {
    try RunningTool(["check", "--watch"] + arguments.split(separator: " ").map(String.init), in: folder.url)
  }

  /// The sample graph without its leak, later.
  private func healthy(_ program: ProcessIdentity) -> GraphSnapshot {
    var graph = SampleGraphs.searchBox
    graph.process = program
    graph.takenAt += 1
    for index in graph.nodes.indices { graph.nodes[index].findings = [] }
    return graph
  }

  @Test func whatComesAndGoesIsSaidOnce() async throws {
    let program = try FakeProgram("Fake", pid: 501, in: folder.file("sockets"))
    defer { program.end() }
    let tool = try watch("--for 100ms -o out.svg")
    let foundLine = await tool.line { $0.contains("(leak)") }
    let found = try #require(foundLine)
    #expect(
      found.contains(/^[0-9]{2}:[0-9]{2}:[0-9]{2} SearchBox\/SearchBox\.swift:53: error: this subscription is alive/))
    try program.serve(healthy(ProcessIdentity(name: "Fake", pid: 501, startedAt: 1_700_000_000)))
    // Only the notes are between the two: it is not said again.
    let goneLine = await tool.line { !$0.contains("note: ") }
    let gone = try #require(goneLine)
    #expect(
      gone.contains(/^[0-9:]{8} SearchBox\/SearchBox\.swift:53: gone: this subscription is alive .* \(leak\)$/),
      "\(gone)")
    tool.interrupt()
    let endLine = await tool.line { _ in true }
    let end = try #require(endLine)
    #expect(end.contains(" Fake (pid 501) goes on: 1 found, 1 of them gone, watched for "), "\(end)")
    #expect(await tool.status() == 1)
    // The picture is as it was at the last change.
    let picture = try String(contentsOf: folder.file("out.svg"), encoding: .utf8)
    #expect(picture.contains("<svg") && !picture.contains("this subscription is alive"))
  }

  private struct Event: Decodable {
    var event: String
    var finding: Finding?
    var foundCount: Int?
    var reason: String?
  }

  private func event(of tool: RunningTool) async throws -> Event {
    let line = await tool.line { _ in true }
    return try JSONDecoder().decode(Event.self, from: Data(try #require(line).utf8))
  }

  @Test func aRunningProgramFromItsStartToItsEnd() async throws {
    let program = try await PlantedProgram(in: folder)
    let tool = try watch("--json --for 1s --ignore leak")
    #expect(try await event(of: tool).event == "start")
    // These show in the first look, before a second one is taken.
    var rules: [String?] = []
    for _ in 0..<3 { rules.append(try await event(of: tool).finding?.rule) }
    #expect(rules == ["unhandled-failure", "unused-subscription", "late-subscriber"])
    try program.grow()
    let growth = try await event(of: tool)
    let line = try PlantedProgram.line(of: "growth")
    #expect(growth.event == "found" && growth.finding?.rule == "growth")
    #expect(growth.finding?.place.line == line)
    #expect(try await program.end() == "ended by itself")
    let end = try await event(of: tool)
    #expect(end.event == "end" && end.reason == "ended" && end.foundCount == 4)
    #expect(await tool.line { _ in true } == nil)
    #expect(await tool.status() == 1)
  }

  @Test func aPictureThatCannotBeWrittenDoesNotEndIt() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("full.dot").path, withDestinationPath: "/dev/full")
    let program = try FakeProgram("Fake", pid: 503, in: folder.file("sockets"))
    let tool = try watch("--for 100ms -o full.dot")
    let found = await tool.line { $0.contains("(leak)") }
    #expect(found != nil)
    program.end()
    let end = await tool.line { $0.contains("has ended") }
    #expect(end?.contains("Fake (pid 503) has ended: 1 found, watched for ") == true)
    #expect(await tool.status() == 1)
  }

  @Test func whereNothingNewIsFoundTheStatusIsZero() async throws {
    let program = try FakeProgram("Fake", pid: 502, in: folder.file("sockets"))
    let baseline = try await Tool.run(["check", "--for", "0", "--write-baseline", "known.json"], in: folder.url)
    #expect(baseline.status == 0, "\(baseline)")
    let tool = try watch("--for 100ms --baseline known.json --json")
    #expect(await tool.line { _ in true }?.contains(#""event":"start""#) == true)
    program.end()
    let endLine = await tool.line { _ in true }
    let end = try #require(endLine)
    #expect(end.contains(#""event":"end","foundCount":0,"goneCount":0,"reason":"ended""#), "\(end)")
    #expect(await tool.status() == 0)
  }

  @Test func whatIsNotThereInTwoLooksIsGone() {
    func finding(_ rule: String, _ count: Int = 1) -> Finding {
      Finding(
        rule: rule, severity: .warning, place: Place(fileID: "A/A.swift", line: 1, function: "f()"),
        message: "\(count) of them", remedy: "end them")
    }
    var changes = FindingChanges()
    #expect(changes.note([finding("a"), finding("b")]).new == [finding("a"), finding("b")])
    // Other figures are the same finding; a second one at the same place is not.
    #expect(changes.note([finding("a", 7)]) == ([], []))
    #expect(changes.present == [finding("a", 7), finding("b")])
    #expect(changes.note([finding("a"), finding("b"), finding("a")]) == ([finding("a")], []))
    #expect(changes.note([finding("a", 2), finding("b")]) == ([], []))
    #expect(changes.note([finding("a", 3)]).gone.map(\.rule) == ["a"])
    #expect(changes.note([finding("a", 3)]) == ([], [finding("b")]))
    #expect(changes.note([]) == ([], []))
    #expect(changes.note([]) == ([], [finding("a", 3)]))
    #expect(changes.note([finding("a", 9)]) == ([finding("a", 9)], []))
    #expect(changes.foundCount == 4 && changes.goneCount == 3 && changes.present == [finding("a", 9)])
    // What may be a burst has to be there twice.
    #expect(changes.note([finding("a", 9), finding("backlog")]) == ([], []))
    #expect(changes.note([finding("a", 9)]) == ([], []))
    #expect(changes.note([finding("a", 9), finding("backlog", 2)]) == ([], []))
    #expect(changes.note([finding("a", 9), finding("backlog", 3)]) == ([finding("backlog", 3)], []))
    #expect(changes.note([finding("a", 9), finding("backlog", 4)]) == ([], []))
    #expect(changes.foundCount == 5)
  }

  @Test(arguments: [
    ("graph.json", "--watch keeps watching a running program"), ("--sarif", "--json prints one object a line"),
    ("--write-baseline known.json", "run it without --watch"), ("--for 0", "give --for 100ms or more"),
    ("--for 2s --pid 999999", "No inspectable program"),
  ])
  func whatHasNoMeaningIsRefused(arguments: String, words: String) async throws {
    let result = try await Tool.run(
      ["check", "--watch"] + arguments.split(separator: " ").map(String.init), in: folder.url)
    #expect(result.status == (words == "No inspectable program" ? 2 : 64) && result.errors.contains(words), "\(result)")
    #expect(result.output.isEmpty)
  }
}

/// Two lists are the same if both of their parts are.
private func == (
  first: (new: [Finding], gone: [Finding]), second: (new: [Finding], gone: [Finding])
) -> Bool { first.new == second.new && first.gone == second.gone }
