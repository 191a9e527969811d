import Foundation
import SampleGraphs
import SignalGraph
import SignalPicture
import Testing

@testable import signal_viz

@Suite("What changed between two graphs") struct GraphDifferenceTests {
  /// A source at line 1 that sent so many values, and subscribers at line 2.
  private func graph(_ values: UInt64, subscribers: [UInt64], ended: UInt64 = 0, at moment: Double) -> GraphSnapshot {
    let process = ProcessIdentity(name: "App", pid: 9, startedAt: 0)
    var graph = GraphSnapshot(process: process, takenAt: moment)
    graph.definitions = [
      Definition(id: 1, kind: "emitter", fileID: "App/Feed.swift", line: 1, function: "f()"),
      Definition(
        id: 2, kind: "subscribe", fileID: "App/Feed.swift", line: 2, function: "f()", ends: EndCounts(disposed: ended)),
      Definition(id: 3, kind: "map", fileID: "App/Feed.swift", line: 3, function: "f()"),
    ]
    graph.nodes =
      [Node(id: 1, definition: 1, valueCount: values)] + subscribers.map { Node(id: $0, definition: 2) }
    return graph
  }

  @Test func whatGrewComesFirst() throws {
    let before = graph(10, subscribers: [2, 3], ended: 1, at: 0)
    let now = graph(15, subscribers: [3, 4, 5, 6], ended: 4, at: 2)
    let difference = GraphDifference(from: before, to: now)
    #expect(
      difference.text == """
        BEFORE  NOW  VALUES  ENDED  KIND       PLACE
             2    4       0      3  subscribe  Feed.swift:2
             1    1       5      0  emitter    Feed.swift:1
        2 places changed in App (pid 9) within 2 s.

        """)
    let form = try JSONSerialization.jsonObject(with: difference.json()) as? [String: Any]
    #expect(form?.keys.sorted() == ["definitions", "program", "seconds", "version"])
    #expect((form?["definitions"] as? [[String: Any]])?.first?["liveNow"] as? Int == 4)
  }

  @Test func wherePlacesHaveNoCountsTheNodesThatEndedAreCounted() {
    let difference = GraphDifference(
      from: graph(1, subscribers: [2, 3], at: 0), to: graph(1, subscribers: [], at: 1))
    #expect(difference.definitions.map(\.ended) == [2])
  }

  @Test func whatCameAndWentIsCounted() {
    var (before, now) = (graph(1, subscribers: [2], at: 0), graph(1, subscribers: [2], at: 1))
    before.definitions[2].gone = GoneNodes(nodes: 5, values: 50)
    before.nodes.append(Node(id: 7, definition: 3, state: .disposed, valueCount: 10))
    now.definitions[2].gone = GoneNodes(nodes: 36, values: 360)
    let difference = GraphDifference(from: before, to: now)
    #expect(difference.definitions.map(\.kind) == ["map"])
    #expect(difference.definitions.map(\.ended) == [30])
    #expect(difference.definitions.map(\.values) == [300])
  }

  @Test func whatStaysIsNotTold() {
    let difference = GraphDifference(from: graph(1, subscribers: [2], at: 0), to: graph(1, subscribers: [2], at: 1))
    #expect(difference.text == "Nothing changed in App (pid 9) within 1 s.\n")
  }
}

@Suite("The picture of a difference") struct DifferencePictureTests {
  private let definitions = [
    Definition(id: 1, kind: "emitter", fileID: "App/Feed.swift", line: 1, function: "f()"),
    Definition(id: 2, kind: "subscribe", fileID: "App/Feed.swift", line: 2, function: "f()"),
  ]

  private func graph(at moment: Double, _ states: [UInt64: Node.State]) -> GraphSnapshot {
    GraphSnapshot(
      process: ProcessIdentity(name: "App", pid: 9, startedAt: 0), takenAt: moment, definitions: definitions,
      nodes: [Node(id: 1, definition: 1)]
        + states.sorted { $0.key < $1.key }.map { Node(id: $0, definition: 2, state: $1) },
      edges: states.keys.sorted().map { Edge(source: 1, target: $0) })
  }

  private func picture(_ before: GraphSnapshot, _ now: GraphSnapshot) -> DifferencePicture {
    DifferencePicture(from: before, to: now, GraphDifference(from: before, to: now))
  }

