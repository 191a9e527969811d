import SignalGraph

/// Combining operators that emit several values for each value of one source, because it reaches them by several paths.
///
/// Two snapshots are needed. The rule checks operators that combine latest values. Each path must have passed every
/// value of the source while the graph was watched, at least 5, and on the sender's thread: a path that waits, hops or
/// drops values is no fault. The operator must have emitted about one value for each value of each path. No operator
/// below it may hold back the intermediate ones, as `debounce` and `filter` do.
///
/// If causes are recorded, they decide, not the counts: one cause reached the operator over several of its inputs, and
/// made it emit several times. One of the paths may lead through a property that a signal is bound to. This must apply
/// to at least 2 of the last causes that are stored, and to half of them.
struct GlitchRule: Rule {
  static let name = "glitch"
  static let summary = "a combining operator that emits inconsistent values, as one source reaches it by several paths"

  /// The minimum number of values of the source.
  var least: UInt64 = 5

  /// The minimum number of such causes, if they are recorded.
  var leastCauses = 2

  /// A combining operator, the source that reaches it by several paths, and the values that passed while the graph was
  /// watched.
  private struct Meeting {
    let join: Node
    let source: Node
    let ways: Int
    let given: UInt64
    let caused: UInt64
    /// Whether recorded causes show it.
    var isExact = false

    var words: String {
      isExact
        ? "each of its last \(caused) values gave \(given) here"
        : "its \(caused) values gave \(given)"
    }
  }

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let joins = graph.snapshot.nodes.filter { node in
      node.state == .live && graph.behavior(of: node).contains(.combinesLatest)
    }
    let known = joins.filter { $0.causes != nil }
    let counted = joins.filter {
      $0.causes == nil && observation.hasStayed($0) && observation.values(of: $0) >= 2 * least
    }
    let meetings = exactMeetings(at: known, in: observation) + self.meetings(at: counted, in: observation)
    return Dictionary(grouping: meetings, by: \.join.definition).compactMap { number, meetings -> Finding? in
      guard let definition = graph.definitions[number], let first = meetings.first else { return nil }
      let source = graph.title(of: first.source)
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "\(source) reaches this `\(definition.kind)` by \(first.ways) ways, so \(first.words): "
          + "between them a new value stands beside an old one",
        remedy:
          "take all from one signal, with one `map` to a tuple; derive properties with `map` instead of binding them, and join those "
          + "with `combined(with:)`; use `zip` where each value reaches every way once; or let only the last one through with "
          + "`debounce(for: .zero, on:)`, on the scheduler that sends",
        related: graph.definition(of: first.source).map { [.init("\(source) is here", at: Place($0))] } ?? [],
        nodes: meetings.map(\.join.id))
    }.sorted { $0.place < $1.place }
  }

  /// The nearest sources that reach combining operators by several paths, if recorded causes show that.
  private func exactMeetings(at joins: [Node], in observation: Observation) -> [Meeting] {
    let graph = observation.now
    guard !joins.isEmpty else { return [] }
    // A node that received no cause twice receives settled values.
    let numbers = CauseNumbers(in: observation)
    let below = UnsettledWays(in: graph) { node in
      let numbers = numbers.ofCauses(of: node)
      return Set(numbers).count < numbers.count ? 2 : 1
    }
    return joins.compactMap {
      below.isSettled(below: $0, atMost: 1) ? nil : exactMeeting(at: $0, numbers, in: observation)
    }
  }

  private func exactMeeting(at join: Node, _ numbers: CauseNumbers, in observation: Observation) -> Meeting? {
    let graph = observation.now
    let times = Dictionary(numbers.ofCauses(of: join).map { ($0, 1) }, uniquingKeysWith: +)
    let inputs = (graph.inputs[join.id] ?? []).filter { $0.kind == .data }.compactMap { graph.nodes[$0.source] }
    // The number of inputs that know each cause. An input that is written twice has one node for both:
    // `signal.combineLatest(signal)`.
    var ways: [UInt64: Int] = [:]
    for input in inputs {
      for number in Set(numbers.ofCauses(of: input)) { ways[number, default: 0] += 1 }
    }
    let repeated = times.filter { number, count in count >= 2 && ways[number] ?? 0 >= 2 }
    guard repeated.count >= leastCauses, repeated.count * 2 >= times.count,
      let nearest = SharedSource(of: inputs, in: observation, passingHandlers: true)
    else { return nil }
    return Meeting(
      join: join, source: nearest.node, ways: nearest.ways, given: UInt64(repeated.values.max() ?? 0),
      caused: UInt64(repeated.count), isExact: true)
  }

  /// The nearest sources that reach combining operators by several paths, if the counts of values show that.
  private func meetings(at joins: [Node], in observation: Observation) -> [Meeting] {
    guard !joins.isEmpty else { return [] }
    let graph = observation.now
    let below = UnsettledWays(in: graph, count: observation.values)
    return joins.compactMap { join in
      let inputs = (graph.inputs[join.id] ?? []).filter { $0.kind == .data }.compactMap { graph.nodes[$0.source] }
      guard let best = SteadyWays(from: inputs, least: least, in: observation) else { return nil }
      let given = observation.values(of: join)
      let caused = observation.values(of: best.source)
      let slack = SteadyWays.slack(caused)
      guard caused >= least, given + UInt64(best.ways) * slack >= caused * UInt64(best.ways),
        !below.isSettled(below: join, atMost: caused + slack)
      else { return nil }
      return Meeting(join: join, source: best.source, ways: best.ways, given: given, caused: caused)
    }
  }
}

/// The numbers of causes. A send of one handler to a source that nothing else sets counts as the value that the handler
/// received, because a binding only passes values on.
private struct CauseNumbers {
  private var parents: [UInt64: UInt64] = [:]

  init(in observation: Observation) {
    let graph = observation.now
    for (target, edges) in graph.feedbackInputs where edges.count == 1 {
      guard let source = graph.nodes[target], let handler = TimedWay.handler(settingOnly: source, in: observation)
      else {
        continue
      }
      for cause in source.causes ?? [] where cause.origin == .handler && cause.by == handler.id {
        parents[cause.number] = cause.parent
      }
    }
  }

  func ofCauses(of node: Node) -> [UInt64] { (node.causes ?? []).map { first($0.number) } }

  /// The number of the send that led to another one.
  private func first(_ number: UInt64) -> UInt64 {
    var number = number
    // The parent of a send is always an earlier one.
    while let parent = parents[number], parent < number { number = parent }
    return number
  }
}
