import SignalGraph

/// Combining operators that two values reach at the same moment, so that chance or the order of subscription decides
/// which is first.
///
/// Two paths lead to the operator. Either both begin at one source, and operators that wait (`delay`, `debounce`,
/// `audit`) delay their values for the same time in all, on the same schedulers. Or each begins at an interval, and the
/// two have the same period, began together and run on one scheduler; a further delay of a whole number of periods
/// makes no difference.
///
/// Counts show whether values met: the two paths together delivered at least three more than the source sent. So two
/// paths that divide the values between them are no fault. Operators with the same result in either order, such as
/// `zip`, are no fault either, nor is a `combineLatest` below which values settle. Two intervals of different locations
/// are reported only if the order changes what is stored: the state of a `scan`, a property, or the newest value.
struct OrderDependentRule: Rule {
  static let name = "order-dependent"
  static let summary = "two values that are due at the same moment although their order matters"

  /// The minimum number of values that arrived beyond those of one path.
  var least: UInt64 = 3

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let hasJoins = graph.snapshot.definitions.contains { $0.behavior?.contains(.combinesLatest) == true }
    let below = hasJoins ? UnsettledWays(in: graph, count: observation.values) : nil
    let meetings = graph.snapshot.nodes.compactMap { node -> Meeting? in
      graph.behavior(of: node).contains(.holdsValue)
        ? meetingOfHandlers(at: node, in: observation) : meeting(at: node, below, in: observation)
    }
    let met = Dictionary(grouping: meetings, by: \.place.definition).compactMap { number, meetings -> Finding? in
      guard let definition = graph.definitions[number], let first = meetings.first else { return nil }
      return first.finding(at: definition, nodes: meetings.map(\.place.id), in: graph)
    }
    return (met + staleSamples(in: observation)).sorted { $0.place < $1.place }
  }

  private func meeting(at join: Node, _ below: UnsettledWays?, in observation: Observation) -> Meeting? {
    let graph = observation.now
    let behavior = graph.behavior(of: join)
    guard !behavior.isDisjoint(with: [.combinesLatest, .samples, .emitsOnTrigger, .merges]) else { return nil }
    let inputs = (graph.inputs[join.id] ?? []).filter { $0.kind != .inner }.compactMap { graph.nodes[$0.source] }
    guard inputs.count >= 2 else { return nil }
    let ways = inputs.map { TimedWay(upFrom: $0, in: observation) }
    return TimedWay.pairs(of: ways).lazy.compactMap { first, second, cause -> Meeting? in
      let meeting = Meeting(place: join, reader: join, first: first, second: second, cause: cause)
      return meeting.happened(least, in: observation) && matters(meeting, behavior, below, in: observation)
        ? meeting : nil
    }.first
  }

  /// Whether the order of two values changes the result of an operator for more than a moment.
  private func matters(
    _ meeting: Meeting, _ behavior: OperatorBehavior, _ below: UnsettledWays?, in observation: Observation
  ) -> Bool {
    let graph = observation.now
    if behavior.contains(.samples) { return true }
    if case .period = meeting.cause {
      // Several instances of one location do the same for different purposes.
      guard meeting.first.origin.definition != meeting.second.origin.definition else { return false }
      guard behavior.contains(.keepsState) else {
        return behavior.contains(.merges) && isKept(below: meeting.reader, in: graph)
      }
    }
    guard behavior.contains(.combinesLatest) else { return true }
    let moments = meeting.moments(observation.values)
    return below?.isSettled(below: meeting.reader, atMost: moments + SteadyWays.slack(moments)) == false
  }

  /// Whether an operator or property below a node stores a state that each value changes.
  private func isKept(below node: Node, in graph: GraphView) -> Bool {
    var queue = [node]
    var seen: Set<UInt64> = [node.id]
    while let node = queue.popLast() {
      for next in (graph.outputs[node.id] ?? []).compactMap({ graph.nodes[$0.target] }) {
        guard let definition = graph.definition(of: next), seen.insert(next.id).inserted else { continue }
        let behavior = definition.behavior ?? []
        if behavior.contains(.keepsState) { return true }
        if definition.isSubscription {
          if setsProperty(next, in: graph) { return true }
          queue.append(next)
        } else if !behavior.isDisjoint(with: [.atMostOne, .hops]) {
          queue.append(next)
        }
      }
    }
    return false
  }

  private func setsProperty(_ subscriber: Node, in graph: GraphView) -> Bool {
    (graph.feedbackOutputs[subscriber.id] ?? []).contains { edge in
      graph.nodes[edge.target].map { graph.behavior(of: $0).contains(.holdsValue) } == true
    }
  }

  /// Two handlers that set one property, if values of one source reach them at the same moment.
  private func meetingOfHandlers(at property: Node, in observation: Observation) -> Meeting? {
    let graph = observation.now
    let handlers = (graph.feedbackInputs[property.id] ?? []).compactMap { edge -> Node? in
      guard let handler = graph.nodes[edge.source], edge.count ?? 0 >= least,
        (edge.count ?? 0) * 4 >= observation.values(of: handler) * 3
      else { return nil }
      return handler
    }
    guard handlers.count >= 2 else { return nil }
    let ways = handlers.map { TimedWay(upFrom: $0, in: observation) }
    return TimedWay.pairs(of: ways).lazy.compactMap { first, second, cause -> Meeting? in
      guard case .source = cause, let place = handlers.first(where: { $0.id == second.input.id }) else { return nil }
      let meeting = Meeting(place: place, reader: property, first: first, second: second, cause: cause)
      return meeting.happened(least, in: observation) ? meeting : nil
    }.first
  }
}

