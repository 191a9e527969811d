import SignalGraph

extension OrderDependentRule {
  /// Operators that read a property which the same value sets, but through a subscription that was created later: they
  /// always read the previous value.
  ///
  /// The property must be set to a different value than the operator receives: storing the same value until the next
  /// one arrives is intended.
  func staleSamples(in observation: Observation) -> [Finding] {
    let graph = observation.now
    var found: [Int: Finding] = [:]
    for node in graph.snapshot.nodes where node.state == .live && node.valueCount >= least {
      guard let definition = graph.definition(of: node), found[definition.id] == nil,
        graph.behavior(of: node).contains(.samples), let stale = staleSample(at: node, definition, in: observation)
      else { continue }
      found[definition.id] = stale
    }
    return Array(found.values)
  }

  private func staleSample(at join: Node, _ definition: Definition, in observation: Observation) -> Finding? {
    let graph = observation.now
    let inputs = graph.inputs[join.id] ?? []
    let ways = { (isRead: Bool) in
      inputs.filter { $0.kind != .inner && ($0.kind == .sampled) == isRead }.compactMap { graph.nodes[$0.source] }
        .map { TimedWay(upFrom: $0, in: observation) }
    }
    for timing in ways(false) {
      for read in ways(true) {
        guard let meeting = read.settingBelow(timing), let setting = meeting.read.below,
          setting > meeting.timing.below ?? join.id, meeting.set.valueCount >= least,
          meeting.way.contains(where: { graph.behavior(of: $0).contains(.transforms) }),
          let handler = graph.definition(of: meeting.handler)
        else { continue }
        let property = graph.title(of: meeting.set)
        return Finding(
          rule: Self.name, severity: .warning, place: Place(definition),
          message:
            "this `\(definition.kind)` reads \(property) before the same value of \(graph.title(of: meeting.read.node)) sets it, because the subscription that sets it was "
            + "created later: it always gets the previous \(property)",
          remedy: "take both from one value, with one `map`; or create the subscription that sets \(property) first",
          related: [.init("this sets \(property)", at: Place(handler))], nodes: [join.id, meeting.handler.id])
      }
    }
    return nil
  }
}

extension TimedWay {
  /// A source at which both paths begin, where this one leads through another source that a handler sets.
  struct Setting {
    let timing: Stop
    let read: Stop
    /// The source that the handler sets, and the handler.
    let set: Node
    let handler: Node
    /// The nodes from the handler upstream to the source.
    fileprivate let way: [Node]
  }

  /// The node at which this path meets another one above a handler, if neither of them waits or changes the scheduler
  /// below it.
  func settingBelow(_ timing: TimedWay) -> Setting? {
    guard let crossing = stops.firstIndex(where: { isSet($0.node) }), crossing + 1 < stops.count else { return nil }
    for (index, stop) in stops.enumerated() where index > crossing + 1 {
      guard stop.nanoseconds == 0, stop.schedulers.isEmpty else { return nil }
      guard let other = timing.stops.first(where: { $0.node.id == stop.node.id }) else { continue }
      guard other.nanoseconds == 0, other.schedulers.isEmpty else { return nil }
      return Setting(
        timing: other, read: stop, set: stops[crossing].node, handler: stops[crossing + 1].node,
        way: stops[(crossing + 1)..<index].map(\.node))
    }
    return nil
  }
}
