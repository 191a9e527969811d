import Foundation
import SampleGraphs
import SignalGraph
import Testing

@testable import signal_viz

/// Files that are not what they should be, and places that cannot be written to.
@Suite("Wrong files and places", .serialized, .timeLimit(.minutes(20))) struct WrongFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try SampleGraphs.searchBox.json().write(to: folder.file("graph.json"))
  }

  private func tool(_ arguments: String) async throws -> Tool.Result {
    try await Tool.run(arguments.split(separator: " ").map(String.init), in: folder.url)
  }

  // MARK: Places

  static let placesThatRefuse: [(String, String)] =
    [
      ("missing/out.svg", "The folder `missing` of the output file `missing/out.svg` does not exist; make it first."),
      ("folder", "The output file `folder` is a folder; give the name of a file."),
      ("graph.json/out.svg", "The folder `graph.json` of the output file"),
      ("/", "The output file `/` is a folder"),
    ] + linuxPlaces

  #if os(Linux)
    private static let linuxPlaces = [
      ("/sys/out.svg", "Cannot write to the folder `/sys`: you have no write permission there; choose another path."),
      ("/proc/out.svg", "Cannot write to the folder `/proc`: "),
      (
        "/dev/full",
        "The output file `/dev/full` cannot be written: there is no space left on the disk; free space there"
      ),
    ]
  #else
    private static let linuxPlaces: [(String, String)] = []
  #endif

  @Test(arguments: placesThatRefuse, ["svg", "png", "json", "mmd"])
  func aPlaceThatCannotBeWrittenToIsSaidInAPlainSentence(place: (String, String), format: String) async throws {
    try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
    let result = try await tool("render graph.json --format \(format) -o \(place.0)")
    #expect(result.status == 1 && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("Error: \(place.1)"), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1 && !result.errors.contains("NSCocoa"), "\(result)")
    #expect(try folder.names == ["folder", "graph.json"])
  }

  #if os(Linux)
    @Test func aPlaceIsCheckedBeforeAnythingIsRecorded() async throws {
      let program = try FakeProgram("Fake", pid: 671, in: folder.url)
      defer { program.end() }
      let result = try await tool("record --socket \(program.socketPath) --for 1s -o /sys/recording.json")
      #expect(result.status == 2 && result.errors.contains("Cannot write to the folder `/sys`"), "\(result)")
      #expect(!program.requestedPaths.contains("/events"))
    }

    @Test func anExplanationIsPrintedAlsoIfItsPictureCannotBeWritten() async throws {
      try FileManager.default.createSymbolicLink(atPath: folder.file("full.svg").path, withDestinationPath: "/dev/full")
      let result = try await tool("why map graph.json -o full.svg")
      #expect(result.status == 2 && result.errors.contains("no space left on the disk"), "\(result)")
      #expect(result.output.contains("map"), "\(result)")
    }
  #endif

  @Test(arguments: [
    (EROFS, "its file system is read-only; choose another path"),
    (EACCES, "you have no write permission there; choose another path"),
    (EDQUOT, "the disk quota is exceeded; free space there, or choose another path"),
  ])
  func whatTheSystemRefusesIsSaidWithWhatToDo(number: Int32, words: String) {
    #expect("\(WriteError(number: number))" == words)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      "list --json", "render graph.json -o -", "render graph.json -o - --format json", "check graph.json --json",
      "why map graph.json", "doctor",
    ])
  func aStandardOutputThatIsFullIsSaid(command: String) async throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let result = try await Tool.run(
      command.split(separator: " ").map(String.init), in: folder.url, output: full)
    #expect(result.status != 0 && result.status < 128, "\(result)")
    #expect(
      result.errors.hasPrefix("Error: The result cannot be written to the standard output: there is no space left"),
      "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
  }

  @Test(arguments: ["svg", "png", "json"]) func aDeviceIsAPlaceToo(format: String) async throws {
    let result = try await tool("render graph.json --format \(format) -o /dev/null")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  // MARK: Files

  @Test func aFileWithoutAnEndIsNoSnapshot() async throws {
    let result = try await tool("render /dev/zero -o out.svg")
    #expect(result.status == 1 && result.errors.contains("`/dev/zero` has more than 1 GB"), "\(result)")
    let empty = try await tool("render /dev/null -o out.svg")
    #expect(empty.status == 1 && empty.errors.contains("/dev/null: The snapshot is empty."), "\(empty)")
  }

  @Test(
    .enabled(if: geteuid() != 0, "root may read every file"))
  func aFileThatMayNotBeReadIsSaid() async throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: folder.file("graph.json").path)
    let result = try await tool("render graph.json -o out.svg")
    #expect(result.status == 1 && result.errors.contains("`graph.json` cannot be read"), "\(result)")
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    var before: String
    var after: String
    var words: String
    var testDescription: String { after }

    /// Makes a snapshot wrong by other words in a place.
    init(_ before: String, _ after: String, _ words: String) {
      (self.before, self.after, self.words) = (before, after, words)
    }
  }

  @Test(arguments: [
    Wrong(#""valueCount":0"#, #""valueCount":-1"#, "`nodes[17]` is wrong: a number is negative,"),
    Wrong(#""state":"live""#, #""state":"asleep""#, "`nodes[17].state` is wrong: expected one of live, finished,"),
    Wrong(#""id":18"#, #""id":"18""#, #"`nodes[17].id` is wrong: expected a whole number, found "18"."#),
    Wrong(#""id":18"#, #""id":5"#, "Two nodes of the snapshot have the id 5."),
    Wrong(#""id":18"#, #""ID":18"#, "The snapshot has no field `nodes[17].id`."),
    Wrong(#""findings":[]"#, #""findings":7"#, "`nodes[17].findings` is wrong: expected a list, found 7."),
  ])
  func aWrongFieldIsToldWithItsPlace(_ wrong: Wrong) async throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    for line in 1...20 { graph.add("map", line: line) }
    var nodes = String(decoding: try graph.snapshot.json(), as: UTF8.self).components(separatedBy: #"{"definition":"#)
    try #require(nodes[18].contains(wrong.before))
    nodes[18] = nodes[18].replacingOccurrences(of: wrong.before, with: wrong.after)
    try Data(nodes.joined(separator: #"{"definition":"#).utf8).write(to: folder.file("wrong.json"))
    for (command, status) in [("render wrong.json -o out.svg", 1), ("check wrong.json", 2), ("why map wrong.json", 2)] {
      let result = try await tool(command)
      #expect(result.status == Int32(status) && result.output.isEmpty, "\(result)")
      #expect(result.errors.hasPrefix("Error: wrong.json: ") && result.errors.contains(wrong.words), "\(result)")
      #expect(!result.errors.contains("DecodingError") && !result.errors.contains("codingPath"), "\(result)")
    }
  }

  @Test func aNewerVersionIsToldWithWhatToDo() async throws {
    try Data(#"{"version": 99, "everything": ["else"]}"#.utf8).write(to: folder.file("newer.json"))
    for (command, status) in [
      ("render newer.json -o out.svg", 1), ("check newer.json", 2), ("diff newer.json graph.json", 2),
    ] {
      let result = try await tool(command)
      #expect(result.status == Int32(status), "\(result)")
      #expect(result.errors.contains("has version 99, and this program reads versions up to 1. Update signal-viz."))
    }
  }

  /// What the first release wrote: none of the fields that came later.
  @Test func anOlderSnapshotStillOpens() async throws {
    let json = """
      {"version": 1, "takenAt": 2, "process": {"name": "Old", "pid": 1, "startedAt": 0},
       "definitions": [{"id": 1, "kind": "map", "fileID": "A/B.swift", "line": 3, "function": "f()"}],
       "nodes": [{"id": 1, "definition": 1, "state": "live", "valueCount": 4, "findings": []},
                 {"id": 2, "definition": 1, "state": "live", "valueCount": 4, "findings": []}],
       "edges": [{"source": 1, "target": 2, "kind": "data"}]}
      """
    try Data(json.utf8).write(to: folder.file("old.json"))
    for command in ["render old.json -o out.svg", "check old.json", "why map old.json"] {
      let result = try await tool(command)
      #expect(result.status == 0 && result.errors.isEmpty && result.output.contains("Old") || command.hasPrefix("why"))
      #expect(result.status == 0, "\(result)")
    }
  }

  @Test func numbersThatMakeNoSenseEndNoCommand() async throws {
    var graph = SampleGraphs.searchBox
    graph.takenAt = 1e300
    graph.process.startedAt = -1e300
    for index in graph.nodes.indices {
      graph.nodes[index].valueCount = .max
      graph.nodes[index].since = index.isMultiple(of: 2) ? -1e300 : 1e300
      graph.nodes[index].rate = 1e300
      graph.nodes[index].lastEventAt = -1e308
      graph.nodes[index].interval = 1e300
      graph.nodes[index].leadTime = -1e300
      graph.nodes[index].handler = HandlerTimes(calls: .max, seconds: 1e308, mainSeconds: -1e308, longest: 1e300)
      graph.nodes[index].waits = WaitTimes(values: .max, seconds: 1e308, longest: -1e308)
      graph.nodes[index].causes = [Cause(number: .max, at: 1e300, thread: "main", origin: .timer)]
      graph.nodes[index].attempts = Attempts(failed: .max, lastFailure: "x", failedAt: -1e300, delay: 1e300)
    }
    for index in graph.definitions.indices {
      graph.definitions[index].line = index.isMultiple(of: 2) ? .min : .max
      graph.definitions[index].ends = EndCounts(
        finished: .max, failed: .max, disposed: .max, unused: .max, released: .max, late: .max, unhandled: .max,
        lost: .max, losing: .max, losingAll: .max)
      graph.definitions[index].gone = GoneNodes(nodes: .max, values: .max)
    }
    try graph.json().write(to: folder.file("later.json"))
    graph.takenAt = -1e300
    for index in graph.nodes.indices { graph.nodes[index].valueCount = 0 }
    try graph.json().write(to: folder.file("odd.json"))
    for command in [
      "render odd.json -o out.svg", "render odd.json --all -o out.png", "render odd.json -o out.mmd", "check odd.json",
      "check odd.json later.json --json", "why combineLatest odd.json", "why combineLatest odd.json later.json",
      "diff odd.json later.json", "diff odd.json later.json --json", "diff odd.json later.json -o out.svg",
    ] {
      let result = try await tool(command)
      #expect((0...2).contains(result.status), "\(command): \(result)")
      #expect(!result.errors.contains("Fatal"), "\(command): \(result)")
    }
  }

  /// Five thousand marks above one letter, in every text of a graph, are drawn in every format.
  @Test(arguments: ["svg", "png", "pdf"]) func namesOfThousandsOfMarksAreDrawn(format: String) async throws {
    let marks = "e" + String(repeating: "\u{301}", count: 5_000)
    var builder = SampleBuilder(name: marks, pid: 1)
    let source = builder.add(marks, marks, file: "App/\(marks).swift", line: 1, owner: marks)
    let end = builder.add(marks, marks, file: marks, line: 2, state: .failed, owner: marks, failure: marks)
    builder.connect(source, end)
    var graph = builder.snapshot
    for index in graph.nodes.indices {
      graph.nodes[index].lastValue = marks
      graph.nodes[index].scheduler = marks
    }
    try graph.json().write(to: folder.file("marks.json"))
    for options in ["", " --cluster-by-file", " --all --link https://x/{file}"] {
      let result = try await tool("render marks.json -o out.\(format)\(options)")
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors.prefix(500))")
    }
    #expect(try await tool("check marks.json -o found.\(format)").status < 2)
  }

  // MARK: Memory

  @Test(arguments: [160, 200, 240, 256, 512], ["svg", "png", "pdf"])
  func aSmallLimitOfMemoryIsEnoughForAFewNodes(megabytes: Int, format: String) async throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.connect(graph.add("emitter", line: 1), graph.add("subscribe", line: 2))
    try graph.snapshot.json().write(to: folder.file("two.json"))
    for _ in 0..<3 {
      let result = try await tool("render two.json --memory-limit \(megabytes) -o out.\(format)")
      #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    }
  }

  @Test func aLimitOfMemoryBelowTheSmallestSaysWhichThatIs() async throws {
    let result = try await tool("render graph.json --memory-limit 159 -o out.svg")
    #expect(result.status == 64 && result.errors.contains("give 160 to 1048576 megabytes, or 0"), "\(result)")
  }

  @Test func whoseMemoryIsUsedUpIsToldThatAndWhatToDo() async throws {
    try SampleGraphs.large(.one, count: 10_000).json().write(to: folder.file("large.json"))
    let result = try await tool("render large.json --all --memory-limit 160 --time-limit 600 -o out.pdf")
    #expect(result.status == 1, "\(result)")
    #expect(
      result.errors.contains("--memory-limit (now 160 MB)") && !result.errors.contains("longer than"), "\(result)")
  }
}
