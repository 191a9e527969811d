import SignalGraph

/// The path upstream from an input of a reader, as far as the delay is known with which each value arrives by it. The
/// reader is an operator or a property.
struct TimedWay {
  /// The reason why values arrive by two paths at the same moments.
  enum Cause {
    /// One source sends them, and both paths delay them for the same time.
    case source(Node)
    /// Their intervals have the same period; `apart` is the number of periods by which one lags behind the other.
    case period(apart: UInt64)
  }

  /// A node on the path, and the part of the path below it.
  struct Stop {
    let node: Node
    /// The time that values wait below the node, in nanoseconds.
    let nanoseconds: Int
    /// The schedulers below the node, from the reader upstream, without repetitions.
    let schedulers: [String]
    /// The next node downstream on the path; nil for the lowest.
    let below: UInt64?
    /// The number of nodes below it that delay values.
    let waits: Int
  }

  /// The node that delivers to the reader.
  let input: Node
  private(set) var stops: [Stop] = []
  /// The nodes that delay values, from the reader upstream.
  private(set) var waits: [Node] = []
  /// The next node upstream of each node on the path.
  private var above: [UInt64: Node] = [:]
  /// The behaviour of the nodes that drop values when newer ones arrive during the delay.
  private var pauses: [UInt64: OperatorBehavior] = [:]
  /// The sources on the path that a handler sets.
  private var set: Set<UInt64> = []
  /// Whether the uppermost node emits values at regular intervals, and whether it emits one at every interval.
  private var isPeriodic = false
  private var isTicking = false
  /// Whether a node on the path has several subscribers.
  private var isShared = false

  /// The uppermost node of the path.
  var origin: Node { stops.last?.node ?? input }

  init(upFrom input: Node, in observation: Observation) {
    let graph = observation.now
    self.input = input
    var (nanoseconds, schedulers) = (0, [String]())
    var below: UInt64?
    var seen: Set<UInt64> = []
    var current = input
    while seen.insert(current.id).inserted {
      stops.append(
        Stop(node: current, nanoseconds: nanoseconds, schedulers: schedulers, below: below, waits: waits.count))
      if current.since == nil { isShared = true }
      guard let definition = graph.definition(of: current) else { return }
      let behavior = definition.behavior ?? []
      if let handler = Self.handler(settingOnly: current, in: observation) {
        above[current.id] = handler
        set.insert(current.id)
        below = current.id
        current = handler
        continue
      }
      let isWait = behavior.contains(.delays)
      if isWait || behavior.contains(.hops) {
        guard let scheduler = current.scheduler, scheduler != "immediate" else { return }
        if schedulers.last != scheduler { schedulers.append(scheduler) }
        if isWait {
          guard let interval = Self.nanoseconds(current.interval) else { return }
          nanoseconds += interval
          waits.append(current)
          if behavior.contains(.keepsNewest) { pauses[current.id] = behavior }
        }
      } else if !behavior.contains(.atMostOne), !definition.isSubscription {
        isPeriodic = behavior.contains(.isPeriodic)
        isTicking = isPeriodic && behavior.contains(.startsWork)
        return
      }
      // If several inputs have emitted values, each value may be from any of them.
      let inputs = graph.inputs[current.id] ?? []
      let active = Set(inputs.map(\.source)).compactMap { graph.nodes[$0] }.filter { $0.valueCount > 0 }
      guard active.count == 1, let next = active.first,
        inputs.contains(where: { $0.source == next.id && ($0.kind == .data || $0.kind == .hop) })
      else { return }
      above[current.id] = next
      below = current.id
      current = next
    }
  }

  /// The handler that sends nearly all values of a source, such as a property: at once, and nearly one for each value
  /// that it receives.
  ///
  /// The sends of handlers may be counted only since the watch began. Then earlier counts mean nothing.
  static func handler(settingOnly source: Node, in observation: Observation) -> Node? {
    let graph = observation.now
    guard let edges = graph.feedbackInputs[source.id], edges.count == 1, let edge = edges.first,
      let count = edge.count, let handler = graph.nodes[edge.source]
    else { return nil }
    func isOnly(_ sent: UInt64, _ values: UInt64, _ got: UInt64) -> Bool {
      Double(sent) >= 0.9 * Double(values) && Double(sent) >= 0.75 * Double(got)
    }
    if isOnly(count, source.valueCount, handler.valueCount) { return handler }
    guard let before = observation.before, before.nodes[source.id] != nil else { return nil }
    let earlier = before.feedbackInputs[source.id]?.first { $0.source == edge.source }?.count ?? 0
    let sent = count - min(count, earlier)
    return sent >= 3 && isOnly(sent, observation.values(of: source), observation.values(of: handler)) ? handler : nil
  }

