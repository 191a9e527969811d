import SignalGraph
import Synchronization

/// What the live graph knows of one subscription, or of one of an operator's further inputs: its nodes, from the subscriber up.
///
/// Within one subscription the chain is a line and is connected from the subscriber up, so what is below a new node is always the node that
/// was added before. At most one shared source, such as an emitter, delivers to the uppermost node.
///
/// The record owns itself: it lives until its subscription is over, it is not being connected any more, and nothing holds a closure of
/// its chain. Then it retires to the recorder's list of ended chains. That is why closures need not retain it.
@usableFromInline
final class ChainRecord: @unchecked Sendable {
  // Safe: `tapCount` and `nodeCount` are written only by the thread that connects the chain, and read by it and by whoever retires the record,
  // which comes after that; `slot` is touched only under the recorder's lock; everything else is constant, atomic or has a lock. No access
  // overlaps another, which makes dynamic exclusivity checks pointless.

  /// How the subscription came to be over.
  private enum Over: UInt8 {
    case no, disposed, completed
  }

  let recorder: GraphRecorder
  /// Where the lowest node delivers to; nil at a subscriber.
  let downstream: ChainDownstream?
  let owner: NodeOwner?
  private let firstChunk = Atomic<UnsafeMutableRawPointer?>(nil)
  /// What keeps the record: one for the subscription, one for each tap, and a large number while the chain is being connected.
  private let holds = Atomic<Int>(ChainRecord.connectingHold + 1)
  private let sharedSource = OnceReference<SourceNode>()
  private let notes = OnceReference<ChainNotes>()
  @exclusivity(unchecked) private var tapCount: UInt32 = 0
  /// How many nodes there are.
  @exclusivity(unchecked) private var nodeCount: UInt32 = 0
  /// The place in the recorder's list of chains; -1 while it is in none.
  @exclusivity(unchecked) var slot: Int32 = -1
  private let over = Atomic<UInt8>(Over.no.rawValue)

  private static let connectingHold = 1 << 40
  /// What a subscriber and three fused operators take; a longer chain has further chunks.
  private static let usualSize = NodeGroup.size(1) + NodeGroup.size(3)

  init(recorder: GraphRecorder, downstream: ChainDownstream?, owner: NodeOwner?) {
    self.recorder = recorder
    self.downstream = downstream
    self.owner = owner
  }

  deinit {
    NodeChunk.free(chunks)
  }

  /// Makes a record that owns itself, and lists it. Whoever makes it calls ``connected()`` once the chain is connected, and
  /// ``subscriptionEnded(disposed:)`` once the subscription is over.
  static func begin(
    recorder: consuming GraphRecorder, downstream: ChainDownstream? = nil, owner: NodeOwner?
  ) -> Unmanaged<ChainRecord> {
    let record = ChainRecord(recorder: recorder, downstream: downstream, owner: owner)
    record.recorder.begin(record)
    return .passRetained(record)
  }

  // MARK: Connecting, on one thread

  /// Adds the nodes of a group above those that are there already.
  func append(_ sites: GroupSites) -> UnsafeMutablePointer<NodeGroup> {
    let count = sites.count
    let size = NodeGroup.size(count)
    let chunk = chunk(withRoomFor: size)
    tapCount &+= 1
    nodeCount &+= UInt32(truncatingIfNeeded: count)
    let group = NodeChunk.take(size, in: chunk).bindMemory(to: NodeGroup.self, capacity: 1)
    group.initialize(to: NodeGroup(sites))
    let counters = UnsafeMutableRawPointer(group + 1).bindMemory(to: Atomic<UInt64>.self, capacity: count)
    for index in 0..<count { (counters + index).initialize(to: Atomic(0)) }
    let index = chunk.pointee.nodeCount.load(ordering: .relaxed)
    if let notes = notes.load() { notes.useName(for: chunk.pointee.firstIdentifier + UInt64(index)) }
    chunk.pointee.nodeCount.store(index + count, ordering: .releasing)
    return group
  }

