import SampleGraphs
import SignalGraph
import SignalPicture
import Testing

@Suite("How many nodes there are, in words") struct NodeCountsTests {
  /// Chains of which some have ended, and one has failed.
  private func graph(live: Int, ended: Int, failed: Int = 0) -> GraphSnapshot {
    var graph = GraphSnapshot(process: ProcessIdentity(name: "App", pid: 9, startedAt: 0), takenAt: 0)
    let states =
      Array(repeating: Node.State.live, count: live) + Array(repeating: .finished, count: ended)
      + Array(repeating: .failed, count: failed)
    for (index, state) in states.enumerated() {
      graph.definitions.append(
        Definition(id: index + 1, kind: "k\(index)", fileID: "A/F\(index).swift", line: 1, function: "f()"))
      graph.nodes.append(Node(id: UInt64(index + 1), definition: index + 1, state: state))
    }
    return graph
  }

  @Test(arguments: [
    (1, 0, 0, true, "pid 9 · 1 node<"), (3, 0, 0, true, "pid 9 · 3 nodes<"),
    (3, 2, 0, true, "pid 9 · 3 live nodes, 2 ended<"),
    (3, 2, 0, false, "pid 9 · 3 live nodes, 2 ended (ended not drawn)"),
    (3, 2, 1, false, "pid 9 · 3 live nodes, 3 ended (2 ended not drawn)"),
    (0, 2, 0, false, "pid 9 · 0 live nodes, 2 ended (ended not drawn)"),
  ]) func inTheHeading(live: Int, ended: Int, failed: Int, showsEnded: Bool, words: String) throws {
    let dot = try graph(live: live, ended: ended, failed: failed).dot(options: DrawingOptions(showsEnded: showsEnded))
    #expect(dot.contains(words), "\(dot.prefix(900))")
  }

  @Test func boxesAreThoseOfWhatIsDrawn() throws {
    var graph = graph(live: 4, ended: 2)
    for index in graph.nodes.indices { graph.nodes[index].definition = 1 }
    let options = DrawingOptions(showsEnded: false)
    #expect(try graph.dot(options: options).contains("· 4 live nodes in 1 box, 2 ended ("))
  }

  @Test func ofSeveralPrograms() throws {
    var other = graph(live: 2, ended: 1)
    other.process.pid = 10
    let pictures = try ProgramPictures(
      of: [graph(live: 3, ended: 2), other], options: DrawingOptions(showsEnded: false))
    let dot = pictures.picture.dot()
    #expect(dot.contains("5 live nodes, 3 ended"), "\(dot.prefix(900))")
    #expect(dot.contains("pid 9 · 3 live nodes, 2 ended") && dot.contains("pid 10 · 2 live nodes, 1 ended"))
  }

  @Test func aStopEndsASentenceOnce() {
    #expect("it ended".asSentence == "it ended.")
    #expect("is it hung?".asSentence == "is it hung?" && "It is.".asSentence == "It is." && "".asSentence == ".")
  }
}
