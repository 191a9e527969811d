import SignalGraph

/// Subscriptions by `subscribe()`, without any closure, to chains that do nothing of their own: no value that they get has any effect.
///
/// That is told only where nothing else can have one. The values have to come from emitters and properties, which send whether or not somebody
/// subscribes; and on their way may be only operators that take no closure and neither print nor share. So `subscribe()` that starts a source,
/// connects a `share`, or runs the closure of a `map` or a `handle` is not told.
///
/// A binding to an emitter to which nobody has ever subscribed has no effect either. It is reported after 10 values for which the operators above it work, for at
/// least a millisecond each, where the snapshot still contains all nodes that there were.
struct NoEffectRule: Rule {
  static let name = "no-effect"
  static let summary = "a subscription without a closure to a chain that does nothing"

  /// How many values a binding must have written, and how many seconds of work each must take on average.
  var least: UInt64 = 10
  var leastSeconds = 0.001

  func findings(in observation: Observation) -> [Finding] {
    (bareSubscriptions(in: observation) + unheardBindings(in: observation)).sorted { $0.place < $1.place }
  }

  /// Bindings to emitters without subscribers.
  private func unheardBindings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    // Of a subscriber of which nothing is left it is not known to what it subscribed.
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
          "this binding has sent \(count) values to \(graph.title(of: emitter)), to which nobody has ever subscribed; to make one takes "
          + TimeText.words(times.seconds / Double(times.calls)),
        remedy: "subscribe to \(graph.title(of: emitter)), or leave out the binding and what is above it",
        related: graph.definition(of: emitter).map { [.init("nobody subscribes to it", at: Place($0))] } ?? [],
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
        message: "this subscription has no closure, and nothing above it does anything with a value",
        remedy: "hand `subscribe` what is to be done with each value, or leave the subscription out",
        related: graph.definition(of: source).map {
          [.init("the values come from \(graph.title(of: source))", at: Place($0))]
        } ?? [],
        nodes: nodes.map(\.id))
    }
  }

  /// Whether there is nothing above a subscriber that has an effect, or is begun by a subscription.
  private func doesNothing(above subscriber: Node, in graph: GraphView) -> Bool {
    var waiting = [subscriber]
    var seen: Set<UInt64> = [subscriber.id]
    while let node = waiting.popLast() {
      let above = graph.inputs[node.id] ?? []
      let behavior = graph.behavior(of: node)
      if node.since == nil {
        // What has an input is fed by a chain, which a subscription may have begun.
        guard behavior.contains(.sendsUnasked), above.isEmpty else { return false }
        continue
      }
      guard !above.isEmpty, node.id == subscriber.id || behavior.contains(.runsNoClosure) else { return false }
      for edge in above {
        guard let next = graph.nodes[edge.source] else { return false }
        if seen.insert(next.id).inserted { waiting.append(next) }
      }
    }
    return true
  }
}
