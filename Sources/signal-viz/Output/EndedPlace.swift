import SignalFindings
import SignalGraph

/// A place whose subscriptions have all ended, and are not kept any more: what is known of how they ended.
struct EndedPlace: Encodable {
  var kind: String
  var place: Place
  var ends: EndCounts

  /// Those that a text points at, such as `Feed.swift:42` or `subscribe`.
  static func all(at text: String, in graph: GraphView) -> [EndedPlace] {
    graph.snapshot.definitions.compactMap { definition in
      guard let ends = definition.ends, ends.total > 0, graph.nodesByDefinition[definition.id] == nil else {
        return nil
      }
      // What a node there would be found by.
      var sample = GraphSnapshot(process: graph.snapshot.process, takenAt: 0, definitions: [definition])
      sample.nodes = [Node(id: 1, definition: definition.id)]
      guard !sample.nodes(matching: GraphFocus.Target(text)).isEmpty, text != "1" else { return nil }
      return EndedPlace(kind: definition.kind, place: Place(definition), ends: ends)
    }
  }

  /// Such as "what was subscribed here has ended, none is left: 1 finished, 2 disposed; of these 1 was let go of as soon as it was made".
  var words: String {
    func list(_ counts: [(UInt64, String)]) -> String {
      counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
    let all = list([(ends.finished, "finished"), (ends.failed, "failed"), (ends.disposed, "disposed")])
    // Each of these is among those.
    let some = list([
      (ends.unused, "let go of as soon as made"), (ends.late, "made after the source had ended"),
      (ends.unhandled, "with a failure that nobody handles"),
    ])
    return "what was subscribed here has ended, none is left: \(all)" + (some.isEmpty ? "" : "; of these \(some)")
  }
}
