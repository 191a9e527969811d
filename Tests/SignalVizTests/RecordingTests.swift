import Foundation
import SignalGraph
import SignalPicture
import Testing

@testable import signal_viz

/// What a recording says, without a program.
@Suite struct RecordingTests {
  private let process = ProcessIdentity(name: "A", pid: 7, startedAt: 1)

  /// emitter 1 → debounce 2 → subscribe 3, whose handler sends to emitter 4 → map 6 · subscribe 5.
  private func graph(at time: Double, nodes: [UInt64] = [1, 2, 3, 4, 5, 6]) -> GraphSnapshot {
    let kinds: [UInt64: String] = [1: "emitter", 2: "debounce", 3: "subscribe", 4: "emitter", 5: "subscribe", 6: "map"]
    let edges: [(UInt64, UInt64)] = [(1, 2), (2, 3), (4, 6), (6, 5)]
    return GraphSnapshot(
      process: process, takenAt: time,
      definitions: (1...6).map {
        Definition(id: $0, kind: kinds[UInt64($0)] ?? "", fileID: "App/App.swift", line: $0 * 10, function: "f()")
      },
      nodes: nodes.map { Node(id: $0, definition: Int($0), valueCount: 100, since: $0 == 6 || $0 == 5 ? 1_001 : 900) },
      edges: edges.filter { nodes.contains($0.0) && nodes.contains($0.1) }.map { Edge(source: $0.0, target: $0.1) })
  }

  private var events: [GraphEvent] {
    [
      GraphEvent(.sent, node: 1, cause: 11, time: 1_000, duration: 5_000, thread: "main", origin: .program),
      GraphEvent(.passed, node: 2, cause: 11, time: 2_000_000_000, duration: 900_000, thread: "thread 1"),
      GraphEvent(.handled, node: 3, cause: 11, time: 2_000_100_000, duration: 700_000, thread: "thread 1"),
      GraphEvent(
        .sent, node: 4, cause: 12, time: 2_000_200_000, duration: 500_000, thread: "thread 1", origin: .handler, by: 3,
        parent: 11),
      GraphEvent(.handled, node: 5, first: 6, cause: 12, time: 2_000_300_000, duration: 100_000, thread: "thread 1"),
    ]
  }

  private var recording: Recording {
    Recording(
      process: process, startedAt: 1_000, seconds: 3, events: events,
      graphs: [graph(at: 1_000, nodes: [1, 2, 3, 4]), graph(at: 1_003)])
  }

