import SignalGraph

/// Operators that replace a failure nearly every time, so that the program never receives the values or the failure.
///
/// At least 10 subscriptions must have failed above one `catch` or `replaceError`, and those must be nine in ten of all
/// that ended there. Failures are counted for each location, so they are reported however long ago they occurred. Tests
/// are not checked: they inject failures.
///
/// One failure is enough if its replacement ended a subscription with at least 5 values that was not renewed, and the
/// source has sent 5 more values while the graph was watched. It is also enough if it ended a subscription with an
/// `onFailure:` after a value, under the same conditions for the end and the source.
struct SwallowedFailureRule: Rule {
  static let name = "swallowed-failure"
  static let summary = "a `catch` that replaces a failure nearly every time"

  /// The minimum number of replaced failures.
  var least: UInt64 = 10
  /// The minimum number of values of a subscription that a replacement ended.
  var leastValues: UInt64 = 5
  /// The minimum fraction of all subscriptions that ended.
  var part = 0.9

  func findings(in observation: Observation) -> [Finding] {
    guard observation.time == .real else { return [] }
    let found = nearlyAlways(in: observation)
    let known = Set(found.map(\.place))
    let ended = endedStreams(in: observation) + failedStreams(in: observation)
    return (found + ended.filter { !known.contains($0.place) }).sorted { $0.place < $1.place }
  }

  static let remedyForOneValue =
    "handle the failure of a single value: with `catch` in the inner signal of `flatMap`, or with `map` to a `Result`; or subscribe again, with `retry`"

  /// Subscriptions that the failure of a single value ended, and that have an `onFailure:`.
  private func failedStreams(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let failed = graph.snapshot.nodes.filter { node in
      guard node.state == .failed, node.valueCount > 0, let definition = graph.definition(of: node),
        definition.isSubscription, (definition.ends?.unhandled ?? 0) == 0,
        graph.nodesByDefinition[definition.id, default: []].allSatisfy({ $0.state != .live })
      else { return false }
      let source = graph.sourceOfFailure(above: node)
      return graph.hasFailedForOneValue(node) && observation.hasStayed(source)
        && observation.values(of: source) >= leastValues
    }
    return Dictionary(grouping: failed, by: \.definition).compactMap { number, nodes -> Finding? in
      guard let definition = graph.definitions[number], let node = nodes.last else { return nil }
      let source = graph.sourceOfFailure(above: node)
      let title = graph.title(of: source)
      let thrower = graph.thrower(above: node).flatMap { thrower in
        graph.definition(of: thrower).map { Finding.Related("\(graph.title(of: thrower)) failed", at: Place($0)) }
      }
      let failure = node.failure.map { ", \($0.prefix(200))," } ?? ""
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "a failure\(failure) ended this subscription after \(node.valueCount) value\(node.valueCount == 1 ? "" : "s"); \(title) keeps sending: "
          + "\(observation.values(of: source)) values since, without a subscriber here",
        remedy: Self.remedyForOneValue,
        related: [thrower, graph.definition(of: source).map { .init("\(title) keeps sending", at: Place($0)) }]
          .compactMap { $0 },
        nodes: nodes.map(\.id))
    }
  }

  private func endedStreams(in observation: Observation) -> [Finding] {
    let graph = observation.now
    return EndedStream(in: observation, least: leastValues).findings(
      Self.name, "replace the failure of a single value: in an inner signal of `flatMap`, or with `map` to a `Result`",
      endingAlone: false
    ) { node, definition in
      guard definition.behavior?.contains(.replacesFailure) == true else { return nil }
      let failure = graph.thrower(above: node)?.failure.map { ", \($0.prefix(200))," } ?? ""
      return "this `\(definition.kind)` replaced a failure\(failure) after \(node.valueCount) values"
    }
  }

  private func nearlyAlways(in observation: Observation) -> [Finding] {
    let graph = observation.now
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard let caught = definition.ends?.caught, caught >= least else { return nil }
      let nodes = graph.nodesByDefinition[definition.id, default: []]
      // A replacement that does work of its own, such as a request after a failed cache lookup, is a second attempt.
      // Nested ones have long chains, so only some are inspected.
      if nodes.lazy.filter({ $0.valueCount > 0 }).prefix(50).contains(where: { isReplacedByWork($0, in: graph) }) {
        return nil
      }
      let ended = nodes.filter { $0.state != .live }
      let all = max(caught, UInt64(ended.count) + (definition.gone?.nodes ?? 0))
      guard Double(caught) >= part * Double(all) else { return nil }
      // Another rule checks timeouts.
      guard
        definition.ends?.lastCaught.map({ !$0.hasPrefix("TimeoutError") && !$0.hasPrefix("no value came for") }) ?? true
      else { return nil }
      let thrower = ended.reversed().lazy.compactMap { graph.thrower(above: $0) }.first
      let failure = definition.ends?.lastCaught.map { ", the last one with \($0.prefix(200))" } ?? ""
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: "\(caught) of \(all) subscriptions above this `\(definition.kind)` failed\(failure)",
        remedy: "fix the failure, or report it before replacing it",
        related: thrower.flatMap { node in
          graph.definition(of: node).map { [.init("\(graph.title(of: node)) failed", at: Place($0))] }
        } ?? [],
        nodes: ended.map(\.id))
    }
  }

  private func isReplacedByWork(_ node: Node, in graph: GraphView) -> Bool {
    (graph.inputs[node.id] ?? []).contains { edge in
      guard edge.kind == .inner, let replacement = graph.nodes[edge.source] else { return false }
      return graph.behavior(of: graph.origin(of: replacement)).contains(.startsWork)
    }
  }
}
