import Foundation
import SignalFindings
import SignalGraph
import SignalPicture
import Testing

@testable import signal_viz

/// `signal-viz record` and `replay` on a process of its own.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RecordCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records a growing program, and a new one until the recording is as it has to be: on a busy machine events are lost, or the program answers too late.
  private func recorded(
    _ arguments: String, until isDone: (Recording) -> Bool
  ) async throws -> (said: Tool.Result, recording: Recording) {
    var last: Tool.Result?
    for _ in 0..<50 {
      let program = try await PlantedProgram(in: folder)
      try program.grow()
      let said = try await Tool.run(
        ["record", "-o", "trace.json"] + arguments.split(separator: " ").map(String.init), in: folder.url)
      #expect(try await program.end() != "")
      if said.status == 0 {
        let recording = try RecordingFile.read(folder.file("trace.json").path)
        if isDone(recording) { return (said, recording) }
      }
      last = said
    }
    throw NeverRecorded(last: last)
  }

  private struct NeverRecorded: Error { var last: Tool.Result? }

  private func run(_ arguments: String) async throws -> Tool.Result {
    try await Tool.run(arguments.split(separator: " ").map(String.init), in: folder.url)
  }

  @Test func aRecordingIsReplayedAndReadByOtherCommands() async throws {
    let (said, recording) = try await recorded("--for 1s") { recording in
      guard recording.lost == 0, recording.cut == nil, recording.graphs.count > 1 else { return false }
      // The program may have been too slow to grow.
      let change = Observation(recording.graphs[recording.graphs.count - 1], since: recording.graphs[0])
      return Rules.findings(in: change).contains { $0.rule == "growth" }
    }
    #expect(
      said.output.contains(
        /^trace\.json: PlantedFaults \(pid [0-9]+\), [0-9,]+ events, [0-9,]+ live nodes, [0-9,]+ ended in [0-9.]+ s\n$/
      ),
      "\(said)")
    #expect(recording.events.count > 10)
    // Each chain of the program is one operator and a subscriber, which are joined into one.
    #expect(Set(recording.events.map(\.kind)) == [.sent, .handled])
    #expect(recording.events.contains { $0.first > $0.node })
    #expect(zip(recording.events, recording.events.dropFirst()).allSatisfy { $0.time <= $1.time })
    try expectTraceEventFormat(of: Data(contentsOf: folder.file("trace.json")))

    // As a table, whole and of one place.
    let table = try await run("replay trace.json --limit 5")
    let lines = table.output.split(separator: "\n")
    #expect(table.status == 0 && lines[0].hasPrefix("PlantedFaults (pid ") && lines.count == 8, "\(table)")
    #expect(lines[1].split(separator: " ") == ["SECONDS", "TOOK", "THREAD", "EVENT", "WHAT", "CAUSE"])
    #expect(lines.last?.contains(" more; --limit") == true)
    let line = try PlantedProgram.line(of: "growth")
    let place = try await run("replay trace.json --place Faults.swift:\(line)")
    #expect(place.status == 0, "\(place)")

    // As marbles, and as the graph of a moment.
    let marbles = try await run("replay trace.json -o marbles.svg")
    #expect(marbles.status == 0, "\(marbles)")
    let drawn = try String(contentsOf: folder.file("marbles.svg"), encoding: .utf8)
    #expect(drawn.contains("</svg>") && drawn.contains("Marbles of one number have one cause."))
    #expect(try await run("marbles trace.json -o same.svg").status == 0)
    #expect(
      try String(contentsOf: folder.file("same.svg"), encoding: .utf8).contains("Marbles of one number have one cause.")
    )
    let late = try await run("replay trace.json --at 99s -o late.json")
    #expect(late.status == 2 && late.errors.contains("--at 99 s is after the end of the recording"), "\(late)")
    let early = try await run("replay trace.json --at 0.2s -o early.json")
    #expect(early.status == 0, "\(early)")
    let graph = try GraphSnapshot(json: Data(contentsOf: folder.file("early.json")))
    #expect(early.output.contains(", \(NodeCounts(of: graph).words), as it was at 0.2 s"), "\(early)")
    let last = try #require(recording.graphs.last)
    let first = recording.graphs[0]
    func values(_ graph: GraphSnapshot) -> UInt64 { graph.nodes.reduce(0) { $0 + $1.valueCount } }
    #expect(abs(graph.takenAt - recording.startedAt - 0.2) < 0.05 && graph.process == first.process)
    #expect(values(first) <= values(graph) && values(graph) <= values(last))

    // As a file of a program.
    let check = try await run("check trace.json --json")
    #expect(check.status == 1 && check.output.contains("\"growth\""), "\(check)")
    #expect(try await run("render trace.json -o graph.dot").status == 0)
    #expect(try await run("why Faults.swift:\(line) trace.json").status == 0)
  }

  @Test func aRecordingThatIsThinnedSaysSo() async throws {
    let (said, recording) = try await recorded("--for 2s --limit 7") { $0.lost > 0 && $0.thinned != nil }
    #expect(said.errors.contains("There were more than 7 events: "), "\(said)")
    #expect(recording.events.count <= 7 && recording.thinned?.contains("--limit") == true)
    let table = try await run("replay trace.json")
    #expect(table.errors.contains("There were more than 7 events"))
  }

  @Test func ctrlCKeepsWhatIsThere() async throws {
    let program = try await PlantedProgram(in: folder)
    let tool = try RunningTool(["record", "-o", "trace.json", "--for", "1h"], in: folder.url)
    try program.grow()
    // It is under way once the program traces what it does.
    try await program.isTraced(by: folder)
    tool.interrupt()
    #expect(await tool.line { _ in true }?.hasPrefix("trace.json: PlantedFaults") == true)
    #expect(await tool.status() == 0)
    #expect(try RecordingFile.read(folder.file("trace.json").path).cut?.hasPrefix("it was interrupted") == true)
  }

  /// With a program of its own: one that was recorded before is still traced for a while.
  @Test func theEndOfTheProgramKeepsWhatIsThere() async throws {
    let program = try await PlantedProgram(in: folder)
    let other = try RunningTool(["record", "-o", "end.json", "--for", "1h"], in: folder.url)
    try program.grow()
    try await program.isTraced(by: folder)
    #expect(try await program.end() != "")
    #expect(await other.line { _ in true }?.hasPrefix("end.json: PlantedFaults") == true)
    #expect(await other.status() == 0)
    #expect(try RecordingFile.read(folder.file("end.json").path).cut?.hasPrefix("the program exited") == true)
  }

  @Test func anOlderProgramIsNotRecorded() async throws {
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let program = try FakeProgram("Old", pid: 521, in: folder.file("sockets"), knowing: ["/hello", "/snapshot"])
    defer { program.end() }
    let result = try await run("record -o trace.json")
    #expect(result.status == 2 && result.errors.contains("older version of the library"), "\(result)")
    #expect(try folder.names == ["sockets"])
  }

  @Test(arguments: [
    ("record", 64, "-o"), ("record -o t.json --for 0", 64, "100ms to 1h"),
    ("record -o t.json --limit 0", 64, "--limit 0"),
    ("record -o missing/t.json", 2, "does not exist"), ("record -o t.json --pid 999999", 2, "No inspectable program"),
    ("replay missing.json", 2, "There is no file `missing.json`; give the path of a recording"),
    ("replay snapshot.json", 2, "not a recording"),
    ("replay foreign.json", 2, "has no graph"), ("replay torn.json", 2, "incomplete"),
    ("replay newer.json", 2, "update signal-viz"), ("replay wrong.json", 2, "traceEvents[0].ts"),
    ("replay snapshot.json --format svg", 64, "needs -o"),
    ("replay snapshot.json -o m.dot", 64, "Marbles are drawn as one of svg, png, pdf"),
    ("render foreign.json -o g.svg", 1, "has no graph"), ("check torn.json", 2, "incomplete"),
  ])
  func whatIsWrongIsSaid(arguments: String, status: Int32, words: String) async throws {
    let files = [
      "snapshot.json":
        #"{"version":1,"process":{"name":"A","pid":1,"startedAt":1},"takenAt":1,"definitions":[],"nodes":[],"edges":[]}"#,
      "foreign.json": #"{"traceEvents":[]}"#,
      "torn.json": #"{"displayTimeUnit":"ms","traceEvents":[{"ph":"M","#,
      "newer.json":
        #"{"traceEvents":[],"signals":{"version":2,"startedAt":1,"seconds":1,"lost":0,"graphs":[{"version":1,"process":{"name":"A","pid":1,"startedAt":1},"takenAt":1,"definitions":[],"nodes":[],"edges":[]}]}}"#,
      "wrong.json": #"{"traceEvents":[{"ph":"X","ts":"now"}],"signals":null}"#,
    ]
    for (name, text) in files { try Data(text.utf8).write(to: folder.file(name)) }
    let result = try await run(arguments)
    #expect(result.status == status && result.errors.contains(words), "\(result)")
  }

  // MARK: The format

  /// What the description of the Trace Event Format asks of each event.
  private func expectTraceEventFormat(of data: Data) throws {
    let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(file["displayTimeUnit"] as? String == "ms")
    let events = try #require(file["traceEvents"] as? [[String: Any]])
    var (phases, arrows, rows): (Set<String>, [Int: [(phase: String, time: Double)]], Set<Int>) = ([], [:], [])
    var slices: [Int: [(begin: Double, end: Double)]] = [:]
    for event in events {
      let phase = try #require(event["ph"] as? String)
      phases.insert(phase)
      #expect(event["name"] is String && event["pid"] is Int)
      let row = try #require(event["tid"] as? Int)
      if phase == "M" {
        let arguments = try #require(event["args"] as? [String: Any])
        #expect(arguments["name"] is String || arguments["sort_index"] is Int)
        if event["name"] as? String == "thread_name" { rows.insert(row) }
        continue
      }
      let time = try #require(event["ts"] as? Double)
      #expect(time >= 0)
      switch phase {
      case "X":
        let duration = try #require(event["dur"] as? Double)
        #expect(duration >= 0 && rows.contains(row) && event["cat"] is String && event["args"] is [String: Any])
        slices[row, default: []].append((time, time + duration))
      case "s", "t", "f":
        arrows[try #require(event["id"] as? Int), default: []].append((phase, time))
        #expect(event["cat"] as? String == "cause" && (phase != "f" || event["bp"] as? String == "e"))
        // It is inside of an event of its row.
        #expect(slices[row]?.contains { $0.begin - 0.01 <= time && time <= $0.end + 0.01 } == true)
      case "C":
        let figures = try #require(event["args"] as? [String: Double])
        #expect(!figures.isEmpty)
      default: Issue.record("There is an event of the phase \(phase)")
      }
    }
    #expect(phases.isSuperset(of: ["M", "X", "C"]), "\(phases)")
    for points in arrows.values {
      #expect(points.first?.phase == "s" && points.last?.phase == "f" && points.count > 1)
      #expect(points.dropFirst().dropLast().allSatisfy { $0.phase == "t" })
      #expect(points.map(\.time) == points.map(\.time).sorted())
    }
    // In a row, what overlaps is one inside the other.
    for row in slices.values {
      var open: [Double] = []
      for (begin, end) in row.sorted(by: { ($0.begin, $1.end) < ($1.begin, $0.end) }) {
        while let last = open.last, last <= begin + 0.001 { open.removeLast() }
        #expect(open.last.map { end <= $0 + 0.001 } ?? true)
        open.append(end)
      }
    }
  }
}

extension PlantedProgram {
  /// Returns when the program traces what its handlers do, as somebody has asked for.
  fileprivate func isTraced(by folder: TemporaryFolder) async throws {
    for _ in 0..<300 {
      let file = folder.file("traced.json")
      defer { try? FileManager.default.removeItem(at: file) }
      _ = try await Tool.run(["render", "-o", "traced.json"], in: folder.url)
      let graph = try GraphSnapshot(json: Data(contentsOf: file))
      if graph.nodes.contains(where: { $0.causes != nil }) { return }
    }
    Issue.record("Nobody traces the program.")
  }
}