  private func chunk(withRoomFor size: Int) -> UnsafeMutablePointer<NodeChunk> {
    guard let first = chunks else {
      let chunk = NodeChunk.make(max(size, Self.usualSize))
      firstChunk.store(UnsafeMutableRawPointer(chunk), ordering: .releasing)
      return chunk
    }
    let last = NodeChunk.last(first)
    if last.pointee.hasRoom(size) { return last }
    // As much again, so that a long chain has few chunks.
    let chunk = NodeChunk.make(max(size, Int(nodeCount) * NodeGroup.size(1)))
    last.pointee.next.store(UnsafeMutableRawPointer(chunk), ordering: .releasing)
    return chunk
  }

  /// The place of an operator that has further inputs: the node that was added last.
  @usableFromInline
  var top: ChainPlace? {
    chunks.map { ChainPlace(record: self, identifier: NodeChunk.last($0).pointee.newestIdentifier) }
  }

  /// Gives the next node a name, unless an operator nearer to the subscriber has given it one.
  @usableFromInline
  func nameNext(_ name: String) {
    notes.storeIfNil(ChainNotes()).nameNext(name)
  }

  /// The name for a shared source that is reached now.
  func takeNextName() -> String? { notes.load()?.takeNextName() }

  /// Notes which shared source delivers to the uppermost node.
  func connect(to source: consuming SourceNode) {
    sharedSource.storeIfNil(source)
  }

  /// Notes that no more nodes are added.
  @usableFromInline
  func connected() {
    letGo(Self.connectingHold - Int(tapCount))
  }

  // MARK: Ending, on any thread

  /// Notes that the subscription is over. Called once.
  @usableFromInline
  func subscriptionEnded(disposed: Bool) {
    over.store((disposed ? Over.disposed : .completed).rawValue, ordering: .releasing)
    letGo(1)
  }

  /// Notes that a group delivers its end.
  func ended(_ group: UnsafeMutablePointer<NodeGroup>, _ completion: Completion) {
    if over.load(ordering: .acquiring) == Over.disposed.rawValue { return }
    guard group.pointee.end(completion), case .failed(let error) = completion else { return }
    let text = String(describing: error)
    notes.storeIfNil(ChainNotes()).note(failure: text, of: group)
  }

  /// Notes that nothing holds the closures of a group any more. Called once for each.
  func freed(_ group: UnsafeMutablePointer<NodeGroup>) {
    group.pointee.isFreed.store(true, ordering: .releasing)
    letGo(1)
  }

  private func letGo(_ count: Int) {
    if holds.subtract(count, ordering: .acquiringAndReleasing).newValue == 0 { recorder.retire(self) }
  }

  /// How much the chain counts against the limit of ended ones. One without nodes still has an edge if it reached a source.
  var weight: Int { nodeCount > 0 ? Int(nodeCount) : sharedSource.isSet ? 1 : 0 }

  // MARK: Reading, on any thread

  private var chunks: UnsafeMutablePointer<NodeChunk>? {
    firstChunk.load(ordering: .acquiring)?.assumingMemoryBound(to: NodeChunk.self)
  }

  /// Whether the subscription is still connected to its origin.
  var isConnected: Bool { over.load(ordering: .acquiring) == Over.no.rawValue }

  var source: SourceNode? { sharedSource.load() }

  /// The lowest node's identifier.
  var firstIdentifier: UInt64? { chunks?.pointee.firstIdentifier }

  /// The uppermost node's identifier.
  var topIdentifier: UInt64? {
    var top: UInt64?
    NodeChunk.forEachGroup(chunks) { group, identifier in top = identifier + UInt64(group.pointee.sites.count) - 1 }
    return top
  }

