import DequeModule
public import SignalGraph
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#else
  #error("SignalRecording needs the C library of the system: it knows Darwin, Android, Musl and Glibc.")
#endif

extension GraphRecorder {
  private static let preparation = Mutex<Preparation?>(nil)

  /// A closure that is itself the value of a mutex would be wrapped again at each access.
  private struct Preparation {
    let prepare: @Sendable () -> Void
  }

  /// Sets the closure that runs before a snapshot, a node or waiting work is read, without a lock: it ends entries that
  /// should not be shown. There is one such closure.
  package static func beforeReading(_ prepare: @escaping @Sendable () -> Void) {
    preparation.withLock { $0 = Preparation(prepare: prepare) }
  }

  private static let bags = Mutex<Bags?>(nil)

  private struct Bags {
    let owners: @Sendable () -> [UInt: NodeOwner]
  }

  /// Sets the closure that returns, without a lock, the owners of chains in bags that end with them, by
  /// ``ChainRecord/address``. There is one such closure.
  package static func askingBags(_ owners: @escaping @Sendable () -> [UInt: NodeOwner]) {
    bags.withLock { $0 = Bags(owners: owners) }
  }

  private static func prepareReading() {
    preparation.withLock { $0 }?.prepare()
  }

  /// The retained members, until ``KeptMembers/letGo()``: chains in no particular order, sources, and steps of
  /// pipelines of other frameworks, which report themselves (``ReportedNode``).
  ///
  /// Only the lists are copied under the locks: chains that begin or end concurrently wait for that long. Ended members
  /// stay listed up to a number of nodes. Beyond it the oldest are evicted: a summary by location remains (`gone`), and
  /// their memory is released after the locks (`dropped`).
  func keepMembers() -> KeptMembers {
    var chains: [ChainRecord] = []
    var dropped = DroppedMembers()
    let (sources, gone, reported) = shards.withAll {
      takeEnded(of: &$0, dropping: &dropped)
      chains.append(contentsOf: $0.chains)
    } then: {
      state.withLock { state in
        // A copy of the elements: the next change would have to copy a shared array.
        var sources = state.sources.map { $0 }
        var reported = state.reported.map { $0 }
        for members in state.ended {
          switch members {
          case .chain(let record, _): chains.append(record)
          case .chains(let records, _): chains.append(contentsOf: records)
          case .source(let source): sources.append(source)
          case .reported(let node): reported.append(node)
          }
        }
        // A chain owns itself until it has removed itself from its list, under a lock that is held here.
        for chain in chains { chain.keep() }
        return (sources, state.gone.entries.map { $0 }, reported)
      }
    }
    return KeptMembers(chains: chains, sources: sources, reported: reported, gone: gone, dropped: dropped)
  }

  /// Returns the current reading of one node, while it is retained.
  ///
  /// - Parameter identifier: The node's `id` in a snapshot.
  /// - Returns: The node's state and the number of values that have passed it; nil if there is no such node, or it is
  ///   no longer retained.
  /// - Complexity: O(*n*) in the number of chains, sources and steps.
  public func node(_ identifier: UInt64) -> (state: Node.State, valueCount: UInt64)? {
    Self.prepareReading()
    let members = keepMembers()
    defer { members.letGo() }
    let other =
      members.sources.first { $0.identifier == identifier }?.reading
      ?? members.reported.first { $0.identifier == identifier }?.reading
    let node = other ?? members.chains.lazy.compactMap { $0.reading(of: identifier) }.first
    return node.map { ($0.state, $0.valueCount) }
  }