/// Two paths that lead to one reader at the same moments.
private struct Meeting {
  /// The node whose location is reported.
  let place: Node
  /// The combining operator, or the property.
  let reader: Node
  let first: TimedWay
  let second: TimedWay
  let cause: TimedWay.Cause

  /// Whether values arrived by both paths at once: there are more than there would be otherwise.
  func happened(_ least: UInt64, in observation: Observation) -> Bool {
    func met(_ count: (Node) -> UInt64) -> Bool {
      let (one, other) = (count(first.input), count(second.input))
      let moments = self.moments(count)
      // The counts are read one after the other while values pass.
      return one + other >= moments + least + moments / 100
    }
    if met(\.valueCount) { return true }
    guard observation.before != nil else { return false }
    // Some of the values that arrive during the watch were in transit before it.
    let moments = self.moments(observation.values)
    let counts = [observation.values(of: first.input), observation.values(of: second.input)]
    return moments >= 2 * least && counts.allSatisfy { $0 * 4 >= moments * 3 && $0 * 4 <= moments * 5 }
  }

  /// The number of moments at which values may have arrived by either path.
  func moments(_ count: (Node) -> UInt64) -> UInt64 {
    switch cause {
    case .source(let source):
      let sent = count(source)
      guard let one = first.pauseBelow(source), let other = second.pauseBelow(source), one.behavior == other.behavior,
        one.node.interval == other.node.interval,
        let counts = first.inputCount(of: one.node, count), let others = second.inputCount(of: other.node, count),
        // The counts are read one after the other while values pass.
        max(counts, others, sent) - min(counts, others, sent) <= 1 + sent / 100
      else { return sent }
      // Both wait for the same pauses between the same values.
      return max(count(one.node), count(other.node))
    case .period(let apart): return max(count(first.origin), count(second.origin)) + apart
    }
  }

  func finding(at definition: Definition, nodes: [UInt64], in graph: GraphView) -> Finding {
    let waits = [first.waits.first ?? first.origin, second.waits.first ?? second.origin].compactMap(graph.definition)
      .sorted { Place($0) < Place($1) }
    let places = waits.map { "`\($0.kind)` at \(graph.words(of: Place($0)))" }
    let (one, other) = (places.first ?? "", places.last ?? "")
    let ways = one == other ? "by \(one) twice" : "by \(one) and \(other)"
    let scheduler = first.schedulers.first.map { graph.schedulers[$0] } ?? ""
    let target = "this `\(graph.definition(of: reader)?.kind ?? "")`"
    let begin: String
    switch cause {
    case .source(let source):
      let time = TimeText.words(Double(first.nanoseconds(to: source)) / 1e9)
      begin =
        "values of \(graph.title(of: source)) reach \(target) twice at the same moment, \(time) later on `\(scheduler)`"
    case .period:
      let time = TimeText.words(first.origin.interval ?? 0)
      begin = "two values are due at \(target) at the same moment, every \(time) on `\(scheduler)`"
    }
    return Finding(
      rule: OrderDependentRule.name, severity: .warning, place: Place(definition),
      message: "\(begin), \(ways): the code does not specify which comes first",
      remedy:
        "wait once: share one deadline, and derive both values from it with one `map`; or use `zip` if they belong together, or chain one after "
        + "the other; `exploreInterleavings` in a test shows what depends on the order",
      related: (one == other ? Array(waits.prefix(1)) : waits).map {
        .init("this is due at the same moment", at: Place($0))
      },
      nodes: nodes)
  }
}
