import SignalFindings
import SignalGraph
import SignalPicture

/// Answers the page's queries about single nodes.
struct GraphLookup {
  let graph: GraphSnapshot
  let before: GraphSnapshot?
  let picture: LivePicture?
  var findings: [Finding] = []

  /// The number of nodes from which on a graph is large.
  private static let largeGraph = 2_500
  private static let mostHits = 60
  private static let mostOthers = 100

  /// The nodes that match a search, named ones first.
  func hits(for words: String) -> PageMessage.Hits {
    let definitions = Dictionary(graph.definitions.map { ($0.id, $0) }) { first, _ in first }
    let found = NodeSearch(words, in: graph, findings: findings).nodes
    let first = found.sorted { one, other in
      let (hasName, others) = (one.name != nil, other.name != nil)
      return hasName == others ? one.id < other.id : hasName
    }.prefix(Self.mostHits)
    return PageMessage.Hits(total: found.count, hits: first.map { hit($0, definitions[$0.definition]) })
  }

  /// The details of a node.
  ///
  /// - Parameter links: The editor links of source locations.
  func details(of id: UInt64, links: EditorLinks? = nil) -> PageMessage.Details? {
    guard let node = graph.nodes.first(where: { $0.id == id }) else { return nil }
    let observation = observation(of: node)
    let definitions = Dictionary(graph.definitions.map { ($0.id, $0) }) { first, _ in first }
    let definition = definitions[node.definition]
    let explanation = Explanation(of: node, in: observation)
    let schedulers = SchedulerWords(of: graph.nodes.lazy.compactMap(\.scheduler))
    let others = box(of: id).map { picture?.members[$0] ?? [] } ?? []
    let shown = Set(others.prefix(Self.mostOthers))
    let byID = Dictionary(graph.nodes.lazy.filter { shown.contains($0.id) }.map { ($0.id, $0) }) { first, _ in first }
    return PageMessage.Details(
      id: "\(id)", box: key(of: id), kind: definition?.kind.displayable(limit: 100) ?? "",
      name: node.name?.displayable(limit: 200), place: definition.map { PageMessage.Place(Place($0)) },
      link: definition.flatMap { links?.address(of: $0) },
      state: node.state.rawValue, failure: node.failure?.displayable(limit: 500),
      owner: node.owner?.displayable(limit: 200), since: node.since, count: Double(node.valueCount), rate: node.rate,
      waiting: node.waiting.map(Double.init), dropped: node.dropped.map(Double.init),
      scheduler: node.scheduler.map { schedulers[$0].displayable(limit: 100) }, interval: node.interval,
      lastValue: node.lastValue?.displayable(limit: 200),
      handler: node.handler.map(PageMessage.Handler.init), waits: node.waits.map(PageMessage.Waits.init),
      marbles: (node.causes ?? []).suffix(50).map {
        PageMessage.Marble(number: "\($0.number)", at: $0.at, thread: $0.thread.displayable(limit: 60))
      },
      hasFired: explanation.hasFired, reason: explanation.reason.displayable(limit: 1_000),
      wait: explanation.wait?.words.displayable(limit: 300),
      path: explanation.steps.prefix(100).map { step in
        PageMessage.Step(
          id: "\(step.node)", box: key(of: step.node), title: Self.plain(step.title),
          site: step.place?.shortWords.displayable(limit: 100), values: Double(step.values), total: Double(step.total),
          state: step.state.rawValue, notes: step.notes.map { $0.displayable(limit: 300) })
      },
      trail: (explanation.trails.first?.hops ?? []).map { hop in
        PageMessage.Hop(
          id: "\(hop.node)", box: key(of: hop.node), title: Self.plain(hop.title),
          thread: hop.thread.displayable(limit: 60), waited: Seconds(hop.waited).words,
          beginning: hop.beginning?.displayable(limit: 100))
      },
      others: others.prefix(Self.mostOthers).compactMap { other in
        byID[other].map { hit($0, definitions[$0.definition]) }
      },
      otherCount: others.count, takenAt: graph.takenAt)
  }

  /// The observation for a node. Of a large graph it contains only the possible origins of its values: preparing all of
  /// it takes long.
  private func observation(of node: Node) -> Observation {
    guard graph.nodes.count > Self.largeGraph else { return Observation(graph, since: before) }
    var inputs: [UInt64: [UInt64]] = [:]
    for edge in graph.edges { inputs[edge.target, default: []].append(edge.source) }
    let causes = Dictionary(graph.nodes.lazy.compactMap { node in node.causes.map { (node.id, $0) } }) { first, _ in
      first
    }
    var (found, waiting): (Set<UInt64>, [UInt64]) = ([node.id], [node.id])
    while let next = waiting.popLast() {
      // The nodes upstream, and those that caused the values that arrived.
      let senders = (causes[next] ?? []).flatMap { [$0.by, $0.start?.node, $0.start?.by] }.compactMap { $0 }
      for other in (inputs[next] ?? []) + senders where found.insert(other).inserted { waiting.append(other) }
    }
    return Observation(Self.part(of: graph, with: found), since: before.map { Self.part(of: $0, with: found) })
  }

  static func part(of graph: GraphSnapshot, with nodes: Set<UInt64>) -> GraphSnapshot {
    GraphSnapshot(
      process: graph.process, takenAt: graph.takenAt, definitions: graph.definitions,
      nodes: graph.nodes.filter { nodes.contains($0.id) },
      edges: graph.edges.filter { nodes.contains($0.source) && nodes.contains($0.target) })
  }

  private func hit(_ node: Node, _ definition: Definition?) -> PageMessage.Hit {
    PageMessage.Hit(
      id: "\(node.id)", box: key(of: node.id), kind: definition?.kind.displayable(limit: 60) ?? "",
      name: node.name?.displayable(limit: 100),
      site: definition.map { "\($0.baseName):\($0.line)".displayable(limit: 100) } ?? "",
      count: Double(node.valueCount), rate: node.rate)
  }

  private func box(of node: UInt64) -> Int? { picture?.places[node]?.box }

  private func key(of node: UInt64) -> String? { box(of: node).flatMap { picture?.keys[$0] } }

  /// A title without backquotes.
  private static func plain(_ title: String) -> String {
    String(title.drop { $0 == "`" }.prefix { $0 != "`" }).displayable(limit: 100)
  }
}
