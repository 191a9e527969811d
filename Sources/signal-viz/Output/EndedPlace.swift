import SignalFindings
import SignalGraph

/// A location whose nodes have all ended and been evicted, with what is known about them and about how subscriptions
/// ended there.
struct EndedPlace: Encodable {
  var kind: String
  var place: Place
  var ends: EndCounts
  /// What else is known, if the program counts it.
  var gone: GoneNodes?

  /// The ended locations that a text such as `Feed.swift:42`, `subscribe` or a name selects.
  static func all(at text: String, in graph: GraphView) -> [EndedPlace] {
    let target = GraphFocus.Target(text)
    let found = graph.snapshot.definitions.compactMap { definition -> (definition: Definition, place: EndedPlace)? in
      let ends = definition.ends ?? EndCounts()
      guard ends.total > 0 || definition.gone != nil, graph.nodesByDefinition[definition.id] == nil,
        isMeant(definition, by: target, in: graph)
      else { return nil }
      return (
        definition,
        EndedPlace(kind: definition.kind, place: Place(definition), ends: ends, gone: definition.gone)
      )
    }
    // On one line, subscriptions represent their chain.
    let lines = Set(found.filter { $0.definition.isSubscription }.map(\.place.place))
    return found.filter { $0.definition.isSubscription || !lines.contains($0.place.place) }.map(\.place)
  }

  /// Whether a node of this definition would be found.
  private static func isMeant(_ definition: Definition, by target: GraphFocus.Target, in graph: GraphView) -> Bool {
    if case .id = target { return false }
    var sample = GraphSnapshot(process: graph.snapshot.process, takenAt: 0, definitions: [definition])
    sample.nodes = ([nil] + (definition.gone?.names ?? [])).enumerated().map { index, name in
      Node(id: UInt64(index + 1), definition: definition.id, name: name)
    }
    return !sample.nodes(matching: target).isEmpty
  }

  /// Such as "no subscription here is alive: 1 finished, 2 disposed; of these 1 released as soon as made".
  var words: String {
    func list(_ counts: [(UInt64, String)]) -> String {
      counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
    let all = list([(ends.finished, "finished"), (ends.failed, "failed"), (ends.disposed, "disposed")])
    // Each of these is included in the counts above.
    let some = list([
      (ends.unused, "released as soon as made"), (ends.late, "made after the source had ended"),
      (ends.unhandled, "with an unhandled failure"),
    ])
    guard all.isEmpty, some.isEmpty, let gone else {
      return "no subscription here is alive: \(all)" + (some.isEmpty ? "" : "; of these \(some)")
    }
    let names = gone.names.map { "`\($0)`" }.joined(separator: ", ")
    return "no node here is alive: \(gone.nodes) ended, "
      + (gone.values == 1 ? "1 value passed" : "\(gone.values) values passed")
      + (names.isEmpty ? "" : ", named \(names)")
  }
}
