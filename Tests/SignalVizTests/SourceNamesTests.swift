import Foundation
import SampleGraphs
import SignalGraph
import Testing

@testable import signal_viz

@Suite("Names of sources, from their code") struct SourceNamesTests {
  @Test(arguments: [
    ("  private let keystrokes = Emitter<String>()", "Emitter", "keystrokes"),
    ("  let all = Emitter<[String: Int]>(replay: 3)", "Emitter", "all"),
    ("  let price: Emitter<Double> = .init()", "Emitter", "price"),
    ("  let price: Emitter<Double> = Emitter()", "Emitter", "price"),
    ("    self.price = Signals.Emitter(replay: 1) // the last one", "Emitter", "price"),
    ("    price = Emitter()", "Emitter", "price"),
    ("  static let shared = Property(0)", "Property", "shared"),
    ("  lazy var settings = Property.init(Settings())", "Property", "settings"),
    ("  let größe = Property<Int>(0)", "Property", "größe"),
    ("func make() { let inner = Emitter<Int>(); use(inner) }", "Emitter", "inner"),
  ])
  func anAssignedSourceHasTheNameOfItsVariable(line: String, type: String, name: String) {
    #expect(AssignedVariable.name(of: type, in: line) == name)
  }

  @Test(arguments: [
    "    use(Emitter<Int>())", "    named: Emitter<Int>(),", "  let a = Emitter<Int>(), b = Emitter<Int>()",
    "  // let old = Emitter<Int>()", "  let map = MyEmitter<Int>()", "  rows[3] = Emitter()", "  row.price = Emitter()",
    "  let list = [Emitter<Int>()]", "  let pair = (Emitter<Int>(), 1)", "  return Emitter<Int>()", "",
    "  let name = .init()",
    "  let price = Property(0)", "  if a == Emitter() {", "  let x = flag ? Emitter<Int>() : other",
  ])
  func elsewhereNobodyGuesses(line: String) {
    #expect(AssignedVariable.name(of: "Emitter", in: line) == nil)
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("Sources/App/Views"), withIntermediateDirectories: true)
    try Data("// swift-tools-version: 6.2".utf8).write(to: folder.file("Package.swift"))
    let code = """
      import Signals
      final class Feed {
        let prices = Emitter<Double>()
        let total =
          Property(0.0)
        init() {}
      }
      """
    try Data(code.utf8).write(to: folder.file("Sources/App/Views/Feed.swift"))
  }

  /// Two sources of the file above, and what is at lines that make none.
  private var graph: GraphSnapshot {
    var graph = SampleBuilder(name: "App", pid: 1)
    let prices = graph.add("emitter", line: 3)
    let total = graph.add("property", line: 5)
    graph.add("emitter", line: 5)
    graph.add("property", line: 6)
    graph.add("emitter", line: 700)
    graph.add("emitter", "bids", line: 3)
    graph.chain([prices, graph.add("map", line: 3)])
    graph.chain([total, graph.add("subscribe", line: 5)])
    graph.add("emitter", file: "Other/Feed.swift", line: 3)
    return graph.snapshot
  }

  @Test func unnamedSourcesOfAGraphAreNamed() throws {
    let names = try #require(SourceNames(inPackageAround: folder.file("Sources/App").path))
    let named = names.naming(graph)
    #expect(named.nodes.map(\.name) == ["prices", "total", nil, nil, nil, "bids", nil, nil, nil])
    #expect(names.naming(named) == named)
  }

  @Test(arguments: [Int.min, -1, 0, 8, .max]) func lineOutsideTheFileNamesNothing(line: Int) throws {
    let names = try #require(SourceNames(inPackageAround: folder.url.path))
    let definition = Definition(
      id: 1, kind: "emitter", behavior: .sendsUnasked, fileID: "App/Feed.swift", line: line, function: "f()")
    #expect(names.name(of: definition) == nil)
  }

  @Test func outsideOfAPackageNothingIsLookedUp() throws {
    try FileManager.default.removeItem(at: folder.file("Package.swift"))
    #expect(SourceNames(inPackageAround: folder.file("Sources/App").path) == nil)
  }

  @Test func elsewhereASourceRootTellsWhereTheCodeIs() async throws {
    let other = try TemporaryFolder()
    try graph.json().write(to: other.file("graph.json"))
    let command = ["render", "graph.json", "--focus", "prices", "-o", "-", "--format", "dot"]
    #expect(try await Tool.run(command, in: other.url).status != 0)
    let picture = try await Tool.run(command + ["--source-root", folder.url.path], in: other.url)
    #expect(picture.status == 0 && picture.output.contains("“prices”"), "\(picture)")
  }

  @Test func theCommandsOfAPackageShowThem() async throws {
    try graph.json().write(to: folder.file("graph.json"))
    let picture = try await Tool.run(["render", "graph.json", "-o", "-", "--format", "dot"], in: folder.url)
    #expect(picture.status == 0 && picture.output.contains("“prices”") && picture.output.contains("“total”"))
    let part = try await Tool.run(
      ["render", "graph.json", "--focus", "prices", "-o", "-", "--format", "dot"], in: folder.url)
    #expect(part.status == 0 && part.output.contains("“prices”") && !part.output.contains("“total”"), "\(part)")
    let why = try await Tool.run(["why", "total", "graph.json"], in: folder.url)
    #expect(why.output.contains("`total` did not fire"), "\(why)")
  }
}