  /// Pending work of schedulers. Subscriptions of deallocated owners are ended first, with their work.
  package var pendingWork: [PendingWork] {
    Self.prepareReading()
    return state.withLock { $0.pendingWork.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Identifiers of the nodes whose closures are still in memory.
  ///
  /// - Complexity: O(*n*) in the number of nodes.
  public var retainedNodes: Set<UInt64> {
    Self.prepareReading()
    var retained: Set<UInt64> = []
    let members = keepMembers()
    defer { members.letGo() }
    for chain in members.chains {
      chain.forEachNode { if !$0.isFreed { retained.insert($0.identifier) } }
    }
    for node in members.reported where !node.reading.isFreed { retained.insert(node.identifier) }
    return retained
  }

  /// Every retained node, and those of other recorders that these are connected to.
  package func chainNodes() -> [ChainNode] {
    let members = keepMembers()
    defer { members.letGo() }
    let graph = MemberGraph(members.chains, members.sources, reachingDown: true)
    var nodes: [ChainNode] = []
    var connected: Set<UInt64> = []
    for member in graph.chains {
      if case .source(let shared) = member.chain.downstream?.target, member.chain.isConnected {
        connected.insert(shared.identifier)
      }
      let source = member.source?.identifier
      let top = member.chain.topIdentifier
      member.chain.forEachNode { node in
        var inputs = graph.inputs[node.identifier] ?? []
        if let source, node.identifier == top { inputs.append(source) }
        nodes.append(
          ChainNode(
            node, of: member.chain, inputs: inputs, bareInputCount: graph.bareInputCounts[node.identifier] ?? 0))
      }
    }
    nodes += graph.sources.map { source in
      ChainNode(
        source, isConnected: connected.contains(source.identifier), inputs: graph.inputs[source.identifier] ?? [])
    }
    nodes += ReportedWays(members.reported).nodes
    return nodes.sorted { $0.id < $1.id }
  }

  /// The current graph: live nodes, nodes that ended but are still in memory, and the latest ended ones.
  ///
  /// Senders are not stopped: only lists and counts are copied under locks. A thread that begins or ends a chain, or
  /// schedules work, waits for that. Subscriptions of deallocated owners are ended first.
  ///
  /// - Complexity: O(*n* log *n*) in the number of nodes and definitions.
  public func snapshot() -> GraphSnapshot {
    Self.prepareReading()
    let members = keepMembers()
    defer { members.letGo() }
    // Reads the source of each chain once, and adds sources that the recorder does not list.
    let snapshot = self.snapshot(
      MemberGraph(members.chains, members.sources, reachingDown: false), members.reported, gone: members.gone)
    forgetEndedSends(in: snapshot)
    return snapshot
  }

  /// The maximum number of causes in a snapshot. Each node keeps at least its last one.
  private static var causeLimit: Int { 20_000 }

  /// - Parameters:
  ///   - reported: Steps of other pipelines.
  ///   - gone: The summaries of evicted nodes.
  func snapshot(
    _ graph: MemberGraph, _ reported: [ReportedNode] = [], gone: [(site: Site, value: GoneNodes)] = []
  ) -> GraphSnapshot {
    var snapshot = GraphSnapshot(process: .current, takenAt: secondsSince1970())
    // They are large: growing them repeatedly would take longer than filling them.
    let nodeCount = graph.chains.reduce(graph.sources.count + reported.count) { $0 + $1.chain.nodeCount }
    snapshot.nodes.reserveCapacity(nodeCount)
    snapshot.edges.reserveCapacity(nodeCount)
    var definitions = SiteTable<Int>()
    var zips: Set<Int> = []
    var schedulers = SchedulerNames()
    let calendar = CoarseTime.Calendar()
    func definition(_ site: Site) -> Int {
      if let known = definitions[site] { return known }
      let new = number(of: site)
      definitions[site, default: new] = new
      if site.behavior.contains(.pairs) { zips.insert(new) }
      return new
    }
    func add(_ node: NodeReading, _ owner: NodeOwner?, since: CoarseTime? = nil) {
      var shown = Node(
        id: node.identifier, definition: definition(node.site), name: node.name, state: node.state,
        valueCount: node.valueCount, waiting: UInt64(node.waitingCount), dropped: node.droppedCount,
        lastEventAt: node.causes?.last?.at, lastValue: node.lastValue, owner: owner?.name, failure: node.failure,
        findings: node.state == .live && owner?.isOver == true ? [.leaked] : [],
        since: since.map(calendar.secondsSince1970),
        handler: node.handler, ownerID: owner?.number, causes: node.causes,
        scheduler: node.schedule.map { schedulers.name($0.scheduler) },
        interval: node.schedule?.interval, leadTime: node.schedule?.leadTime, waits: node.waits)
      shown.attempts = node.attempts
      if node.isReleased { shown.isReleased = true }
      (shown.memoryLimit, shown.memoryCount) = (node.memory?.limit, node.memory?.count)
      if !node.channels.isEmpty { shown.channels = node.channels.sorted() }
      shown.demand = node.demand.map { Demand(isAsked: $0.isAsked, since: calendar.secondsSince1970($0.since)) }
      snapshot.nodes.append(shown)
    }
    // Chains are retained in the meantime, so an address identifies one of them.
    let ownersOfBags = Self.bags.withLock { $0 }?.owners() ?? [:]
    // Between chains and steps of other pipelines: the requesting step may be gone.
    var asked = reported.compactMap(\.edgeToSource)
    var bindings: [Edge] = []
    for member in graph.chains {
      let downstream = member.chain.downstream
      let step = member.chain.askingStep
      let owner = member.chain.owner ?? ownersOfBags[member.chain.address]
      let kind = downstream?.kind ?? .data
      var isLowest = true
      var below = graph.shows(downstream) ? downstream?.identifier : nil
      let target = member.chain.target
      member.chain.forEachNode { node in
        add(node, owner, since: member.chain.beganAt)
        if let target, isLowest {
          bindings.append(
            Edge(source: node.identifier, target: target.identifier, kind: .feedback, count: node.valueCount))
        }
        if let step, isLowest, node.site.isLoop {
          asked.append(Edge(source: node.identifier, target: step.nodeID))
        }
        if let below {
          snapshot.edges.append(Edge(source: node.identifier, target: below, kind: isLowest ? kind : .data))
        }
        below = node.identifier
        isLowest = false
      }
      if let source = member.source, let below {
        snapshot.edges.append(
          Edge(
            source: source.identifier, target: below, kind: isLowest ? kind : .data,
            count: member.chain.sentCount(of: source)))
      }
    }
    // The counts of evicted sources that this snapshot shows: they are subtracted from those of the evicted ones.
    var shownEvicted: [Site: [UInt64]] = [:]
    for source in graph.sources {
      add(source.reading, nil)
      if let count = source.goneCount { shownEvicted[source.site, default: []].append(count) }
      if let upstream = graph.upstream(of: source) {
        snapshot.edges.append(Edge(source: upstream, target: source.identifier, kind: .data))
      }
    }
    for node in reported { add(node.reading, node.owner, since: node.beganAt) }
    snapshot.edges += ReportedWays(reported).edges
    if !asked.isEmpty {
      let shown = Set(snapshot.nodes.map(\.id))
      snapshot.edges += asked.filter { shown.contains($0.target) }
    }
    // What handlers and bindings send.
    snapshot.edges += feedback(in: snapshot, with: bindings)
    // A zip does not count what waits in it: that is the difference of its inputs' counts.
    snapshot.countWaiting(inZips: zips)
    let causeLimit = max(1, Self.causeLimit / max(1, snapshot.nodes.count))
    for index in snapshot.nodes.indices where snapshot.nodes[index].causes?.count ?? 0 > causeLimit {
      snapshot.nodes[index].causes = snapshot.nodes[index].causes?.suffix(causeLimit)
    }
    // Beginnings of causes that the snapshot has at their own nodes.
    snapshot.leaveOutKnownStarts()
    // Within a chain they are in order, and often from chain to chain.
    if !zip(snapshot.nodes, snapshot.nodes.dropFirst()).allSatisfy({ $0.id < $1.id }) {
      snapshot.nodes.sort { $0.id < $1.id }
    }
    var goneBySite: [Site: GoneNodes] = [:]
    for (site, value) in gone {
      var value = value
      for count in shownEvicted[site] ?? [] { value.leaveOut(values: count) }
      if value.nodes > 0 { goneBySite[site] = value }
    }
    var ends = SiteTable<EndCounts>()
    shards.forEach { shard in
      for (site, counts) in shard.endCounts.entries { ends[site, default: EndCounts()].add(counts) }
    }
    let known = state.withLock { state in
      for (site, counts) in state.reportedEnds.entries { ends[site, default: EndCounts()].add(counts) }
      for (site, counts) in state.unhandled.entries { ends[site, default: EndCounts()].add(counts) }
      // Locations whose nodes ended before they were ever shown have no number yet.
      for (site, _) in ends.entries where state.definitions[site] == nil {
        state.definitions[site] = state.definitions.count + 1
      }
      for (site, _) in gone where state.definitions[site] == nil {
        state.definitions[site] = state.definitions.count + 1
      }
      return state.definitions.map { (site: $0.key, id: $0.value, ends: ends[$0.key]) }
    }
    snapshot.definitions = known.sorted { $0.id < $1.id }.map { site, id, ends in
      var definition = Definition(
        id: id, kind: site.kind, behavior: site.behavior, fileID: site.fileID, line: site.line, function: site.function,
        ends: ends,
        isBare: site.isBare ? true : nil)
      definition.gone = goneBySite[site]
      if site.isLoop { definition.isLoop = true }
      if site.isReported { definition.isReported = true }
      return definition
    }
    return snapshot
  }
}

extension GraphRecorder {
  /// The number of a definition; it stays the same.
  private func number(of site: Site) -> Int {
    state.withLock { state in
      let new = state.definitions.count + 1
      let number = state.definitions[site, default: new]
      if number == new { state.definitions[site] = new }
      return number
    }
  }
}

/// Chains and sources during a read.
struct KeptMembers {
  let chains: [ChainRecord]
  let sources: [SourceNode]
  let reported: [ReportedNode]
  /// The summaries of evicted members, by location.
  let gone: [(site: Site, value: GoneNodes)]
  /// Members that are no longer retained.
  fileprivate let dropped: DroppedMembers

  /// Not under a lock of the recorder's lists.
  func letGo() {
    dropped.letGo()
    for chain in chains { chain.letGo() }
  }
}

/// The time of the system's clock, in the format of snapshots.
func secondsSince1970() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1_000_000_000
}