  @Test func whatIsNewAndWhatHasGoneAreToldApart() throws {
    let before = graph(at: 0, [2: .live, 3: .live, 4: .live, 5: .finished])
    let now = graph(at: 1, [2: .live, 4: .disposed, 6: .live, 7: .live, 8: .live, 9: .disposed])
    let picture = picture(before, now)
    // 3 has left without a trace and 4 has ended; 5 was over before, and 9 came and went.
    #expect(picture.options.changes == [3: .gone, 4: .gone, 6: .new, 7: .new, 8: .new])
    #expect(picture.graph.nodes.map(\.id) == [1, 2, 4, 6, 7, 8, 9, 3])
    #expect(picture.graph.edges.contains(Edge(source: 1, target: 3)))
    #expect(picture.options.marks.map(\.words) == ["4 live here, 1 more than before"])
    #expect(picture.options.marks.first?.nodes == [2, 6, 7, 8])
    let dot = try picture.graph.dot(options: picture.options)
    // Three new ones are drawn once; what stays, and each that has gone, by itself.
    #expect(dot.components(separatedBy: "class=\"new\"").count == 2 && dot.contains("× 3"))
    #expect(dot.components(separatedBy: "class=\"gone\"").count == 3)
    #expect(dot.contains("dashed") && dot.contains("<B>gone</B>") && dot.contains("<B>new</B>"))
    #expect(!dot.contains("n9 ["))
    let mermaid = try picture.graph.mermaid(options: picture.options)
    #expect(mermaid.contains("<i>new</i>") && mermaid.contains("classDef gone") && mermaid.contains("dasharray"))
  }

  @Test func wherePlacesAreDrawnAsOneWhatIsNewStaysApart() throws {
    let kinds = (1...200).map { line in
      Definition(id: line, kind: "emitter", fileID: "App/F\(line % 2).swift", line: line, function: "f()")
    }
    func graph(_ ids: ClosedRange<UInt64>, at moment: Double) -> GraphSnapshot {
      GraphSnapshot(
        process: ProcessIdentity(name: "App", pid: 9, startedAt: 0), takenAt: moment, definitions: kinds,
        nodes: ids.map { Node(id: $0, definition: Int($0)) })
    }
    let picture = picture(graph(1...150, at: 0), graph(11...200, at: 1))
    let drawn = try GraphPicture(of: picture.graph, options: picture.options)
    #expect(drawn.boxes.count == 6)
    #expect(drawn.boxes.filter { $0.change == .new }.map(\.nodeCount) == [25, 25])
    #expect(drawn.boxes.filter { $0.change == .gone }.map(\.nodeCount) == [5, 5])
  }

  @Test func whatStaysLooksAsAlways() throws {
    let before = graph(at: 0, [2: .live])
    let picture = picture(before, graph(at: 1, [2: .live]))
    #expect(picture.options.changes.isEmpty && picture.options.marks.isEmpty)
    #expect(try picture.graph.dot(options: picture.options) == before.dot(options: DrawingOptions(showsEnded: false)))
  }

  @Test(arguments: [
    (["-o", "out.svg"], "<?xml", true), (["-o", "out.png"], "\u{89}PNG", true),
    (["-o", "-", "--format", "mmd"], "---\ntitle:", false),
  ])
  func theToolDrawsIt(options: [String], signature: String, hasTable: Bool) async throws {
    let folder = try TemporaryFolder()
    try graph(at: 0, [2: .live]).json().write(to: folder.file("a.json"))
    try graph(at: 1, [2: .live, 3: .live]).json().write(to: folder.file("b.json"))
    let result = try await Tool.run(["diff", "a.json", "b.json"] + options, in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("BEFORE  NOW") == hasTable)
    let bytes = try hasTable ? Data(contentsOf: folder.file(options[1])) : Data(result.output.utf8)
    #expect(
      bytes.starts(with: signature.unicodeScalars.map { UInt8($0.value) }) || bytes.starts(with: Data(signature.utf8)))
  }

  @Test(arguments: [
    (["-o", "out.json"], "-o draws a picture"), (["-o", "-", "--json"], "give a file"),
    (["--format", "svg"], "needs -o"),
    (["-o", "out.gif"], "svg, png, pdf, dot, mmd"),
  ])
  func whatIsWrongIsSaid(options: [String], words: String) async throws {
    let folder = try TemporaryFolder()
    let result = try await Tool.run(["diff", "a.json", "b.json"] + options, in: folder.url)
    #expect(result.status == 64 && result.errors.contains(words), "\(result.errors)")
  }
}
