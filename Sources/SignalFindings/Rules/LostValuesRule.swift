import SignalGraph

/// Values that never arrive, because the subscription is disposed while they wait for a scheduler, at `receive(on:)`.
///
/// This is normal when a screen closes while values arrive. So a hop is reported only if a subscription lost all its
/// values; or if at least three were disposed, each of them lost values, and their sources ended too, so that these
/// values were the last ones. In a test, subscriptions that are released with the test's variables do not count as
/// disposed.
struct LostValuesRule: Rule {
  static let name = "lost-values"
  static let summary = "values that wait for a scheduler when their subscription is disposed"

  /// The minimum number of subscriptions that lost values, if others were delivered.
  var least: UInt64 = 3

  /// Whether values wait for nothing but a scheduler. At other operators, they may no longer be needed.
  static func isHop(_ definition: Definition) -> Bool { definition.behavior?.contains(.hops) == true }

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard Self.isHop(definition), let ends = definition.ends, ends.lost > 0,
        ends.losingAll > 0
          || (ends.losing >= least && ends.losing == ends.disposed && haveSourcesEnded(of: definition, in: graph))
      else { return nil }
      let values = ends.lost == 1 ? "1 value" : "\(ends.lost) values"
      let many = ends.losing == 1 ? "its subscription was" : "their \(ends.losing) subscriptions were"
      // How much a real scheduler has delivered when the test disposes varies.
      let isChance =
        observation.time != .real
        && graph.nodesByDefinition[definition.id, default: []].contains { $0.scheduler?.hasPrefix("virtual") != true }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: "\(values) that waited at this `\(definition.kind)` never arrived, because \(many) disposed first",
        remedy:
          "finish the source and let the subscription end by itself, or dispose it in a handler below this operator, after the last value"
          + (isChance ? "; in a test, pass it a virtual scheduler, so that every run is the same" : ""),
        nodes: graph.nodesByDefinition[definition.id, default: []].map(\.id))
    }.sorted { $0.place < $1.place }
  }
  /// Whether the source of each disposed subscription has ended too, including those that the snapshot no longer contains.
  private func haveSourcesEnded(of hop: Definition, in graph: GraphView) -> Bool {
    let ended = graph.nodesByDefinition[hop.id, default: []].filter { $0.state != .live }
    return ended.allSatisfy { graph.origin(of: $0).state != .live }
      && hop.gone.map { $0.withLiveSource == 0 } ?? !ended.isEmpty
  }
}
