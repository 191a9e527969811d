import SignalGraph

/// Inner signals, and subscriptions that the program creates one after the other.
extension StalledRule {
  func flattening(_ node: Node, _ operation: Definition, in observation: Observation) -> Stall? {
    let graph = observation.now
    let queues = operation.behavior?.contains(.queuesInner) == true
    let edges = graph.inputs[node.id] ?? []
    let came = edges.filter { $0.kind != .inner }.reduce(UInt64(0)) { $0 + observation.values(by: $1) }
    let inner = edges.lazy.filter { $0.kind == .inner }.compactMap { graph.nodes[$0.source] }.first
    guard came >= least, let inner, inner.state == .live, let definition = graph.definition(of: inner),
      let since = inner.since ?? node.since,
      graph.snapshot.takenAt - since >= (mayTakeLong(inner, in: observation) ? longPatience : patience),
      !merelyTakesLong(inner, of: node, after: definition.ends?.finished ?? 0, in: observation),
      // A session that ignores further values while it emits is intended.
      queues || observation.values(of: inner) == 0,
      observation.before?.inputs[node.id]?.contains(where: { $0.source == inner.id && $0.kind == .inner }) == true
    else { return nil }
    let title = graph.title(of: graph.origin(of: inner))
    let seconds = GrowthRule.text((graph.snapshot.takenAt - since).rounded(.down))
    return Stall(
      node: node,
      message:
        "\(came) values came to this `\(operation.kind)` in \(GrowthRule.text(observation.seconds)) and "
        + (queues ? "wait" : "were ignored")
        + ": its inner signal of \(title) has not ended for \(seconds)",
      remedy:
        "end the inner signal, such as with `first()` or `timeout(after:on:)`; or replace it by the next one, with `flatMapLatest`",
      blocker: inner, words: "the inner signal that does not end")
  }

  /// Whether an inner signal emits and either has an end of its own or is work, such as a download that tells its
  /// progress.
  private func mayTakeLong(_ inner: Node, in observation: Observation) -> Bool {
    let graph = observation.now
    guard observation.values(of: inner) > 0 else { return false }
    let origin = graph.behavior(of: graph.origin(of: inner))
    return graph.isBounded(above: inner) || origin.contains(.startsWork) && !origin.contains(.isPeriodic)
  }

  /// Whether earlier inner signals of the definition have ended, so that the current one may end too. That is not
  /// assumed if it has emitted nothing for 10 times their average time, pauses included, and waits for an emitter.
  private func merelyTakesLong(_ inner: Node, of node: Node, after ended: UInt64, in observation: Observation) -> Bool {
    guard ended > 0 else { return false }
    let graph = observation.now
    guard inner.valueCount == 0, let began = node.since, let since = inner.since, since > began else { return true }
    let usual = (since - began) / Double(ended)
    return graph.snapshot.takenAt - since < 10 * usual || !graph.isEmitter(graph.origin(of: inner))
  }

  func replacing(_ node: Node, _ kind: String, in observation: Observation) -> Stall? {
    let graph = observation.now
    let edges = graph.inputs[node.id] ?? []
    let came = edges.filter { $0.kind != .inner }.reduce(UInt64(0)) { $0 + observation.values(by: $1) }
    let inner = edges.lazy.filter { $0.kind == .inner }.compactMap { graph.nodes[$0.source] }.last
    guard node.valueCount == 0, came >= least, let inner, let definition = graph.definition(of: inner),
      let ends = definition.ends, ends.disposed >= leastInLife, ends.finished + ends.failed == 0,
      // An emitter or a property may have nothing to send at the moment.
      graph.origin(of: inner).since != nil, !mayBeWatchdog(inner, in: graph)
    else { return nil }
    let title = graph.title(of: graph.origin(of: inner))
    return Stall(
      node: node,
      message:
        "\(came) values came to this `\(kind)` in \(GrowthRule.text(observation.seconds)) and none was emitted: each replaces the inner signal of "
        + "\(title) before that emits",
      remedy:
        "let each inner signal end, with `exhaustMap`, or with `concatMap` if it can keep up; or let fewer values come, with "
        + "`throttle(for:on:latest:)` above it",
      blocker: inner, words: "the inner signal that is replaced")
  }

  /// Whether a node above an inner signal waits so long that the inner signal is meant to be replaced.
  private func mayBeWatchdog(_ inner: Node, in graph: GraphView) -> Bool {
    var (waiting, seen) = ([inner], Set([inner.id]))
    while let node = waiting.popLast() {
      if max(node.interval ?? 0, node.leadTime ?? 0) >= 2 { return true }
      let above = (graph.inputs[node.id] ?? []).compactMap { graph.nodes[$0.source] }
      waiting += above.filter { seen.insert($0.id).inserted }
    }
    return false
  }

  /// Subscriptions of one location that are each disposed before a value arrives, and replaced by the next one.
  func restarts(in observation: Observation) -> [Stall] {
    guard observation.time == .real, let before = observation.before else { return [] }
    let graph = observation.now
    return graph.snapshot.definitions.compactMap { definition -> Stall? in
      let nodes = graph.nodesByDefinition[definition.id, default: []]
      guard definition.isSubscription, let ends = definition.ends, ends.finished + ends.failed == 0,
        (definition.gone?.values ?? 0) == 0, nodes.allSatisfy({ $0.valueCount == 0 }), let node = nodes.last,
        nodes.count(where: { $0.state == .live }) <= 1
      else { return nil }
      let disposed = ends.disposed - min(ends.disposed, before.definitions[definition.id]?.ends?.disposed ?? 0)
      let source = graph.origin(of: node)
      guard disposed >= leastInLife, ends.unused * 2 < ends.disposed, graph.behavior(of: source).contains(.startsWork),
        source.since != nil, !isShared(above: node, in: graph), !mayBeWatchdog(node, in: graph)
      else { return nil }
      let title = graph.title(of: source)
      return Stall(
        node: node,
        message:
          "\(disposed) subscriptions made here in \(GrowthRule.text(observation.seconds)) were each disposed before a value came: \(title) is restarted repeatedly",
        remedy:
          "let one end before the next begins, such as with `exhaustMap`; or begin fewer, with `throttle(for:on:latest:)`",
        blocker: source, words: "\(title) never emits a value")
    }
  }

  /// Whether a shared signal is above a node: then leaving does not end the work for other subscribers.
  private func isShared(above node: Node, in graph: GraphView) -> Bool {
    var (current, seen) = (node, Set([node.id]))
    while let edge = graph.mainInput(of: current.id), let next = graph.nodes[edge.source], seen.insert(next.id).inserted
    {
      if next.since == nil { return true }
      current = next
    }
    return false
  }
}
