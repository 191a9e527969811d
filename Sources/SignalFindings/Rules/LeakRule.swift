import SignalGraph

/// Subscriptions that stay alive although their owner has ended: the `GraphScope` around them, or the closure of
/// `withGraphOwner`. Those of an object end with it.
///
/// Each source location is reported once.
struct LeakRule: Rule {
  static let name = "leak"
  static let summary = "a subscription that lives on although its owner is gone"

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let leaked = graph.snapshot.nodes.filter { node in
      node.state == .live && node.findings.contains(.leaked)
        // The lowest node of a chain represents it.
        && (graph.outputs[node.id] ?? []).allSatisfy { graph.nodes[$0.target]?.findings.contains(.leaked) != true }
    }
    let byPlace = Dictionary(grouping: leaked, by: \.definition)
    return byPlace.compactMap { number, nodes -> Finding? in
      guard let definition = graph.definitions[number], let first = nodes.first else { return nil }
      let owner = first.owner.map { "`\($0)`" } ?? "its owner"
      let isReported = definition.isReported == true
      let word = isReported ? "`\(definition.kind)`" : "subscription"
      let source = graph.origin(of: first)
      return Finding(
        rule: Self.name, severity: .error, place: Place(definition),
        message: nodes.count == 1
          ? "this \(word) is alive although \(owner) is gone"
          : "\(nodes.count) \(isReported ? "of `\(definition.kind)`" : "subscriptions") made here are alive although \(owner) is gone",
        remedy: isReported
          ? "end it with its owner: leave its loop, cancel its task, or release it"
          : definition.isLoop == true
            ? "cancel the loop's task when its owner ends, or leave the loop"
            : "dispose it with its owner: keep it in a `DisposeBag` of the owner, or subscribe with `subscribe(with:)`",
        related: graph.definition(of: source).map {
          [.init("the values come from \(graph.title(of: source))", at: Place($0))]
        } ?? [],
        nodes: nodes.map(\.id))
    }.sorted { $0.place < $1.place }
  }
}