  /// Calls a closure with each node, from the subscriber up.
  func forEachNode(_ body: (NodeReading) -> Void) {
    let notes = notes.load()?.read()
    var downstream = downstream?.identifier
    NodeChunk.forEachGroup(chunks) { group, identifier in
      let isFreed = group.pointee.isFreed.load(ordering: .acquiring)
      let state = state(group.pointee.ending, isFreed: isFreed)
      let count = group.pointee.sites.count
      for step in 0..<count {
        let position = count - 1 - step
        let own = identifier + UInt64(step)
        body(
          NodeReading(
            identifier: own, site: group.pointee.sites.site(position), name: notes?.names[own], state: state,
            failure: state == .failed ? notes?.failures[UInt(bitPattern: group)] : nil, isFreed: isFreed,
            valueCount: NodeGroup.counters(group)[position].load(ordering: .relaxed), downstream: downstream))
        downstream = own
      }
    }
  }

  /// A node's life: its own end counts; without one, that of the subscription. While the end may still be on its way, the node lives.
  private func state(_ ending: NodeGroup.Life, isFreed: Bool) -> Node.State {
    switch ending {
    case .finished: .finished
    case .failed: .failed
    case .live:
      switch Over(rawValue: over.load(ordering: .acquiring)) {
      case .disposed: .disposed
      case .completed where isFreed: .disposed
      default: .live
      }
    }
  }

  /// What is known of one node.
  func reading(of identifier: UInt64) -> NodeReading? {
    var found: NodeReading?
    var isPossible = false
    var next = chunks
    while let chunk = next, !isPossible {
      let first = chunk.pointee.firstIdentifier
      isPossible = identifier >= first && identifier - first < chunk.pointee.nodeCount.load(ordering: .acquiring)
      next = chunk.pointee.following
    }
    if isPossible { forEachNode { if $0.identifier == identifier { found = $0 } } }
    return found
  }
}

/// A node of a chain as it was when it was read.
struct NodeReading {
  let identifier: UInt64
  let site: Site
  let name: String?
  let state: Node.State
  let failure: String?
  let isFreed: Bool
  let valueCount: UInt64
  /// The node that it delivers to.
  let downstream: UInt64?
}

/// A node of a chain, for what hangs on it.
@usableFromInline
struct ChainPlace: Sendable {
  let record: ChainRecord
  let identifier: UInt64
}

/// Where an operator's further input, or the subscription of a shared signal, delivers to.
final class ChainDownstream: Sendable {
  enum Target: Sendable {
    case node(ChainPlace)
    case source(SourceNode)
  }

  let target: Target
  /// What the connection to it carries.
  let kind: Edge.Kind

  init(_ target: Target, _ kind: Edge.Kind) {
    self.target = target
    self.kind = kind
  }

  var identifier: UInt64 {
    switch target {
    case .node(let place): place.identifier
    case .source(let source): source.identifier
    }
  }

  /// The chain of the node that it is, if it is one.
  var record: ChainRecord? {
    if case .node(let place) = target { place.record } else { nil }
  }
}

/// What few chains have: names that the program gave, and failures.
final class ChainNotes: Sendable {
  struct State: Sendable {
    fileprivate var nextName: String?
    fileprivate(set) var names: [UInt64: String] = [:]
    /// By the address of the group that failed.
    fileprivate(set) var failures: [UInt: String] = [:]
  }

  private let state = Mutex(State())

  func nameNext(_ name: String) {
    state.withLock { if $0.nextName == nil { $0.nextName = name } }
  }

  func takeNextName() -> String? {
    state.withLock { state in
      defer { state.nextName = nil }
      return state.nextName
    }
  }

  func useName(for identifier: UInt64) {
    state.withLock { state in
      guard let name = state.nextName else { return }
      state.names[identifier] = name
      state.nextName = nil
    }
  }

  func note(failure: String, of group: UnsafeMutablePointer<NodeGroup>) {
    state.withLock { $0.failures[UInt(bitPattern: group)] = failure }
  }

  func read() -> State { state.withLock { $0 } }
}
