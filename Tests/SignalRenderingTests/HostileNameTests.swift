import SampleGraphs
import SignalGraph
import SignalPicture
import SignalRendering
import Testing

/// Whatever names, places and values a program has, its picture is well-formed XML that shows as many boxes as there are.
@Suite("Names that are made to do harm") struct HostileNameTests {
  private struct Random: RandomNumberGenerator {
    var numbers: SplitMix

    mutating func next() -> UInt64 { numbers.next() }

    /// A text of pieces that mean something to XML, to Graphviz or to terminals, and of any scalars.
    mutating func text() -> String {
      var text = ""
      for _ in 0..<Int.random(in: 1...12, using: &self) {
        if Bool.random(using: &self), let piece = Self.pieces.randomElement(using: &self) {
          text += piece
        } else {
          let range: ClosedRange<UInt32> =
            [0...0x1F, 0x20...0x7E, 0x80...0x2FF, 0x300...0x36F, 0x2000...0x206F, 0xE000...0x1_FFFF, 0...0x10_FFFF]
            .randomElement(using: &self) ?? 0...0
          if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
            text.unicodeScalars.append(
              contentsOf: repeatElement(scalar, count: Int.random(in: 1...3, using: &self)))
          }
        }
      }
      return text
    }

    private static let pieces = [
      "<", ">", "&", "\"", "'", "]]>", "<![CDATA[", "-->", "<!--", "</title>", "</g></svg>", "<script>", "&amp;",
      "&#0;",
      "&#x1;", "\\N", "\\G", "\\", "\\\"", "%", "{", "}", "|", "\n", "\t", "\0", "\u{1B}[31m", "\u{FFFE}", "\u{FFFF}",
      "\u{85}", "\u{2028}", "\u{202E}", "👨‍👩‍👧‍👦", "ग्क्ष", " style=\"x\"", "<TABLE>", "<BR/>", "a<b>c</b>", "?>", "<a href=\"",
      String(repeating: "\u{301}", count: 40), String(repeating: "x", count: 200),
    ]
  }

  @Test(arguments: 0..<100 as Range<UInt64>) func anyNameGivesXML(seed: UInt64) throws {
    var random = Random(numbers: SplitMix(seed: seed))
    var graph = SampleBuilder(name: random.text(), pid: 1)
    var last: UInt64?
    for line in 0..<8 {
      let node = graph.add(
        random.text(), random.text(), file: "\(random.text())/\(random.text()).swift", line: line, owner: random.text(),
        failure: random.text())
      if let last { graph.connect(last, node) }
      last = node
    }
    var snapshot = graph.snapshot
    for index in snapshot.nodes.indices {
      snapshot.nodes[index].scheduler = random.text()
      snapshot.nodes[index].lastValue = random.text()
    }
    var options = DrawingOptions(clustersByFile: seed.isMultiple(of: 2), bundlesFrom: nil)
    options.sourceLink = try SourceLink(pattern: "https://example.com/{file}?x=\"'<>&y#L{line}")
    options.headings = [random.text()]
    options.marks = [
      PictureMark(nodes: [1, 2], words: random.text(), place: random.text(), remedy: random.text(), isError: true)
    ]
    let svg = try snapshot.rendered(as: .svg, options: options)
    let root = try SVGElement.read(svg)
    #expect(root.all("node").count == 8 && root.all("edge").count == 7)
    #expect(Set(root.all.map(\.name)).isSubset(of: Self.elements))
    #expect(root.all("node").allSatisfy { $0["aria-label"]?.isEmpty == false && $0["style"] == nil })
  }

  private static let elements: Set<String> = [
    "svg", "title", "desc", "style", "g", "a", "path", "polygon", "polyline", "ellipse", "text",
  ]

  /// Thousands of marks on one letter are more than libgraphviz can read.
  @Test(arguments: [5_000, 200_000]) func aCharacterMayHaveManyMarks(count: Int) throws {
    let name = "a" + String(repeating: "\u{301}", count: count)
    var graph = SampleBuilder(name: name, pid: 1)
    graph.add("map", name, file: "\(name)/\(name).swift", line: 1, owner: name, failure: name)
    var options = DrawingOptions(clustersByFile: true)
    options.marks = [PictureMark(nodes: [1], words: name, place: name, remedy: name, isError: true)]
    options.headings = [name]
    let root = try SVGElement.read(graph.snapshot.rendered(as: .svg, options: options))
    #expect(root.all("node").first?["data-name"]?.unicodeScalars.count == 16)
    #expect(try graph.snapshot.mermaid(options: options).utf16.count < 5_000)
  }

  @Test func longNamesAreCutByScalarsToo() throws {
    let family = "👨‍👩‍👧‍👦"
    #expect(String(repeating: family, count: 20).displayable() == String(repeating: family, count: 20))
    #expect(String(repeating: family, count: 100).displayable().unicodeScalars.count <= 225)
    #expect(String(repeating: "a\u{301}", count: 80).displayable() == String(repeating: "a\u{301}", count: 80))
    #expect(String(repeating: "é", count: 81).displayable() == String(repeating: "é", count: 80) + "…")
    #expect(String(repeating: "e", count: 81).displayable() == String(repeating: "e", count: 80) + "…")
    #expect(String(repeating: "e", count: 80).displayable().count == 80)
  }
}
