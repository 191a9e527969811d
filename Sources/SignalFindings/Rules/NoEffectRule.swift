import SignalGraph

/// Subscriptions by `subscribe()`, without any closure, to chains without side effects: their values have no effect.
///
/// They are reported only if nothing else can have an effect. The values must come from emitters and properties, which
/// send with or without a subscriber, and may pass only operators that take no closure and neither print nor share. So
/// a `subscribe()` that starts a source, connects a `share`, or runs the closure of a `map` or a `handle` is not
/// reported.
///
/// A binding to an emitter that never had a subscriber has no effect either. It is reported after 10 values that take
/// at least a millisecond of work each on average, if the snapshot still contains all nodes.
struct NoEffectRule: Rule {
  static let name = "no-effect"
  static let summary = "a subscription without a closure to a chain that does nothing"

  /// The minimum number of values that a binding has written, and the minimum work for each on average, in seconds.
  var least: UInt64 = 10
  var leastSeconds = 0.001

  func findings(in observation: Observation) -> [Finding] {
    (bareSubscriptions(in: observation) + unheardBindings(in: observation)).sorted { $0.place < $1.place }
  }

  /// Bindings to emitters without subscribers.
  private func unheardBindings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    // If the snapshot no longer contains a subscriber, its source is unknown.
    guard observation.time == .real, graph.snapshot.definitions.allSatisfy({ $0.gone == nil }) else { return [] }
    let unheard = graph.snapshot.nodes.filter { node in
      node.state == .live && node.valueCount >= least && graph.outputs[node.id] == nil
        && graph.isEmitter(node)
    }
    return unheard.compactMap { emitter -> Finding? in
      guard let edges = graph.feedbackInputs[emitter.id], edges.count == 1, let edge = edges.first,
        let count = edge.count, count >= least, count >= emitter.valueCount, let binding = graph.nodes[edge.source],
        binding.state == .live, binding.ownerID != nil, let times = binding.handler, times.calls > 0,
        times.seconds >= leastSeconds * Double(times.calls), let definition = graph.definition(of: binding)
      else { return nil }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "this binding has sent \(count) values to \(graph.title(of: emitter)), which never had a subscriber; computing one takes "
          + TimeText.words(times.seconds / Double(times.calls)),
        remedy: "subscribe to \(graph.title(of: emitter)), or remove the binding and its chain",
        related: graph.definition(of: emitter).map { [.init("it has no subscriber", at: Place($0))] } ?? [],
        nodes: [binding.id, emitter.id])
    }
  }

  private func bareSubscriptions(in observation: Observation) -> [Finding] {
    let graph = observation.now
    return graph.snapshot.definitions.compactMap { definition -> Finding? in
      guard definition.isBare == true, definition.isSubscription else { return nil }
      let nodes = graph.nodesByDefinition[definition.id, default: []].filter {
        $0.state == .live && doesNothing(above: $0, in: graph)
      }
      guard let first = nodes.first else { return nil }
      let source = graph.origin(of: first)
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: "this subscription has no closure, and its chain has no side effects",
        remedy: "pass `subscribe` a closure for each value, or remove the subscription",
        related: graph.definition(of: source).map {
          [.init("the values come from \(graph.title(of: source))", at: Place($0))]
        } ?? [],
        nodes: nodes.map(\.id))
    }
  }

  /// Whether nothing above a subscriber has an effect, or is started by a subscription.
  private func doesNothing(above subscriber: Node, in graph: GraphView) -> Bool {
    var waiting = [subscriber]
    var seen: Set<UInt64> = [subscriber.id]
    while let node = waiting.popLast() {
      let above = graph.inputs[node.id] ?? []
      let behavior = graph.behavior(of: node)
      if node.since == nil {
        // A source with an input is fed by a chain, which a subscription may have started.
        guard behavior.contains(.sendsUnasked), above.isEmpty else { return false }
        continue
      }
      guard !above.isEmpty, node.id == subscriber.id || behavior.contains(.runsNoClosure) else { return false }
      // A trigger that has ended and is no longer in the snapshot may have had an effect.
      if behavior.contains(.changesOnTrigger), !above.contains(where: { $0.kind == .trigger }) { return false }
      for edge in above {
        guard let next = graph.nodes[edge.source] else { return false }
        if seen.insert(next.id).inserted { waiting.append(next) }
      }
    }
    return true
  }
}
