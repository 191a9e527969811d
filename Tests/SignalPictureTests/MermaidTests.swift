import SampleGraphs
import SignalGraph
import Testing

@testable import SignalPicture

@Suite("Mermaid") struct MermaidTests {
  @Test(arguments: SampleGraphs.Shape.allCases, [1_000, 10_000])
  func largeGraphsAreWhatMermaidDraws(shape: SampleGraphs.Shape, count: Int) throws {
    let text = try MermaidText(of: SampleGraphs.large(shape, count: count), options: DrawingOptions())
    #expect(text.excess == nil && text.text.utf16.count < 20_000)
    #expect(text.text.matches(of: /\n +n\d+\[/).count <= 80)
    #expect(text.text.contains("000 nodes in ") || text.text.contains("996 live nodes, 4 ended in "))
  }

  /// Many links between few boxes, and names of which each character is an entity.
  @Test func densityAndNamesMakeFewerBoxes() throws {
    var graph = SampleBuilder(name: String(repeating: "<", count: 100), pid: 1)
    let nodes = (0..<60).map { graph.add("map", "n\($0)", file: "App/F\($0 % 20).swift", line: $0) }
    for source in nodes { for target in nodes where source < target { graph.connect(source, target) } }
    let dense = try MermaidText(of: graph.snapshot, options: DrawingOptions())
    #expect(dense.excess == nil && dense.edgeCount > 0, "\(dense.edgeCount)")

    let name = String(repeating: "<>", count: 200)
    var long = SampleBuilder(name: name, pid: 1)
    for line in 0..<79 { long.add(name, "\(name)\(line)", file: "App/\(name).swift", line: line) }
    var options = DrawingOptions(bundlesFrom: nil)
    options.marks = (1...40).map {
      PictureMark(nodes: [$0], words: name, place: name, remedy: name, isError: false)
    }
    options.headings = Array(repeating: name, count: 30)
    let text = try MermaidText(of: long.snapshot, options: options)
    #expect(text.excess == nil, "\(text.excess ?? "")")
  }

  @Test func everythingIsDrawnWhereThatIsAskedFor() throws {
    let graph = SampleGraphs.large(.hub, count: 1_000)
    let text = try MermaidText(of: graph, options: DrawingOptions(bundlesFrom: nil, boxLimit: nil))
    let excess = try #require(text.excess)
    #expect(
      excess.wholeMatch(
        of:
          /[0-9,]+ characters, of 50,000, and 999 edges, of 500 that Mermaid draws unless `mermaid.initialize\(\{maxTextSize: \d+, maxEdges: 999\}\)` allows more/
      ) != nil, "\(excess)")
    #expect(text.text.matches(of: /\n +n\d+\[/).count == 1_000)
  }

  /// Mermaid sets everything that is not connected side by side.
  @Test func whatIsNotConnectedStandsInRows() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    for line in 0..<30 { graph.chain([graph.add("emitter", line: line), graph.add("subscribe", line: line)]) }
    let text = try graph.snapshot.mermaid(options: DrawingOptions(direction: .down, bundlesFrom: nil))
    let rows = text.matches(of: /n(\d+) ~~~ n(\d+)/).compactMap { match in
      Int(match.1).flatMap { first in Int(match.2).map { (first, $0) } }
    }
    let columns = 30 - rows.count
    #expect((3...8).contains(columns), "\(columns)")
    // From where values leave to where they enter, a row further.
    #expect(rows.allSatisfy { $0.0.isMultiple(of: 2) && $0.1 == $0.0 - 1 + 2 * columns })
    #expect(try !SampleBuilder(name: "P", pid: 1).snapshot.mermaid().contains("~~~"))
    #expect(try !graph.snapshot.mermaid(options: DrawingOptions(clustersByFile: true)).contains("~~~"))
  }

  @Test func whatIsSaidStandsAboveTheBoxes() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.chain([graph.add("emitter", line: 1), graph.add("subscribe", line: 2)])
    var options = DrawingOptions(direction: .down)
    options.headings = ["it fired"]
    options.marks = (1...4).map {
      PictureMark(nodes: [1], words: "words \($0)", place: "A.swift:1", remedy: "", isError: false)
    }
    let text = try graph.snapshot.mermaid(options: options)
    #expect(text.contains("  m0[\"<b>it fired</b>\"]:::said\n  m1[\"<b>(1) words 1</b><br/>A.swift:1\"]:::said\n"))
    for link in ["m0 ~~~ m3", "m1 ~~~ m4", "m2 ~~~ n1", "m3 ~~~ n1", "m4 ~~~ n1"] {
      #expect(text.contains(link), "\(link)")
    }
  }

  @Test func bundlesSayHowManyLinksThereAre() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    for _ in 0..<3 {
      let join = graph.add("merge", line: 9)
      for _ in 0..<4 { graph.connect(graph.add("emitter", line: 1), join) }
      graph.connect(graph.add("timer", line: 3), join, .trigger)
      graph.connect(graph.add("timer", line: 3), join, .trigger)
    }
    let text = try graph.snapshot.mermaid()
    #expect(text.contains(" --> ") && text.contains(" -. trigger .-> "))
    var hub = SampleBuilder(name: "P", pid: 1)
    let (source, target) = (hub.add("share", line: 1), hub.add("merge", line: 2))
    for _ in 0..<5 {
      let node = hub.add("map", line: 3)
      hub.connect(source, node, .inner)
      for _ in 0..<3 { hub.connect(node, target) }
    }
    let other = try hub.snapshot.mermaid()
    #expect(other.contains(" -->|× 15| "), "\(other)")
    #expect(PictureStyle.stroke(.inner).mermaid("× 3") == "-. inner × 3 .->")
  }

  /// As the real Mermaid reads it: a title knows no entities, and some things begin something as entities too.
  @Test func wordsAreWords() {
    #expect(
      MermaidText.words("a<b>\"c\" [d] {e} #f; `g` %% ~~~ | @ é 中 👍") == """
        a#60;b#62;#34;c#34; #91;d#93; #123;e#125; #35;f#59; #96;g#96; #37;#37; #126;#126;#126; #124; #64; é 中 👍
        """)
    #expect(
      MermaidText.words("$$x$$ fa:fa-bug \\n ﬂ°°60¶ß") == """
        #36;#8203;#36;x#36;#8203;#36; fa:#8203;fa-bug #92;#8203;n #64258;°°60#182;ß
        """)
    #expect(
      MermaidText.quoted("a \"b\" <c>\n---\n\\ 👍", limit: 80)
        == #""a \U00000022b\U00000022 \U0000003cc\U0000003e --- \U0000005c 👍""#)
    #expect(MermaidText.words("Feed.swift:12 prefix(untilOutputFrom:)") == "Feed.swift:12 prefix(untilOutputFrom:)")
  }
}
