import SampleGraphs
import SignalGraph
import Testing

@testable import SignalPicture

@Suite("Links of large graphs") struct LinkLimitTests {
  /// Boxes of which each feeds every later one; the first link of each box represents the most connections.
  private func knot(_ count: Int) throws -> GraphPicture {
    var graph = SampleBuilder(name: "P", pid: 1)
    let nodes = (0..<count).map { graph.add("map", line: $0 + 1) }
    for (index, source) in nodes.enumerated() {
      for (distance, target) in nodes[(index + 1)...].enumerated() {
        for _ in 0..<(distance == 0 ? 3 : 1) { graph.connect(source, target) }
      }
    }
    return try GraphPicture(of: graph.snapshot)
  }

  @Test(arguments: [1_000, 10_000]) func mixedGraphHasAtMost120Links(count: Int) throws {
    let picture = try GraphPicture(of: SampleGraphs.large(.mixed, count: count), options: DrawingOptions())
    #expect(picture.links.count <= 120)
    #expect(picture.notes.contains { $0.hasPrefix("the strongest 120 of ") })
  }

  @Test func strongestLinksAreDrawnAndRestIsCounted() throws {
    var picture = try knot(12)
    #expect(picture.links.count == 66)
    picture.boundLinks(to: 15)
    #expect(picture.links.count == 15)
    #expect(picture.links.filter { $0.copies == 3 }.count == 11)
    #expect(picture.notes == ["the strongest 15 of 66 links"])
    #expect(picture.counts(DrawingOptions()).hasSuffix("(the strongest 15 of 66 links)"))
    #expect(picture.largestComponent == 12)
  }

  @Test func weakLinkIsDrawnIfItAloneConnectsABox() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    let (a, b, c) = (graph.add("emitter", line: 1), graph.add("map", line: 2), graph.add("map", line: 3))
    for _ in 0..<5 { graph.connect(a, b) }
    for _ in 0..<4 { graph.connect(a, b, .trigger) }
    graph.connect(b, c, .feedback)
    var picture = try GraphPicture(of: graph.snapshot)
    picture.boundLinks(to: 2)
    #expect(picture.links.map(\.kind) == [.data, .feedback])
  }

  @Test func collapsingCountsHiddenLinks() throws {
    var picture = try knot(12)
    let edges = picture.edgeCount
    picture.boundLinks(to: 15)
    picture.collapseLeastBusy(to: 4)
    #expect(picture.notes == ["the least busy drawn as one"])
    // 9 of 12 boxes are one, with 52 of 88 connections inside.
    #expect(picture.edgeCount == edges && picture.links.reduce(0) { $0 + $1.copies } == 36)
    picture.boundLinks(to: 100)
    #expect(picture.hiddenLinks.isEmpty)
  }

  @Test func onlyFewLinksHaveNumbers() throws {
    var picture = try knot(12)
    picture.boundLinks(to: 61)
    #expect(!picture.dot().contains("label=\"× 3\"") && picture.dot().contains("penwidth=\"1.6\""))
    picture.boundLinks(to: 60)
    #expect(picture.dot().contains("label=\"× 3\"") && !picture.dot().contains("penwidth=\"1.6\""))
  }
}
