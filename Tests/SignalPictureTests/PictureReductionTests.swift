import SampleGraphs
import SignalGraph
import Testing

@testable import SignalPicture

@Suite("Pictures that a person can read") struct PictureReductionTests {
  @Test("at most 80 boxes, neither a strip nor a column", arguments: SampleGraphs.Shape.allCases, [100, 1_000, 10_000])
  func sizes(shape: SampleGraphs.Shape, count: Int) throws {
    let picture = try GraphPicture(of: SampleGraphs.large(shape, count: count), options: DrawingOptions())
    #expect(picture.boxes.count <= 80)
    #expect(picture.boxes.reduce(0) { $0 + $1.nodeCount } == count)
    // Mixed graphs get their shape when they are laid out: see `LegibleLayoutTests`.
    #expect(shape == .mixed || PictureShape.best(of: picture).isLegible, "\(picture.boxes.count) boxes")
  }

  @Test func aFewBoxesStayAsTheyAre() throws {
    let picture = try GraphPicture(of: SampleGraphs.searchBox, options: DrawingOptions())
    #expect(picture.boxes.allSatisfy { $0.parts.count == 1 })
    #expect(
      try GraphPicture(of: SampleGraphs.large(.one, count: 500), options: DrawingOptions(boxLimit: nil)).boxes.count
        == 500)
  }

  private func fan(_ count: Int) -> GraphSnapshot {
    var graph = SampleBuilder(name: "P", pid: 1)
    let source = graph.add("emitter", line: 1)
    for number in 0..<count {
      let map = graph.add("map", "price tag \(number)", line: 2)
      graph.chain([source, map, graph.add("subscribe", line: 3)])
    }
    return graph.snapshot
  }

  @Test func chainsThatOnlyHaveOtherNamesAreBundledBeforeMoreIsLost() throws {
    let few = try GraphPicture(of: fan(10), options: DrawingOptions())
    #expect(few.boxes.map(\.copies).max() == 1)
    let many = try GraphPicture(of: fan(100), options: DrawingOptions())
    #expect(many.boxes.map(\.copies) == [1, 100])
    #expect(many.boxes[1].parts[0].details.last?.hasPrefix("“price tag 0”, “price tag 1”") == true)
    #expect(many.boxes[1].parts[0].details.last?.hasSuffix("and 92 more") == true)
    #expect(many.notes.contains("chains bundled that differ in names"))
  }

  @Test func functionsAreDrawnBeforeFiles() throws {
    let picture = try GraphPicture(of: SampleGraphs.large(.one, count: 1_000), options: DrawingOptions())
    #expect(picture.boxes.count == 31 && picture.notes.last == "drawn by function")
    #expect(picture.boxes[0].heading == "show0() in Feature0.swift: 33 nodes")
  }

  @Test func ofOneModuleTheBusiestFilesAreDrawn() throws {
    // 190 files of one module.
    let picture = try GraphPicture(of: SampleGraphs.large(.one, count: 50_000), options: DrawingOptions())
    #expect(picture.boxes.count == 40 && picture.notes.last == "the least busy drawn as one")
    #expect(picture.boxes.filter { $0.heading?.contains("more boxes") == true }.count == 1)
  }

  @Test func aLongRunIsDrawnInPieces() throws {
    let picture = try GraphPicture(of: SampleGraphs.large(.deep, count: 5_000), options: DrawingOptions())
    #expect((20...40).contains(picture.boxes.count))
    #expect(picture.boxes.allSatisfy { $0.heading == nil && $0.parts.count == $0.nodeCount })
    #expect(picture.boxes.filter { $0.parts[0].kind == "emitter" }.count == 5)
    #expect(picture.links.count == picture.boxes.count - 5)
    #expect(picture.notes == ["linear runs folded", "long runs folded"])
  }

  @Test func aLongRunIsDrawnInNoFewerPiecesThanNeeded() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    let nodes = (1...10).map { graph.add("map", line: $0) }
    graph.chain(nodes)
    var picture = try GraphPicture(of: graph.snapshot, options: DrawingOptions(boxLimit: nil))
    picture.foldLongRuns(to: 5)
    #expect(picture.boxes.map(\.nodeCount) == [2, 2, 2, 2, 2])
  }

  /// Views of two types with rows of their own, all of other places, and a model that both use.
  private func screens(_ count: Int) -> GraphSnapshot {
    var graph = SampleBuilder(name: "P", pid: 1)
    let model = graph.add("emitter", "model", line: 1)
    for number in 0..<count {
      let own = graph.add("interval", line: 3 * number + 2)
      let join = graph.add("combineLatest", line: 3 * number + 3)
      let owner = number.isMultiple(of: 2) ? "CartView" : "ListView"
      graph.connect(model, join)
      graph.connect(own, join)
      graph.connect(join, graph.add("subscribe", line: 3 * number + 4, owner: owner))
    }
    return graph.snapshot
  }

  @Test func whatServesOneOwnerIsDrawnAsThat() throws {
    let picture = try GraphPicture(of: screens(40), options: DrawingOptions())
    #expect(
      picture.boxes.map { $0.heading ?? $0.parts[0].kind } == ["emitter", "CartView: 60 nodes", "ListView: 60 nodes"])
    #expect(picture.links.map(\.copies) == [20, 20])
    #expect(picture.notes.last == "drawn by owner")
  }

  @Test func ownersAreNotDrawnWhereThatIsNotEnough() throws {
    var graph = screens(40)
    // Each subscription has an owner of a type of its own.
    for index in graph.nodes.indices where graph.nodes[index].owner != nil { graph.nodes[index].owner = "View\(index)" }
    graph.nodes += (1...100).map { Node(id: 1_000 + UInt64($0), definition: 1, name: "n\($0)") }
    let picture = try GraphPicture(of: graph, options: DrawingOptions(boxLimit: 30))
    #expect(!picture.notes.contains("drawn by owner") && picture.boxes.count <= 30)
  }

  @Test func whatIsMarkedIsDrawnByItself() throws {
    var options = DrawingOptions()
    options.marks = [
      PictureMark(nodes: [7], words: "it grows", place: "Feed.swift:2", remedy: "end it", isError: false)
    ]
    let graph = SampleGraphs.large(.one, count: 10_000)
    let picture = try GraphPicture(of: graph, options: options)
    let marked = try #require(picture.boxes.first { !$0.marks.isEmpty })
    #expect(marked.heading == nil && marked.nodeCount < 40)
  }

  @Test(arguments: [1_000, 10_000]) func faultsKeepBoxesOfTheirOwn(count: Int) throws {
    let picture = try GraphPicture(of: SampleGraphs.large(.mixed, count: count), options: DrawingOptions())
    let apart = picture.boxes.filter { $0.heading == nil }
    #expect(apart.contains { $0.findings.contains(.leaked) })
    #expect(apart.contains { $0.state == .failed })
    #expect(apart.contains { $0.waiting > 0 })
    #expect(!picture.boxes.contains { $0.heading != nil && $0.findings.contains(.leaked) })
  }

  @Test func bindingsToAPropertyHaveNoOwner() throws {
    var graph = screens(40)
    for index in graph.nodes.indices where graph.nodes[index].owner == "ListView" {
      graph.nodes[index].owner = "Property<Int>"
    }
    var picture = try GraphPicture(of: graph)
    picture.collapseByOwner()
    #expect(picture.boxes.compactMap(\.heading) == ["CartView: 60 nodes"])
  }

  @Test func aLongChainStandsInColumns() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    // Hops do not fold.
    let nodes = (1...40).map { graph.add("receive(on:)", line: $0) }
    for (source, target) in zip(nodes, nodes.dropFirst()) { graph.connect(source, target, .hop) }
    let dot = try graph.snapshot.dot()
    let wrapped = dot.ranges(of: "constraint=\"false\"").count
    #expect((2...8).contains(wrapped), "\(wrapped)")
    #expect(try !SampleGraphs.searchBox.dot().contains("constraint"))
  }

  @Test func namesOfAFoldedRunAreShownFirst() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.chain((1...20).map { graph.add("map", $0 == 12 ? "price" : nil, line: $0) })
    var picture = try GraphPicture(of: graph.snapshot)
    picture.foldLinearRuns()
    let label = HTMLLabel.label(of: picture.boxes[0])
    #expect(label.contains("“price”") && label.contains("Feed.swift:20") && label.contains("Feed.swift:1 "))
    #expect(label.contains("… 8 more …") && label.contains("… 7 more …"))
  }
}
