import SignalGraph

/// Operators that wait for a pause, a time or a trigger, and receive values repeatedly without ever emitting one.
///
/// Two snapshots at least a second apart are needed. In the interval, the operator must have received at least 20
/// values and emitted none. In its life, it must have received at least 100, and emitted at most one in a hundred. An
/// operator that waits for a pause may have received fewer if the graph was watched for 5 seconds, 3 values arrived
/// before, and it has never emitted any. If a running program was watched for less, all values of its life must be those
/// of at least 5 seconds, at the rate of the interval: a drag, whose pause comes at its end, is shorter. An operator that
/// waits for a pause of 2 seconds or more may be a watchdog, which is meant to be silent, and is not reported. For a
/// pause of a second or more, as when typed text is saved, it must be a minute old. An operator with a time of its own,
/// such as `audit`, must be a minute old. One that waits for a trigger must be ten seconds old, and the trigger must
/// never have fired. A `compactMap` must be ten seconds old too and must never have emitted, and no other operator may
/// filter the values of its source.
struct StarvedRule: Rule {
  static let name = "starved"
  static let summary = "an operator that waits, gets values and never gives one"

  /// The minimum interval between the snapshots, in seconds.
  var watched = 1.0
  /// The minimum number of values received in the interval.
  var least: UInt64 = 20
  /// The minimum number of values received in its life.
  var leastInLife: UInt64 = 100

  /// The minimum interval for an operator that waits for a pause, in seconds, if it received fewer values in its life;
  /// and the minimum time for which values came to it.
  var watchedForPause = 5.0
  /// The minimum number of values received before the interval, in that case.
  var leastBefore: UInt64 = 3

  /// The condition that an operator waits for.
  private enum Wait {
    case pause, time, trigger, closure

    init?(_ behavior: OperatorBehavior) {
      if behavior.contains(.waitsForPause) {
        self = .pause
      } else if behavior.contains(.waitsForTime) {
        self = .time
      } else if behavior.contains(.waitsForTrigger) {
        self = .trigger
      } else if behavior.isSuperset(of: [.filters, .transforms]) {
        self = .closure
      } else {
        return nil
      }
    }

    /// The minimum age of the operator, in seconds; nil if it may be silent for ever.
    ///
    /// - Parameter interval: The time for which it waits, in seconds, if that is known.
    func age(interval: Double?) -> Double? {
      switch self {
      case .pause: (interval ?? 0) >= 2 ? nil : (interval ?? 0) >= 1 ? 60 : 0
      case .time: 60
      case .trigger, .closure: 10
      }
    }
  }

  /// An operator that received values and emitted none.
  private struct Waiting {
    let node: Node
    let wait: Wait
    let got: UInt64
    let trigger: Node?
  }

  func findings(in observation: Observation) -> [Finding] {
    guard observation.seconds >= watched else { return [] }
    let graph = observation.now
    let waiting = graph.snapshot.nodes.compactMap { self.waiting($0, in: observation) }
    return Dictionary(grouping: waiting, by: \.node.definition).compactMap { number, nodes -> Finding? in
      guard let definition = graph.definitions[number], let first = nodes.max(by: { $0.got < $1.got }) else {
        return nil
      }
      let got =
        "this `\(definition.kind)` got \(first.got) values in \(GrowthRule.text(observation.seconds)) and gave none"
      let trigger = first.trigger.map { "its trigger \(graph.title(of: $0)) has never fired" }
      let message =
        switch first.wait {
        case .pause: "\(got): they come without the pause that it waits for"
        case .time: "\(got): its deadline never arrives"
        case .trigger: "\(got): \(trigger ?? "its trigger has never fired")"
        case .closure: "\(got): its closure rejected each of them"
        }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition), message: message, remedy: remedy(first.wait),
        related: [
          graph.definition(of: graph.origin(of: first.node)).map {
            .init("the values come from \(graph.title(of: graph.origin(of: first.node)))", at: Place($0))
          },
          first.trigger.flatMap { node in
            graph.definition(of: node).map { .init("\(graph.title(of: node)) is here", at: Place($0)) }
          },
        ].compactMap { $0 },
        nodes: nodes.map(\.node.id))
    }.sorted { $0.place < $1.place }
  }

  private func remedy(_ wait: Wait) -> String {
    switch wait {
    case .closure:
      "check why each value is rejected, such as by a failure that `try?` hides, or by a cast that never succeeds"
    case .pause:
      "wait for a shorter pause, or use `throttle(for:on:latest:)`, which gives values also while others keep coming"
    case .time: "check that its scheduler runs, and for how long it waits"
    case .trigger:
      "send to the trigger, or pass another signal; `sample(every:on:)` and `throttle(for:on:latest:)` need none"
    }
  }

  private func waiting(_ node: Node, in observation: Observation) -> Waiting? {
    let graph = observation.now
    guard observation.hasStayed(node), observation.values(of: node) == 0,
      let wait = Wait(graph.behavior(of: node))
    else { return nil }
    let inputs = graph.inputs[node.id] ?? []
    let edges = inputs.filter { [.data, .hop, .sampled].contains($0.kind) && graph.nodes[$0.source] != nil }
    let got = edges.reduce(UInt64(0)) { $0 + observation.values(by: $1) }
    let gotInLife = edges.reduce(UInt64(0)) { $0 + (observation.valuesInLife(by: $1) ?? observation.values(by: $1)) }
    // The values of a single burst may still be in transit, so some must have arrived before.
    let cameBefore = edges.reduce(UInt64(0)) { sum, edge in
      let before = observation.before?.nodes[edge.source]?.valueCount ?? 0
      return sum + (observation.valuesInLife(by: edge).map { $0 - min($0, observation.values(by: edge)) } ?? before)
    }
    let isLongPause =
      wait == .pause && node.valueCount == 0 && observation.seconds >= watchedForPause && cameBefore >= leastBefore
    guard got >= least, isLongPause || gotInLife >= leastInLife && node.valueCount * 100 <= gotInLife else {
      return nil
    }
    // In virtual time a test decides for how long values come.
    if wait == .pause, observation.time == .real,
      Double(gotInLife) * observation.seconds < watchedForPause * Double(got)
    {
      return nil
    }
    guard let age = wait.age(interval: node.interval) else { return nil }
    if age > 0 {
      guard let since = node.since, graph.snapshot.takenAt - since >= age else { return nil }
    }
    if wait == .closure, node.valueCount > 0 || isOneOfSeveral(node, in: graph) { return nil }
    guard case .trigger = wait else { return Waiting(node: node, wait: wait, got: got, trigger: nil) }
    let triggers = inputs.filter { $0.kind == .trigger }.compactMap { graph.nodes[$0.source] }
    guard triggers.allSatisfy({ $0.valueCount == 0 }) else { return nil }
    return Waiting(node: node, wait: wait, got: got, trigger: triggers.first)
  }

  /// Whether other operators filter the values of the same source: on a bus, values that are not sent now may be sent
  /// later.
  private func isOneOfSeveral(_ node: Node, in graph: GraphView) -> Bool {
    var own = graph.reachable(from: [node.id])
    var current = node
    while let edge = graph.mainInput(of: current.id), let next = graph.nodes[edge.source], own.insert(next.id).inserted
    {
      current = next
    }
    return graph.reachable(from: [current.id]).subtracting(own).contains { id in
      graph.nodes[id].map { graph.behavior(of: $0).contains(.filters) } == true
    }
  }
}
