import SignalGraph

/// The way up from an input of a reader, as far as each value comes by it at a moment that is known: so long after its source sent it.
struct TimedWay {
  /// Why values come by two ways at the same moments.
  enum Cause {
    /// One source sends them, and both wait for the same time.
    case source(Node)
    /// Their intervals have the same period; by how many periods the one is behind the other.
    case period(apart: UInt64)
  }

  /// A node on the way, and what is below it.
  struct Stop {
    let node: Node
    /// How long values wait below the node, in nanoseconds.
    let nanoseconds: Int
    /// What they run on below the node, from the reader up, where it changes.
    let schedulers: [String]
    /// The node below it on the way; nil for the lowest.
    let below: UInt64?
    /// How many nodes below it wait.
    let waits: Int
  }

  /// The node that delivers to the reader.
  let input: Node
  private(set) var stops: [Stop] = []
  /// The nodes that wait, from the reader up.
  private(set) var waits: [Node] = []
  /// What is above a node on the way.
  private var above: [UInt64: Node] = [:]
  /// What nodes that leave out values by what comes meanwhile do.
  private var pauses: [UInt64: OperatorBehavior] = [:]
  /// The sources on the way that a handler sets.
  private var set: Set<UInt64> = []
  /// Whether the uppermost node gives its values once in a period, if it does; and whether it always does.
  private var isPeriodic = false
  private var isTicking = false
  /// Whether there is a node on the way that several share.
  private var isShared = false

  /// The uppermost node of the way.
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
      // Where several inputs gave values, those that came out may be of any.
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

  /// The handler that sends a source, such as a property, nearly all of its values: at once, and nearly one for each that it gets.
  ///
  /// What handlers send may be counted only since the program is watched; then what came before says nothing.
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

  /// Whole nanoseconds; nil for none and for what is too long to be added up.
  private static func nanoseconds(_ seconds: Double?) -> Int? {
    guard let seconds, seconds > 0, seconds < 1e7 else { return nil }
    return Int(exactly: (seconds * 1e9).rounded())
  }

  /// What values run on, from the reader up.
  var schedulers: [String] {
    let below = stops.last?.schedulers ?? []
    guard let own = origin.scheduler, own != below.last, !waits.contains(where: { $0.id == origin.id }) else {
      return below
    }
    return below + [own]
  }

  /// Whether a node of the way is a source that a handler sets, from which the way goes on.
  func isSet(_ node: Node) -> Bool { set.contains(node.id) }

  /// How long values wait below a node of the way, in nanoseconds.
  func nanoseconds(to node: Node) -> Int { stops.first { $0.node.id == node.id }?.nanoseconds ?? 0 }

  /// The uppermost node that waits below a node of the way, if that is one which leaves out values by what comes meanwhile.
  func pauseBelow(_ node: Node) -> (node: Node, behavior: OperatorBehavior)? {
    guard let stop = stops.first(where: { $0.node.id == node.id }), stop.waits > 0 else { return nil }
    let wait = waits[stop.waits - 1]
    return pauses[wait.id].map { (wait, $0) }
  }

  /// How many values came to a node of the way.
  func inputCount(of node: Node, _ count: (Node) -> UInt64) -> UInt64? { above[node.id].map(count) }

  /// The moments at which an interval's values come: those of one value of this are the same.
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

  /// How long values wait below the uppermost node, in nanoseconds.
  private var wait: Int { stops.last?.nanoseconds ?? 0 }

  private struct Source: Hashable {
    let node: UInt64
    let nanoseconds: Int
    let schedulers: [String]
  }

  /// Each two ways by which values come at the same moments, and why; where there are many of a kind, some of the pairs.
  static func pairs(of ways: [TimedWay]) -> [(TimedWay, TimedWay, Cause)] {
    var pairs: [(TimedWay, TimedWay, Cause)] = []
    var sources: [Source: [(way: TimedWay, below: UInt64?)]] = [:]
    var beats: [Beat: [TimedWay]] = [:]
    for way in ways {
      for stop in way.stops where stop.nanoseconds > 0 {
        let source = Source(node: stop.node.id, nanoseconds: stop.nanoseconds, schedulers: stop.schedulers)
        let others = sources[source, default: []]
        // Those that have been one way already, further down, part there.
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

  /// By how many periods the values of this way and another one are apart, whose moments are the same; nil where they may not be, after all.
  private func periods(from other: TimedWay) -> UInt64? {
    guard let beat, isTicking || other.isTicking else { return nil }
    if origin.id == other.origin.id {
      guard wait != other.wait else { return nil }
    } else if isShared || other.isShared {
      // They need not have begun together.
      return nil
    }
    return UInt64(abs(wait - other.wait) / beat.period)
  }
}
