import Foundation
import SampleGraphs
import SignalGraph
import SignalPicture
import SignalRendering
import Testing

@Suite struct RenderingTests {
  @Test func goldenSVG() throws {
    let svg = try SampleGraphs.searchBox.rendered(as: .svg)
    try GoldenFile.check(SVGOutline(svg: Data(svg)).text, name: "search-box.svg.txt")
  }

  @Test(arguments: [(PictureFormat.svg, "<?xml"), (.png, "\u{89}PNG"), (.pdf, "%PDF-1.")])
  func formatsHaveTheirSignature(format: PictureFormat, signature: String) throws {
    let bytes = try SampleGraphs.searchBox.rendered(as: format)
    #expect(bytes.starts(with: signature.unicodeScalars.map { UInt8($0.value) }))
    #expect(bytes.count > 2_000)
  }

  @Test(arguments: [PictureFormat.svg, .png]) func theOrderOfNodesDoesNotMatter(format: PictureFormat) throws {
    let graph = SampleGraphs.searchBox
    let bytes = try graph.rendered(as: format)
    for seed in 1...3 as ClosedRange<UInt64> {
      #expect(try SampleGraphs.shuffled(graph, seed: seed).rendered(as: format) == bytes)
    }
  }

  @Test func hostileWordsStayWords() throws {
    var graph = SampleBuilder(name: "</svg><script>", pid: 1)
    graph.add("<b>&amp;\\N\\G", "\"quoted\" \\L \u{1B}[31m", file: "A/B\"<.swift", line: 1, owner: "]]> & <i>")
    let link = try SourceLink(pattern: "https://example.com/{file}?x=\"'<>&y=1")
    let options = DrawingOptions(clustersByFile: true, sourceLink: link)
    let outline = try SVGOutline(svg: Data(graph.snapshot.rendered(as: .svg, options: options)))
    let words = outline.text.replacing("\u{A0}", with: " ")
    #expect(words.contains("<b>&amp;\\N\\G"))
    #expect(words.contains("“\"quoted\" \\L [31m”"))
    #expect(words.contains("</svg><script>"))
    #expect(!outline.elements.contains("script") && !outline.elements.contains("i"))
  }

  /// Both together make Graphviz 2.42 read memory that it has freed, which ends the process now and then.
  @Test func clustersAreNotPacked() throws {
    let clustered = try LayoutPlan(
      for: SampleGraphs.searchBox, format: .svg, options: DrawingOptions(clustersByFile: true))
    #expect(clustered.dot.contains("subgraph \"cluster_") && !clustered.dot.contains("pack="))
    #expect(try LayoutPlan(for: SampleGraphs.searchBox, format: .svg).dot.contains("pack=\"48\""))
  }

  @Test func withClustersTheBoxesOfAllComponentsCount() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    for line in 1...600 {
      graph.chain([graph.add("emitter", line: 2 * line), graph.add("subscribe", line: 2 * line + 1)])
    }
    for hasClusters in [false, true] {
      let options = DrawingOptions(clustersByFile: hasClusters, bundlesFrom: nil, boxLimit: nil)
      let dot = try LayoutPlan(for: graph.snapshot, format: .svg, options: options).dot
      #expect(dot.contains("nslimit=\"0.1\"") == hasClusters)
    }
  }

  @Test func whatTheLibrarySaysIsInTheError() throws {
    let unreadable = #expect(throws: RenderingError.self) {
      try Graphviz.render(dot: "digraph { a -> ", format: .svg)
    }
    #expect(unreadable?.step == .read)
    #expect("\(try #require(unreadable))".contains("syntax error"))
    let malformed = #expect(throws: RenderingError.self) {
      try Graphviz.render(dot: "digraph { a [label=<<TABLE><B>x</TABLE>>] }", format: .svg)
    }
    #expect(malformed?.step == .layout)
    #expect(malformed?.messages.isEmpty == false)
    // A failure leaves nothing behind for the next call.
    #expect(try !Graphviz.render(dot: "digraph { a }", format: .svg).isEmpty)
  }

  @Test func manyThreadsMayRenderAtOnce() async throws {
    let expected = try SampleGraphs.searchBox.rendered(as: .svg)
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<8 { group.addTask { try SampleGraphs.searchBox.rendered(as: .svg) } }
      for try await picture in group { #expect(picture == expected) }
    }
  }

  @Test func anEmptyGraphIsAPicture() throws {
    let process = ProcessIdentity(name: "Empty", pid: 1, startedAt: 0)
    let outline = try SVGOutline(
      svg: Data(GraphSnapshot(process: process, takenAt: 0).rendered(as: .svg)))
    #expect(outline.text.contains("0 nodes"))
  }

  @Test func theVersionIsKnown() {
    #expect(Graphviz.version.first?.isNumber == true)
  }

  @Test func largeGraphsAreDrawnInFewerBoxes() throws {
    #expect(try LayoutPlan(for: SampleGraphs.large(.hub, count: 1_000), format: .svg).dot.contains("hub"))
    let plan = try LayoutPlan(for: SampleGraphs.large(.hub, count: 10_000), format: .png)
    #expect(plan.dot.contains("linear runs folded"))
    #expect(plan.dot.contains("size=\"16.6,16.6\""))
    #expect(try GraphPicture(of: SampleGraphs.large(.hub, count: 10_000), options: DrawingOptions()).boxes.count <= 80)
  }

  /// One component of 12,000 boxes that neither bundle nor fold: more than layers can cope with.
  @Test func aHugeKnotIsCollapsed() throws {
    var graph = SampleBuilder(name: "Knot", pid: 1)
    let nodes = (0..<12_000).map { graph.add("map", "n\($0)", file: "App/F\($0 % 40).swift", line: $0) }
    for index in nodes.indices.dropFirst() {
      graph.connect(nodes[(index - 1) / 2], nodes[index])
      graph.connect(nodes[index / 3], nodes[index], .trigger)
    }
    let plan = try LayoutPlan(for: graph.snapshot, format: .svg, options: DrawingOptions(boxLimit: nil))
    #expect(plan.engine == .dot)
    #expect(plan.dot.contains("drawn by file"))
  }
}
