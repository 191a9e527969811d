import SignalGraph

/// Operators that replace a failure nearly every time, so that the program never sees the values or the failure.
///
/// At least 10 subscriptions must have failed above one `catch` or `replaceError`, and those must be nine in ten of all that ended there.
/// Failures are counted for each location, so they are reported however long ago they occurred. Tests are not checked: they inject failures.
struct SwallowedFailureRule: Rule {
  static let name = "swallowed-failure"
  static let summary = "a `catch` that replaces a failure nearly every time"

  /// The minimum number of replaced failures.
  var least: UInt64 = 10
  /// The minimum fraction of all subscriptions that ended.
  var part = 0.9

  func findings(in observation: Observation) -> [Finding] {
    guard observation.time == .real else { return [] }
    let graph = observation.now
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard let caught = definition.ends?.caught, caught >= least else { return nil }
      let ended = graph.nodesByDefinition[definition.id, default: []].filter { $0.state != .live }
      let all = max(caught, UInt64(ended.count) + (definition.gone?.nodes ?? 0))
      guard Double(caught) >= part * Double(all) else { return nil }
      // A timeout is judged by a rule of its own.
      guard
        definition.ends?.lastCaught.map({ !$0.hasPrefix("TimeoutError") && !$0.hasPrefix("no value came for") }) ?? true
      else { return nil }
      let thrower = ended.reversed().lazy.compactMap { self.thrower(above: $0, in: graph) }.first
      let failure = definition.ends?.lastCaught.map { ", the last one with \($0.prefix(200))" } ?? ""
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: "\(caught) of \(all) subscriptions above this `\(definition.kind)` failed\(failure)",
        remedy: "fix what fails, or report the failure before replacing it",
        related: thrower.flatMap { node in
          graph.definition(of: node).map { [.init("\(graph.title(of: node)) failed", at: Place($0))] }
        } ?? [],
        nodes: ended.map(\.id))
    }.sorted { $0.place < $1.place }
  }

  /// Sources that cannot fail, by their kind: they end as failed when a closure below them throws.
  private static let unfailing: Set = ["empty", "interval", "just", "never", "sequence", "timer"]

  /// The node in which the failure occurred that a node replaced: the uppermost failed one above it. An operator that cannot fail by
  /// itself has failed because a closure below it threw.
  private func thrower(above node: Node, in graph: GraphView) -> Node? {
    var (current, seen) = (node, Set([node.id]))
    var thrower: Node?
    while let next = (graph.inputs[current.id] ?? []).lazy.compactMap({ graph.nodes[$0.source] })
      .first(where: { $0.state == .failed }), seen.insert(next.id).inserted
    {
      current = next
      let kind = graph.definition(of: next)?.kind ?? ""
      if !NoEffectRule.plain.contains(kind), !Self.unfailing.contains(kind), !kind.hasPrefix("receive(on:"),
        kind != "subscribed(on:)"
      {
        thrower = next
      }
    }
    return thrower
  }
}
