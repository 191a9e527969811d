import SignalGraph
public import Synchronization

/// A step of a pipeline other than signals; see ``GraphReporter``.
@usableFromInline
final class ReportedNode: Sendable {
  /// A connection to another node, which it does not retain.
  private struct Connection {
    weak var other: ReportedNode?
    let identifier: UInt64
    /// Whether values come from the other node.
    let isInput: Bool
    let kind: Edge.Kind
  }

  private struct State {
    var life = Node.State.live
    var failure: String?
    var connections: [Connection] = []
    var channels: [ChannelEnd] = []
    /// The node of a chain whose source requested last.
    var askingSource: UInt64?
    /// The number of connections at which those to deallocated nodes are searched for.
    var limit = 16
  }

  let identifier = GraphRecorder.nextIdentifiers(1)
  let site: Site
  let name: String?
  let owner: NodeOwner?
  let beganAt = CoarseTime.now
  private let link: RecorderLink
  @usableFromInline let values = Atomic<UInt64>(0)
  @usableFromInline let waiting = Atomic<Int>(0)
  @usableFromInline let dropped = Atomic<UInt64>(0)
  /// The time of the last change of the demand in milliseconds, with the demand in the lowest bit; 0 if it was never
  /// set.
  private let demand = Atomic<UInt64>(0)
  private let state = Mutex(State())
  // Safe: touched only under the recorder's lock.
  nonisolated(unsafe) var slot: Int?

  init(_ site: Site, name: String?, _ owner: NodeOwner?, _ recorder: GraphRecorder) {
    self.site = site
    self.name = name
    self.owner = owner
    link = recorder.link
  }

  /// The number of values that have passed.
  var valueCount: UInt64 { values.load(ordering: .relaxed) }

  /// The events during a recording.
  var events: EventLog { link.events }

  /// Whether the end was noted.
  var isOver: Bool { state.withLock { $0.life != .live } }

  func note(isAsked: Bool) {
    demand.store(CoarseTime.now.milliseconds << 1 | (isAsked ? 1 : 0), ordering: .relaxed)
  }

  /// Notes the end; the first one counts.
  func end(_ life: Node.State, _ failure: (any Error)? = nil) {
    // The description is the program's code: no lock is held.
    let words = isOver ? nil : failure.map(link.words)
    let isFirst = state.withLock { state in
      guard state.life == .live else { return false }
      state.life = life
      state.failure = words
      return true
    }
    if isFirst { link.use { $0.retire(self) } }
  }

  /// Notes that it is an end of a channel.
  func link(_ end: ChannelEnd) {
    state.withLock { if !$0.channels.contains(end) { $0.channels.append(end) } }
  }

  /// Notes that values go to the source of a signal: of several, to the one that requested last.
  func feeds(_ source: UInt64) { state.withLock { $0.askingSource = source } }

  /// The connection to the source of a signal, which may be deallocated.
  var edgeToSource: Edge? {
    state.withLock { $0.askingSource }.map { Edge(source: identifier, target: $0) }
  }

  /// Notes that values go from one node to another.
  ///
  /// The younger one stores that: so a long-lived node does not accumulate short-lived neighbours.
  static func connect(_ source: ReportedNode, to target: ReportedNode, _ kind: Edge.Kind) {
    guard source !== target else { return }
    if source.identifier < target.identifier {
      target.add(Connection(other: source, identifier: source.identifier, isInput: true, kind: kind))
    } else {
      source.add(Connection(other: target, identifier: target.identifier, isInput: false, kind: kind))
    }
  }

  private func add(_ new: Connection) {
    // Released after the lock.
    var gone: [Connection] = []
    state.withLock { state in
      let isKnown = state.connections.contains {
        $0.identifier == new.identifier && $0.isInput == new.isInput && $0.kind == new.kind
      }
      if isKnown { return }
      if state.connections.count >= state.limit {
        gone = state.connections
        state.connections.removeAll { $0.other == nil }
        state.limit = max(16, state.connections.count * 2)
      }
      state.connections.append(new)
    }
    withExtendedLifetime(gone) {}
  }

  /// The connections that it stores.
  var edges: [Edge] {
    state.withLock { state in
      state.connections.map { connection in
        connection.isInput
          ? Edge(source: connection.identifier, target: identifier, kind: connection.kind)
          : Edge(source: identifier, target: connection.identifier, kind: connection.kind)
      }
    }
  }

  /// Its current state.
  var reading: NodeReading {
    let (life, failure, channels) = state.withLock { ($0.life, $0.failure, $0.channels.map(\.self)) }
    let isLive = life == .live
    let demand = demand.load(ordering: .relaxed)
    return NodeReading(
      identifier: identifier, site: site, name: name, state: life, failure: failure, isFreed: !isLive,
      valueCount: valueCount, waitingCount: isLive ? max(0, waiting.load(ordering: .relaxed)) : 0,
      droppedCount: dropped.load(ordering: .relaxed), downstream: nil,
      demand: isLive && demand > 0 ? (demand & 1 == 1, CoarseTime(milliseconds: demand >> 1)) : nil, channels: channels)
  }
}

/// The connections of the steps of other pipelines.
struct ReportedWays {
  private let members: [ReportedNode]
  /// Each once, between members only.
  let edges: [Edge]

  init(_ members: [ReportedNode]) {
    self.members = members
    let identifiers = Set(members.map(\.identifier))
    edges = members.flatMap(\.edges).filter { identifiers.contains($0.source) && identifiers.contains($0.target) }
  }

  /// The members for a leak check: each delivers to at most one node, without cycles; further downstream nodes have it
  /// as an input.
  var nodes: [ChainNode] {
    var downstream: [UInt64: UInt64] = [:]
    var inputs: [UInt64: [UInt64]] = [:]
    let live = Set(members.filter { !$0.isOver }.map(\.identifier))
    for edge in edges where !(live.contains(edge.source) && !live.contains(edge.target)) {
      var end = edge.target
      while let next = downstream[end] { end = next }
      if downstream[edge.source] == nil, end != edge.source {
        downstream[edge.source] = edge.target
      } else {
        inputs[edge.target, default: []].append(edge.source)
      }
    }
    return members.map { node in
      ChainNode(
        node.reading, deliveringTo: downstream[node.identifier], inputs: inputs[node.identifier] ?? [],
        owner: node.owner?.name)
    }
  }
}

extension GraphRecorder {
  /// Lists a step of another pipeline.
  func begin(_ node: ReportedNode) {
    state.withLock { state in
      guard !state.isClosed else { return }
      node.slot = state.reported.count
      state.reported.append(node)
    }
  }

  /// Moves an ended step to the ended ones; does nothing if it is not listed.
  func retire(_ node: ReportedNode) {
    let life = node.reading.state
    var dropped = DroppedMembers()
    let isListed = state.withLock { state in
      guard let slot = node.slot else { return false }
      node.slot = nil
      let last = state.reported.removeLast()
      if slot < state.reported.count {
        state.reported[slot] = last
        last.slot = slot
      }
      switch life {
      case .finished: state.reportedEnds[node.site, default: EndCounts()].finished += 1
      case .failed: state.reportedEnds[node.site, default: EndCounts()].failed += 1
      case .live, .disposed: state.reportedEnds[node.site, default: EndCounts()].disposed += 1
      }
      if endedLimit > 0 { state.keepEnded(.reported(node), limit: endedLimit, dropping: &dropped) }
      return true
    }
    dropped.letGo()
    if isListed { callWatchersIfAny() }
  }
}
