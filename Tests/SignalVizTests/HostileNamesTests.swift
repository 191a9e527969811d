import Foundation
import SampleGraphs
import SignalAttach
import SignalGraph
import Testing

/// Every command on a program whose texts all try to steer the terminal: not one of them gets there.
@Suite("Hostile names", .serialized, .timeLimit(.minutes(20))) struct HostileNamesTests {
  /// Escape sequences in both forms, bells, line ends, what turns directions, and what hides.
  private static let evil =
    "a\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{9D}x\u{9C}\r\nEVIL\u{8}\u{7F}\u{85}EVIL\u{2028}EVIL\u{202E}\u{2066}\u{200F}\u{FEFF}\u{E0041}\u{0}b"

  private let folder: TemporaryFolder
  private let program: FakeProgram

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    program = try FakeProgram(Self.evil, pid: 801, in: folder.file("sockets"))
    try program.serve(Self.graph(at: 1_700_000_200))
    let before = try Self.graph(at: 1_700_000_100).json()
    try before.write(to: folder.file("before.json"))
    let head = #"{"traceEvents":[],"signals":{"version":1,"startedAt":1700000100,"seconds":3,"lost":0,"graphs":["#
    try (Data(head.utf8) + before + Data("]}}".utf8)).write(to: folder.file("recording.json"))
  }

  /// A graph all of whose texts are hostile, with something to be found.
  private static func graph(at time: Double) -> GraphSnapshot {
    var builder = SampleBuilder(name: evil, pid: 801)
    let source = builder.add(evil, evil, file: "App/\(evil).swift", line: 1, values: 3, owner: evil)
    for line in 2..<5 {
      let middle = builder.add("map", evil, file: "App/\(evil).swift", line: line, values: 3, owner: evil)
      builder.chain([
        source, middle,
        builder.add(
          "subscribe", evil, file: "App/Feed.swift", line: 10 + line, state: line == 2 ? .failed : .live, values: 3,
          owner: evil, failure: line == 2 ? evil : nil, findings: [.leaked]),
      ])
    }
    var graph = builder.snapshot
    graph.takenAt = time
    for index in graph.definitions.indices {
      graph.definitions[index].function = evil
      graph.definitions[index].ends = EndCounts(failed: 1, unhandled: 1, lastUnhandled: evil)
      graph.definitions[index].gone = GoneNodes(nodes: 1, values: 2, names: [evil])
    }
    for index in graph.nodes.indices {
      graph.nodes[index].lastValue = evil
      graph.nodes[index].scheduler = evil
      graph.nodes[index].causes = [Cause(number: 1, at: time - 1, thread: evil, origin: .program)]
      graph.nodes[index].attempts = Attempts(failed: 3, lastFailure: evil, failedAt: time)
    }
    return graph
  }

  private static func isHarmless(_ text: String) -> Bool {
    !text.split(separator: "\n").contains { $0.hasPrefix("EVIL") }
      && !text.unicodeScalars.contains { scalar in
        switch scalar.properties.generalCategory {
        case .control: scalar != "\n"
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
      }
  }

  struct Call: Sendable, CustomTestStringConvertible {
    var status: Int32
    var arguments: [String]
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ status: Int32, _ arguments: String) {
      self.status = status
      self.arguments = arguments.split(separator: " ").map {
        $0 == "EVIL" ? HostileNamesTests.evilArgument : String($0)
      }
    }
  }

  /// Without the character that ends arguments.
  fileprivate static let evilArgument = evil.replacing("\u{0}", with: "")

  static let calls = [
    Call(0, "list"), Call(0, "list --json"), Call(0, "list --for 0"),
    Call(0, "render -o out.svg"), Call(0, "render -o -"), Call(0, "render -o - --format json"),
    Call(0, "render -o - --format dot"), Call(0, "render -o - --format mmd"), Call(0, "render -o out.json"),
    Call(0, "render before.json -o - --cluster-by-file"), Call(0, "render -o - --all --link https://x/{file}#L{line}"),
    Call(0, "render --focus EVIL -o out.svg"), Call(1, "render before.json --focus nobody -o out.svg"),
    Call(1, "render --name EVILX -o out.svg"),
    Call(1, "render EVIL -o out.svg"), Call(64, "render -o EVIL"), Call(1, "render --socket EVIL -o out.svg"),
    Call(1, "check before.json"), Call(1, "check before.json --json"), Call(1, "check before.json --sarif"),
    Call(1, "check --for 0 -o out.svg"), Call(1, "check --for 0 --json"),
    Call(0, "why map before.json"), Call(0, "why map before.json --json"), Call(0, "why subscribe --for 0 -o out.mmd"),
    Call(2, "why EVIL before.json"), Call(2, "why Feed.swift:99 before.json"),
    Call(0, "diff before.json"), Call(0, "diff before.json --json"), Call(0, "diff before.json -o - --format dot"),
    Call(2, "diff before.json EVIL"),
    Call(0, "top --for 100ms --every 100ms"), Call(0, "top --for 100ms --every 100ms --json --nodes"),
    Call(0, "replay recording.json --at 0s -o - --format json"),
    Call(64, "EVIL"), Call(64, "list EVIL"),
  ]

  @Test(arguments: calls) func nothingOfANameReachesTheTerminalAsItIs(_ call: Call) async throws {
    defer { program.end() }
    let result = try await Tool.run(call.arguments, in: folder.url)
    #expect(result.status == call.status, "\(result)")
    #expect(Self.isHarmless(result.output), "\(result.output.debugDescription)")
    #expect(Self.isHarmless(result.errors), "\(result.errors.debugDescription)")
    #expect(!(result.output + result.errors).isEmpty)
  }

  @Test func nothingOfAFolderReachesTheTerminalAsItIs() async throws {
    program.end()
    let sockets = folder.url.path + "/\u{1B}[31m\u{202E}"
    try FileManager.default.createDirectory(atPath: sockets, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: sockets)
    for arguments in [["doctor"], ["list"], ["list", "--json"], ["check"]] {
      let result = try await Tool.run(arguments, in: folder.url, environment: ["SIGNAL_VIZ_DIRECTORY": sockets])
      #expect(Self.isHarmless(result.output) && Self.isHarmless(result.errors), "\(result)")
      #expect((result.output + result.errors).contains("777"), "\(result)")
    }
  }

  /// What goes on until somebody ends it: as soon as it has drawn, everything has been said once.
  @Test(arguments: [
    "check --watch --for 1s -o out.mmd", "check --watch --json --for 1s -o out.mmd",
    "render --watch --every 100ms -o out.mmd",
  ])
  func whatGoesOnSaysNoNameAsItIs(command: String) async throws {
    defer { program.end() }
    let tool = try AttackedTool(command.split(separator: " ").map(String.init), in: folder.url)
    _ = try ProcessTable.eventually("a picture") { try folder.names.contains("out.mmd") ? true : nil }
    var graph = Self.graph(at: 1_700_000_300)
    graph.nodes.append(Node(id: 99, definition: 1, name: Self.evil, valueCount: 1))
    let before = try String(contentsOf: folder.file("out.mmd"), encoding: .utf8)
    try program.serve(graph)
    if command.hasPrefix("render --watch") {
      _ = try ProcessTable.eventually("another picture") {
        try String(contentsOf: folder.file("out.mmd"), encoding: .utf8) == before ? nil : true
      }
    }
    kill(tool.pid, SIGINT)
    let end = await tool.ending()
    #expect((0...1).contains(end.status) && end.output.contains("\n"), "\(end)")
    #expect(Self.isHarmless(end.output) && Self.isHarmless(end.errors), "\(end)")
  }

  @Test func theLogOfTheLivePageSaysNoNameAsItIs() async throws {
    let (tool, client) = try await PageClient.start(in: folder.url)
    let events = try client.events()
    let event = try #require(await events.next("programs") { $0.data.contains("801") })
    #expect(Self.isHarmless(event.data))
    program.end()
    tool.interrupt()
    // The address was its first line, and is its last.
    #expect(await tool.line { _ in true } == nil)
    #expect(await tool.status() == 0)
  }

  /// What `--json` says of a name is the whole name all the same.
  @Test func inJSONANameIsEscapedAndWhole() async throws {
    defer { program.end() }
    let result = try await Tool.run(["render", "-o", "-", "--format", "json"], in: folder.url)
    #expect(try GraphSnapshot(json: Data(result.output.utf8)) == Self.graph(at: 1_700_000_200))
  }

  @Test func theScreenOfTopShowsNoNameAsItIs() async throws {
    defer { program.end() }
    let terminal = try PseudoTerminal(["top", "--every", "100ms"], columns: 120, lines: 20, in: folder.url)
    #expect(await terminal.shows("HANDLER"))
    terminal.type("q")
    #expect(await terminal.status() == 0)
    #expect(await terminal.shows("\u{1B}[?1049l"))
    for sequence in ["\u{1B}]0;", "\u{7}", "\u{1B}[2J", "\u{9B}", "\u{202E}", "\nEVIL"] {
      #expect(!terminal.all.contains(sequence), "\(terminal.all.debugDescription)")
    }
  }
}
