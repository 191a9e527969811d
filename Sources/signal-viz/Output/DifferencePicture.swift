import Foundation
import SignalGraph
import SignalPicture
import SignalRendering

/// Two graphs of a process as one drawing: what is new, what has ended, and where more nodes are live than before.
struct DifferencePicture {
  /// The maximum number of locations with a number.
  private static let markLimit = 12

  /// The later graph, together with what only the earlier one has.
  private(set) var graph: GraphSnapshot
  var options = DrawingOptions(showsEnded: false)

  init(from before: GraphSnapshot, to now: GraphSnapshot, _ difference: GraphDifference) {
    graph = now
    let earlier = Set(before.nodes.map(\.id))
    let later = Dictionary(now.nodes.map { ($0.id, $0.state) }) { first, _ in first }
    for node in now.nodes where node.state == .live && !earlier.contains(node.id) { options.changes[node.id] = .new }
    for node in before.nodes where node.state == .live && later[node.id] != .live { options.changes[node.id] = .gone }
    let missing = before.nodes.filter { $0.state == .live && later[$0.id] == nil }
    graph.nodes += missing
    let (shown, added) = (Set(graph.nodes.map(\.id)), Set(missing.map(\.id)))
    // Sends by handlers are known only while they are profiled: missing from the later graph, they have not ended.
    let sent = Set(now.edges.lazy.filter { $0.kind == .feedback }.map { [$0.source, $0.target] })
    graph.edges += before.edges.filter { edge in
      guard shown.contains(edge.source), shown.contains(edge.target) else { return false }
      return added.contains(edge.source) || added.contains(edge.target)
        || edge.kind == .feedback && !sent.contains([edge.source, edge.target])
    }
    let known = Set(now.definitions.map(\.id))
    graph.definitions += before.definitions.filter { !known.contains($0.id) }
    options.marks = marks(of: difference)
  }

  /// The locations at which more nodes are live than before, the largest growth first.
  private func marks(of difference: GraphDifference) -> [PictureMark] {
    let places = PlaceWords(of: graph.definitions.lazy.map(\.fileID))
    let ids = Dictionary(grouping: graph.definitions) { "\($0.fileID):\($0.line) \($0.kind)" }
    let nodes = Dictionary(grouping: graph.nodes.filter { $0.state == .live }, by: \.definition)
    // A location that is new is green anyway.
    let grown = difference.definitions.filter { $0.liveNow > $0.liveBefore && $0.liveBefore > 0 }
    return grown.prefix(Self.markLimit).map { row in
      let definitions = ids["\(row.fileID):\(row.line) \(row.kind)"] ?? []
      let members = definitions.flatMap { nodes[$0.id] ?? [] }.filter { options.changes[$0.id] != .gone }
      return PictureMark(
        nodes: Set(members.map(\.id)),
        words: "\(row.liveNow.grouped) live here, \((row.liveNow - row.liveBefore).grouped) more than before",
        place: "\(row.kind), \(places(row.fileID, row.line))", remedy: "", isError: false)
    }
  }

  func write(to place: OutputPlace, as kind: OutputKind) throws {
    switch kind {
    case .json: throw Failure("JSON is what --json prints; -o draws a picture.")
    case .dot: try place.write(Data(graph.dot(options: options).utf8))
    case .mermaid: try place.write(Data(graph.mermaid(options: options).utf8))
    case .picture(let format):
      let picture = PictureFile(graph: graph, format: format, options: options)
      let note = try ProgressLine.during("Laying out \(graph.nodes.count.grouped) nodes", limit: 60) {
        try picture.write(named: place.name, place.write)
      }
      if let note { Terminal.note(note) }
    }
  }
}
