import SignalFindings
import SignalGraph
import SignalPicture

/// Answers what the page asks about single nodes.
struct GraphLookup {
  let graph: GraphSnapshot
  let before: GraphSnapshot?
  let picture: LivePicture?

  private static let mostHits = 60
  private static let mostOthers = 100

  /// The nodes in whose name, kind, place, owner or number the words occur; capitals do not count. Those with a name come first.
  func hits(for words: String) -> PageMessage.Hits {
    let wanted = words.lowercased().split(separator: " ").map(String.init).prefix(8)
    let definitions = Dictionary(graph.definitions.map { ($0.id, $0) }) { first, _ in first }
    let texts = definitions.mapValues { "\($0.kind) \($0.fileID):\($0.line) \($0.function)".lowercased() }
    let schedulers = SchedulerWords(of: graph.nodes.lazy.compactMap(\.scheduler))
    var found: [Node] = []
    for node in graph.nodes where !wanted.isEmpty {
      let scheduler = node.scheduler.map { "\($0) \(schedulers[$0])" } ?? ""
      let own = "#\(node.id) \(node.name ?? "") \(node.owner ?? "") \(scheduler)".lowercased()
      let place = texts[node.definition] ?? ""
      if wanted.allSatisfy({ own.contains($0) || place.contains($0) }) { found.append(node) }
    }
    let first = found.sorted { one, other in
      let (hasName, others) = (one.name != nil, other.name != nil)
      return hasName == others ? one.id < other.id : hasName
    }.prefix(Self.mostHits)
    return PageMessage.Hits(total: found.count, hits: first.map { hit($0, definitions[$0.definition]) })
  }

  /// All that is known of a node.
  func details(of id: UInt64) -> PageMessage.Details? {
    guard let node = graph.nodes.first(where: { $0.id == id }) else { return nil }
    let observation = Observation(graph, since: before)
    let view = observation.now
    let definition = view.definition(of: node)
    let explanation = Explanation(of: node, in: observation)
    let others = box(of: id).map { picture?.members[$0] ?? [] } ?? []
    return PageMessage.Details(
      id: "\(id)", box: key(of: id), kind: definition?.kind.displayable(limit: 100) ?? "",
      name: node.name?.displayable(limit: 200), place: definition.map { PageMessage.Place(Place($0)) },
      state: node.state.rawValue, failure: node.failure?.displayable(limit: 500),
      owner: node.owner?.displayable(limit: 200), since: node.since, count: Double(node.valueCount), rate: node.rate,
      waiting: node.waiting.map(Double.init), dropped: node.dropped.map(Double.init),
      scheduler: node.scheduler.map { view.schedulers[$0].displayable(limit: 100) }, interval: node.interval,
      lastValue: node.lastValue?.displayable(limit: 200), lastEventAt: node.lastEventAt,
      handler: node.handler.map {
        "\($0.calls) calls, \(Seconds($0.seconds).words) in all, the longest \(Seconds($0.longest).words)"
      },
      waits: node.waits.map {
        "\($0.values) values, \(Seconds($0.seconds / Double(max(1, $0.values))).words) each, the longest \(Seconds($0.longest).words)"
      },
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
        view.nodes[other].map { hit($0, view.definition(of: $0)) }
      },
      otherCount: others.count, takenAt: graph.takenAt)
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

  /// A title without the marks of code.
  private static func plain(_ title: String) -> String {
    String(title.drop { $0 == "`" }.prefix { $0 != "`" }).displayable(limit: 100)
  }
}
