import Foundation
import SignalAttach
import SignalGraph
import Testing

@testable import SignalInspector

@Suite("a copy of the graph in a file") struct GraphKeeperTests {
  private func graph(_ path: String) throws -> GraphSnapshot {
    try GraphSnapshot(json: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func isThereAtOnceAndGoesWithTheInspector() async throws {
    let directory = try TemporaryDirectory()
    let inspector = try SignalInspector.start(
      in: directory.sockets, serving: .fixed(3), limits: InspectorLimits(), clock: InspectorClock())
    let path = try GraphKeeper.begin(at: nil, of: inspector.socketPath, graph: .fixed(3))
    #expect(path == inspector.socketPath.dropLast(".sock".count) + ".graph")
    #expect(try graph(path) == GraphProvider.fixed(3).snapshot())
    // A second one is the same.
    #expect(try GraphKeeper.begin(at: nil, of: inspector.socketPath, graph: .fixed(9)) == path)
    #expect(try graph(path).nodes.count == 3)
    let kept = try directory.sockets.keptGraphs()
    #expect(kept.map(\.path) == [path])
    #expect(try kept[0].isLeft() == false)
    await inspector.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test func staysAtAPathOfItsOwn() async throws {
    let directory = try TemporaryDirectory()
    let inspector = try SignalInspector.start(
      in: directory.sockets, serving: .fixed(3), limits: InspectorLimits(), clock: InspectorClock())
    let path = try GraphKeeper.begin(at: "\(directory.path)/own", of: inspector.socketPath, graph: .fixed(3))
    await inspector.stop()
    #expect(try graph(path).nodes.count == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["own"])
  }

  @Test func goesOnUntilTheLastInspectorThatWantsItEnds() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/own"
    func begin(_ socket: String, _ count: Int) throws -> GraphSnapshot {
      try GraphKeeper.begin(at: path, of: "\(directory.path)/\(socket)", graph: .fixed(count))
      return try graph(path)
    }
    #expect(try begin("first", 3).nodes.count == 3)
    #expect(try begin("second", 3).nodes.count == 3)
    GraphKeeper.end(of: "\(directory.path)/first")
    // The first one still writes.
    #expect(try begin("third", 9).nodes.count == 3)
    for socket in ["second", "third"] { GraphKeeper.end(of: "\(directory.path)/\(socket)") }
    #expect(try begin("fourth", 9).nodes.count == 9)
    GraphKeeper.end(of: "\(directory.path)/fourth")
  }

  @Test func whereNothingCanBeWrittenIsSaid() throws {
    let directory = try TemporaryDirectory()
    let error = #expect(throws: InspectorError.self) {
      try GraphKeeper.begin(at: "\(directory.path)/missing/own", of: "\(directory.path)/x", graph: .fixed(3))
    }
    #expect("\(try #require(error))".contains("choose another path"))
    // A folder stands there: nothing is left beside it.
    try FileManager.default.createDirectory(atPath: "\(directory.path)/folder", withIntermediateDirectories: false)
    #expect(throws: InspectorError.self) {
      try GraphFile.write(GraphProvider.fixed(3).snapshot(), to: "\(directory.path)/folder")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["folder"])
  }

  @Test func aLinkIsNotFollowed() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/own"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: "\(directory.path)/precious"))
    for link in [path, GraphFile.temporaryPath(of: path, by: getpid())] {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(directory.path)/precious")
    }
    try GraphFile.write(GraphProvider.fixed(3).snapshot(), to: path)
    #expect(try String(contentsOfFile: "\(directory.path)/precious", encoding: .utf8) == "precious")
    #expect(try graph(path).nodes.count == 3)
  }

  @Test func theLastEightOfThoseThatAreGoneStay() async throws {
    let directory = try TemporaryDirectory()
    // No process has such a number.
    for number in 1...12 {
      try Data("x".utf8).write(to: URL(fileURLWithPath: "\(directory.path)/2147483600-\(number).graph"))
    }
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(directory.path)/2147483600-12.graph.2147483600.tmp"))
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(directory.path)/other.graph"))
    let inspector = try SignalInspector.start(
      in: directory.sockets, serving: .fixed(3), limits: InspectorLimits(), clock: InspectorClock())
    try GraphKeeper.begin(at: nil, of: inspector.socketPath, graph: .fixed(3))
    await inspector.stop()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names == ((5...12).map { "2147483600-\($0).graph" } + ["other.graph"]).sorted())
  }

  /// What the environment asks for in vain does not keep the program from running.
  @Test(arguments: ["relative.json", "/missing/folder/graph.json"]) func theEnvironmentMayBeWrong(value: String)
    async throws
  {
    let directory = try TemporaryDirectory()
    let inspector = try SignalInspector.start(
      in: directory.sockets, serving: .fixed(3), limits: InspectorLimits(), clock: InspectorClock())
    inspector.keepGraph(ifRequestedBy: ["SIGNALS_KEEP_GRAPH": value])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
    await inspector.stop()
  }
}