  private func file(_ recording: Recording) throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    var file = TraceFile(recording)
    try file.data().write(to: folder.file("t.json"))
    return (folder, folder.file("t.json").path)
  }

  @Test func standardInputMayBeARecording() async throws {
    let (folder, path) = try file(recording)
    let drawn = try await Tool.run(["marbles", path, "-o", "-"], in: folder.url)
    let result = try await Tool.run(["marbles", "-", "-o", "-"], in: folder.url, input: URL(filePath: path))
    #expect(result.status == 0 && result.output == drawn.output && result.output.hasPrefix("<svg "), "\(result)")
  }

  @Test func whatIsWrittenIsRead() throws {
    var recording = recording
    (recording.lost, recording.cut) = (7, "it \"was\" long\n")
    let (folder, path) = try file(recording)
    let read = try RecordingFile.read(path)
    #expect(read.events == recording.events && read.graphs == recording.graphs)
    #expect(read.startedAt == 1_000 && read.seconds == 3 && read.lost == 7 && read.cut == recording.cut)
    #expect(read.notes.count == 2 && read.notes[0].hasPrefix("7 events are missing"))
    recording.cut = "App did not answer; is it stopped or hung?"
    #expect(recording.notes.last == "The recording is cut: App did not answer; is it stopped or hung?")
    recording.cut = "the program ended after 3 s"
    #expect(recording.notes.last == "The recording is cut: the program ended after 3 s.")
    withExtendedLifetime(folder) {}
  }

  @Test func anArrowLeadsWhereNothingIsInside() {
    let arrows = CauseArrows(recording).arrows
    // From the emitter to the debounce on another thread; all else is inside of what caused it.
    #expect(arrows.map(\.event) == [0, 1] && arrows.map(\.phase) == [.start, .end])
    // Where each is on a thread of its own it is one arrow with steps, and one to what the handler sent.
    var apart = recording
    for index in apart.events.indices { apart.events[index].thread = "\(index)" }
    let all = CauseArrows(apart).arrows
    #expect(all.filter { $0.number == 1 }.map(\.phase) == [.start, .step, .step, .step, .end])
    #expect(all.map(\.event) == [0, 1, 2, 3, 4])
  }

  @Test func twoBranchesAreTwoArrows() {
    var recording = recording
    recording.events = [
      GraphEvent(.sent, node: 1, cause: 1, time: 0, duration: 5, thread: "main"),
      GraphEvent(.passed, node: 2, cause: 1, time: 10, duration: 5, thread: "a"),
      GraphEvent(.passed, node: 8, cause: 1, time: 20, duration: 5, thread: "b"),
    ]
    recording.graphs[1].nodes.append(Node(id: 8, definition: 2))
    recording.graphs[1].edges.append(Edge(source: 1, target: 8))
    #expect(CauseArrows(recording).arrows.map(\.event) == [0, 1, 0, 2])
  }

  /// In between are events at other branches and at the node itself; fused nodes count as one.
  @Test func arrowsLeadFromTheLastEventUpstream() {
    var recording = recording
    func event(_ kind: GraphEvent.Kind, _ node: UInt64, first: UInt64? = nil, at time: UInt64) -> GraphEvent {
      GraphEvent(kind, node: node, first: first, cause: 1, time: time, duration: 5, thread: "\(time)")
    }
    recording.events = [
      event(.sent, 4, at: 0), event(.handled, 5, first: 6, at: 10), event(.handled, 5, first: 6, at: 20),
      // The node that `debounce` gets its values from is not recorded.
      event(.passed, 2, at: 30), event(.passed, 2, at: 40), event(.handled, 3, at: 50), event(.sent, 4, at: 60),
      event(.handled, 5, first: 6, at: 70), event(.handled, 3, at: 80),
    ]
    let arrows = CauseArrows(recording).arrows
    let pairs = Dictionary(grouping: arrows, by: \.number).values.map { $0.map(\.event) }
    #expect(Set(pairs) == [[0, 1], [0, 2], [2, 3], [2, 4], [4, 5], [4, 8], [6, 7]])
  }

  @Test func threadsOfOneNameGetRowsOfTheirOwn() throws {
    var recording = recording
    recording.events = (0..<4).map {
      GraphEvent(.handled, node: 3, cause: 1, time: $0 * 10, duration: 15, thread: "work\u{1B}er")
    }
    var file = TraceFile(recording)
    let text = String(decoding: try file.data(), as: UTF8.self)
    #expect(text.contains(#""name":"worker""#) && text.contains(#""name":"worker (2)""#) && !text.contains("(3)"))
  }

  /// Viewers show the number of a row, and put the one that has the number of the process first.
  @Test func rowsHaveTheNumbersOfTheirThreads() {
    var rows = TraceRows()
    for (time, thread) in ["thread 4", "main", "reader", "thread 7", "thread 0", "thread 2"].enumerated() {
      _ = rows.row(of: GraphEvent(.sent, node: 1, cause: 1, time: UInt64(time) * 10, duration: 5, thread: thread))
    }
    #expect(rows.numbers(main: 321) == [4, 321, 8, 7, 9, 2])
    // The process has a number that a thread would have.
    #expect(rows.numbers(main: 7) == [4, 7, 5, 6, 8, 2])
    #expect(rows.numbers(main: 8) == [4, 8, 9, 7, 10, 2])
  }

  @Test func namesForViewers() throws {
    var recording = recording
    for index in recording.graphs.indices { recording.graphs[index].nodes[1].name = "pause \"in\" typing" }
    recording.samples = [
      .init(.rate): [.init(time: 0, value: 7.256)], .init(.rate, at: "App.swift:30"): [.init(time: 5, value: 2)],
      .init(.waiting, at: "debounce App.swift:20"): [.init(time: 9, value: 1)],
      .init(.waiting): [.init(time: 9, value: 0)],
    ]
    recording.gaps = [.init(time: 3_000_000, duration: 4_000, count: 1_234)]
    recording.lost = 1_234
    var file = TraceFile(recording)
    let text = String(decoding: try file.data(), as: UTF8.self)
    func line(_ words: String) -> String {
      text.split(separator: "\n").first { $0.contains(words) }.map(String.init) ?? ""
    }
    #expect(line("debounce").isEmpty || !line(#""ph":"X""#).contains("`"))
    #expect(text.contains(##""name":"pause \"in\" typing App.swift:20","pid":7"##), "\(text.prefix(2_000))")
    #expect(line(#""name":"main""#).contains(#""pid":7,"tid":7"#))
    #expect(line(#""by":3"#).contains(#""why":"sent by the handler at App.swift:30, under 11""#))
    // With what viewers add: "all handlers values/s".
    #expect(line("all handlers").hasSuffix(#""ts":0.000,"args":{"values/s":7.26}},"#), "\(line("all handlers"))")
    #expect(line(#""name":"App.swift:30""#).contains(#"{"values/s":2.0}"#))
    #expect(line(#""name":"debounce App.swift:20""#).contains(#"{"waiting":1.0}"#) && !text.contains("all operators"))
    // What is missing has a row of its own, below the others.
    #expect(line("1,234 missing").contains(#""tid":8,"ts":3000.000,"cat":"missing","dur":4.000,"args":{"count":1234}"#))
    #expect(line("events that are missing").contains(#""tid":8"#))
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: folder.file("t.json"))
    let read = try RecordingFile.read(folder.file("t.json").path)
    #expect(read.gaps == recording.gaps && read.events.count == 5)
  }

  @Test func theGraphOfAMoment() {
    func values(_ time: UInt64) -> [UInt64: UInt64] {
      Dictionary(uniqueKeysWithValues: recording.graph(at: time).nodes.map { ($0.id, $0.valueCount) })
    }
    #expect(values(0) == [1: 100, 2: 100, 3: 100, 4: 100])
    // Two nodes have come since, and values have passed.
    #expect(values(2_000_150_000) == [1: 101, 2: 101, 3: 101, 4: 100, 5: 0, 6: 0])
    #expect(values(2_500_000_000) == [1: 101, 2: 101, 3: 101, 4: 101, 5: 1, 6: 1])
    #expect(recording.graph(at: 2_500_000_000).edges.count == 4)
    #expect(values(3_000_000_000) == [1: 100, 2: 100, 3: 100, 4: 100, 5: 100, 6: 100])
  }

  @Test func onlyAFewGraphsAreKept() {
    var recording = recording
    for time in 0..<100 { recording.keep(graph(at: 2_000 + Double(time))) }
    // Without changes the first and the last are enough.
    #expect(recording.graphs.map(\.takenAt) == [1_000, 1_003, 2_099])
    for time in 0..<100 { recording.keep(graph(at: 3_000 + Double(time), nodes: [1, UInt64(time % 2) + 2])) }
    #expect(recording.graphs.count <= 16 && recording.graphs.first?.takenAt == 1_000)
    #expect(recording.graphs.last?.takenAt == 3_099)
  }

  @Test func aTable() {
    let text = ReplayText(recording: recording, nodes: nil, end: nil, limit: 3).text
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("A (pid 7), recorded 1970-01-01T00:16:40Z for 3 s: 5 events, 6 nodes"))
    #expect(lines[2] == "0.000001    5 µs  main      sent     emitter App.swift:10    11, sent by the program")
    #expect(lines[3] == "2.000000  900 µs  thread 1  passed   debounce App.swift:20   11")
    #expect(lines.count == 6 && lines[5].hasPrefix("2 more; "))
    let handlers = ReplayText(recording: recording, nodes: [6], end: nil, limit: 3).text
    #expect(handlers.contains("handled  map · subscribe App.swift:50  12"), "\(handlers)")
    let none = ReplayText(recording: recording, nodes: [4], end: 1_000_000, limit: 3).text
    #expect(none.hasSuffix("Nothing happened there."))
  }

  @Test func marblesOfOneCauseHaveOneNumber() throws {
    let picture = try ReplayMarbles(recording: recording, nodes: [1, 2, 6], end: nil).picture()
    let lines = picture.rows.compactMap { row in
      if case .line(let line) = row { (line.name, line.moments.flatMap(\.events).map(\.kind)) } else { nil }
    }
    #expect(lines.map(\.0) == ["App.swift:10", "App.swift:20", "App.swift:60"])
    #expect(lines.map(\.1) == [[.value("1")], [.value("1")], [.value("2")]])
    let chosen = try ReplayMarbles(recording: recording, nodes: nil, end: 1_000_000).picture()
    #expect(chosen.rows.count == 1)
    #expect(throws: Failure.self) { try ReplayMarbles(recording: recording, nodes: [99], end: nil).picture() }
  }

  /// A place that is cut at its end has no line.
  @Test func longNamesKeepWhatTellsThemApart() throws {
    var recording = recording
    for graph in recording.graphs.indices {
      for index in recording.graphs[graph].definitions.indices {
        recording.graphs[graph].definitions[index].fileID = "App/ListOfEverythingThatWasEverBoughtInTheShop.swift"
      }
      recording.graphs[graph].nodes[1].name = "a pause of half a second while somebody types"
      recording.graphs[graph].nodes[2].name = "a pause of half a second while somebody typos"
      recording.graphs[graph].nodes[3].name = recording.graphs[graph].nodes[2].name
    }
    let picture = try ReplayMarbles(recording: recording, nodes: [1, 2, 3, 4, 6], end: nil).picture()
    let lines = picture.rows.compactMap { if case .line(let line) = $0 { line.name } else { nil } }
    #expect(
      lines.sorted()
        == [
          "ListOfEverythingThatWasEve…Shop.swift:10", "ListOfEverythingThatWasEve…Shop.swift:60",
          "a pause of half a second w…omebody types", "emitter a pause of half a…mebody typos 4",
          "subscribe a pause of half…mebody typos 3",
        ].sorted(), "\(lines)")
    let svg = picture.svg(options: ReplayMarbles.options)
    for line in lines { #expect(svg.contains(">\(line)<"), "\(line)") }
  }

  /// Times, nodes and numbers that no program would write end nothing.
  @Test func whatNoProgramWouldWrite() throws {
    let huge = "18446744073709551615"
    let graph = String(decoding: try graph(at: 1e300).json(), as: UTF8.self)
    func file(startedAt: String = "1", seconds: String = "1") -> String {
      #"""
      {"traceEvents":[
        {"ph":"X","cat":"sent","ts":1e300,"dur":1e300,"tid":1,"args":{"node":\#(huge),"first":0,"cause":\#(huge)}},
        {"ph":"X","cat":"handled","ts":1,"dur":1e18,"tid":-5,"args":{"node":0,"first":\#(huge),"by":\#(huge),"parent":1}},
        {"ph":"X","cat":"sent","ts":-7,"args":{"node":1}},{"ph":"X","cat":"sent","ts":5},
        {"ph":"X","cat":"of a later version","ts":5,"args":{"node":1}},{"ph":"?","args":{}}
      ],"signals":{"version":1,"startedAt":\#(startedAt),"seconds":\#(seconds),"lost":\#(huge),"graphs":[\#(graph),\#(graph)]}}
      """#
    }
    let folder = try TemporaryFolder()
    let path = folder.file("t.json").path
    func read(_ text: String) throws -> Recording {
      try Data(text.utf8).write(to: folder.file("t.json"))
      return try RecordingFile.read(path)
    }
    let recording = try read(file(seconds: "1e9"))
    #expect(recording.events.count == 2)
    _ = recording.graph(at: .max)
    _ = ReplayText(recording: recording, nodes: [1], end: nil, limit: 9).text
    _ = ReplayText(recording: recording, nodes: nil, end: nil, limit: 9).text
    _ = try ReplayMarbles(recording: recording, nodes: nil, end: nil).picture().svg()
    var written = TraceFile(recording)
    _ = try written.data()
    for wrong in [file(startedAt: "1e300"), file(startedAt: "-1"), file(seconds: "1e300")] {
      #expect(throws: Failure.self) { try read(wrong) }
    }
  }

  @Test func aSnapshotThatSpeaksOfTracesIsNone() {
    #expect(RecordingFile.isTrace(Data(#"{ "traceEvents" : []"#.utf8)))
    #expect(!RecordingFile.isTrace(Data(#"{"definitions":[{"function":"traceEvents"}]}"#.utf8)))
    #expect(!RecordingFile.isTrace(Data()))
  }
}