  /// Whole nanoseconds; nil for zero, and for times that are too long to add up.
  private static func nanoseconds(_ seconds: Double?) -> Int? {
    guard let seconds, seconds > 0, seconds < 1e7 else { return nil }
    return Int(exactly: (seconds * 1e9).rounded())
  }

  /// The schedulers that values run on, from the reader upstream.
  var schedulers: [String] {
    let below = stops.last?.schedulers ?? []
    guard let own = origin.scheduler, own != below.last, !waits.contains(where: { $0.id == origin.id }) else {
      return below
    }
    return below + [own]
  }

  /// Whether a node of the path is a source that a handler sets, above which the path continues.
  func isSet(_ node: Node) -> Bool { set.contains(node.id) }

  /// The time that values wait below a node of the path, in nanoseconds.
  func nanoseconds(to node: Node) -> Int { stops.first { $0.node.id == node.id }?.nanoseconds ?? 0 }

  /// The uppermost delaying node below a node of the path, if it drops values when newer ones arrive during the delay.
  func pauseBelow(_ node: Node) -> (node: Node, behavior: OperatorBehavior)? {
    guard let stop = stops.first(where: { $0.node.id == node.id }), stop.waits > 0 else { return nil }
    let wait = waits[stop.waits - 1]
    return pauses[wait.id].map { (wait, $0) }
  }

  /// The number of values that a node of the path received.
  func inputCount(of node: Node, _ count: (Node) -> UInt64) -> UInt64? { above[node.id].map(count) }

  /// The moments at which an interval's values arrive. Equal beats have equal moments.
  private struct Beat: Hashable {
    let period: Int
    let phase: Int
    let schedulers: [String]
  }

  private var beat: Beat? {
    guard isPeriodic, let period = Self.nanoseconds(origin.interval), origin.scheduler != nil,
      origin.scheduler != "immediate",
      let start = Self.nanoseconds(origin.leadTime ?? origin.interval) ?? (origin.leadTime == 0 ? 0 : nil)
    else { return nil }
    return Beat(period: period, phase: (start + wait) % period, schedulers: schedulers)
  }

  /// The time that values wait below the uppermost node, in nanoseconds.
  private var wait: Int { stops.last?.nanoseconds ?? 0 }

  private struct Source: Hashable {
    let node: UInt64
    let nanoseconds: Int
    let schedulers: [String]
  }

  /// The pairs of paths by which values arrive at the same moments, with the reason. If there are many of a kind, some
  /// of the pairs.
  static func pairs(of ways: [TimedWay]) -> [(TimedWay, TimedWay, Cause)] {
    var pairs: [(TimedWay, TimedWay, Cause)] = []
    var sources: [Source: [(way: TimedWay, below: UInt64?)]] = [:]
    var beats: [Beat: [TimedWay]] = [:]
    for way in ways {
      for stop in way.stops where stop.nanoseconds > 0 {
        let source = Source(node: stop.node.id, nanoseconds: stop.nanoseconds, schedulers: stop.schedulers)
        let others = sources[source, default: []]
        // Paths that pass the same node below this one part there, not here.
        for other in others where other.below != stop.below { pairs.append((other.way, way, .source(stop.node))) }
        if others.count < 4 { sources[source, default: []].append((way, stop.below)) }
      }
      guard let beat = way.beat else { continue }
      let others = beats[beat, default: []]
      for other in others {
        if let apart = other.periods(from: way) { pairs.append((other, way, .period(apart: apart))) }
      }
      if others.count < 4 { beats[beat, default: []].append(way) }
    }
    return pairs
  }

  /// The number of periods between the values of this path and another one with the same beat; nil if they may arrive
  /// at different moments after all.
  private func periods(from other: TimedWay) -> UInt64? {
    guard let beat, isTicking || other.isTicking else { return nil }
    if origin.id == other.origin.id {
      guard wait != other.wait else { return nil }
    } else if isShared || other.isShared {
      // They may have begun at different times.
      return nil
    }
    return UInt64(abs(wait - other.wait) / beat.period)
  }
}
