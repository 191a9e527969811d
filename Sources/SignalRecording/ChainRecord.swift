package import SignalGraph
import Synchronization

/// What the live graph knows of one subscription, or of one of an operator's further inputs: its nodes, from the subscriber up.
///
/// Within one subscription the chain is a line and is connected from the subscriber up, so what is below a new node is always the node that
/// was added before. At most one shared source, such as an emitter, delivers to the uppermost node.
///
/// The record is one block of memory, and this a reference to it that does not keep it. The record owns itself: it lives until its
/// subscription is over, it is not being connected any more, and nothing holds a closure of its chain. Then it retires to the recorder's
/// list of ended chains. That is why closures need not retain it. Whoever reads it later keeps it, see ``keep()``.
///
/// A reference by itself proves nothing: the memory may have been freed. Each call needs one of these, and names it in its documentation:
///
/// | holder | from | until | may call |
/// |---|---|---|---|
/// | the thread that connects the chain | `begin` | ``connected()`` | everything |
/// | the thread that ended the subscription: it alone set the subscription's `ended` bit | that | ``subscriptionEnded(_:)`` | ``subscriptionEnded(_:)`` |
/// | a tap, for as long as a closure of the chain keeps it, so also inside a call of that closure | ``append(_:)`` | ``freed(_:)`` | ``ended(_:failure:)``, ``trace(_:_:_:)``, ``noteUnheard()`` |
/// | a ``NodeReference``, or a reader of the lists (``GraphRecorder/keepMembers()``) | ``keep()`` | ``letGo()`` | everything but connecting and ending |
/// | a shard, or the recorder's list of ended chains, under its lock | ``ChainShard/begin(_:)`` | ``GraphRecorder/retire(_:)``, eviction | ``keep()`` |
// Safe: `slot` is touched only under its shard's lock; everything else in the memory is constant, atomic or has a lock.
@usableFromInline
package struct ChainRecord: @unchecked Sendable {
  /// How the subscription came to be over.
  private enum Over: UInt8 {
    case no, disposed, completed
  }

  /// The block's beginning. Its first chunk of nodes lies behind it.
  struct Head: ~Copyable {
    /// Retained, unless the recorder is permanent.
    let link: Unmanaged<RecorderLink>
    let source = OnceReference<SourceNode>()
    let extras = OnceReference<ChainExtras>()
    /// What keeps the chain from retiring: one for the subscription, one for each tap, and many while the chain is being connected.
    let holds = Atomic<Int32>(ChainRecord.connectingHold + 1)
    /// What keeps the memory: one for the chain itself, which the list of ended chains takes over, and one for each reader.
    let keepers = Atomic<Int32>(1)
    /// The place in the shard's list of chains; -1 while it is in none.
    var slot: Int32 = -1
    fileprivate let over = Atomic<UInt8>(Over.no.rawValue)
    /// See ``ChainRecord/Mark``.
    let marks = Atomic<UInt8>(0)
    /// See ``ChainRoom``.
    let place: UInt8
    /// In which of the recorder's shards it is listed.
    let shard: UInt8
    /// When the subscription was made.
    let beganAt = CoarseTime.now
    /// How many values the source had sent before.
    let sentBefore = Atomic<UInt64>(0)

    init(_ recorder: Unmanaged<GraphRecorder>, place: UInt8) {
      self.place = place
      shard = recorder._withUnsafeGuaranteedRef { $0.shards.ofThisThread }
      link = recorder._withUnsafeGuaranteedRef { recorder in
        let link = Unmanaged.passUnretained(recorder.link)
        return recorder.isPermanent ? link : link.retain()
      }
    }

    deinit {
      if !link._withUnsafeGuaranteedRef({ $0.isPermanent }) { link.release() }
    }
  }

  let head: UnsafeMutablePointer<Head>

  private static var connectingHold: Int32 { 1 << 30 }

  // Each of these makes a record that owns itself, and lists it. Whoever makes it calls ``connected()`` once the chain is connected, and
  // ``subscriptionEnded(_:)`` once the subscription is over. `room` is for nodes in the same block of memory.

  /// Makes the record of a subscription, when there is a recorder for it.
  ///
  /// - Parameters:
  ///   - recorder: That of the signal; another one around this goes before it.
  ///   - owner: The subscription's owner, if it has one; else the scope around this is its owner.
  package static func begin(
    inheriting recorder: GraphRecorder?, owner: NodeOwner?, writingTo target: SourceNode? = nil, room: ChainRoom
  ) -> ChainRecord? {
    let owner = owner ?? GraphScope.innermost.map(NodeOwner.scope)
    let asking = AskingStep.innermost
    let extras = owner != nil || asking != nil ? ChainExtras(owner: owner, target: target, asking: asking) : nil
    if let ofScope = GraphRecorder.ofScope { return begin(in: ofScope, extras, room: room) }
    // Neither is retained for the call: the caller has the signal's recorder, and that of the process is always there.
    guard let recorder = recorder.map(Unmanaged.passUnretained) ?? Introspection.recorderOfProcess else { return nil }
    return begin(in: recorder, extras, room: room)
  }

  /// Makes the record of an operator's further input, where the operator is recorded.
  package static func begin(below node: NodeReference, as kind: Edge.Kind, room: ChainRoom) -> ChainRecord? {
    begin(
      in: node.recorder, ChainExtras(downstream: ChainDownstream(.node(node), kind), owner: node.owner), room: room)
  }

  /// Makes the record of a shared signal's own subscription, where the shared signal is recorded.
  package static func begin(below source: SourceNode, room: ChainRoom) -> ChainRecord? {
    begin(in: source.recorder, ChainExtras(downstream: ChainDownstream(.source(source), .data)), room: room)
  }

  private static func begin(in recorder: GraphRecorder?, _ extras: ChainExtras?, room: ChainRoom) -> ChainRecord? {
    guard let recorder else { return nil }
    return withExtendedLifetime(recorder) { begin(in: .passUnretained(recorder), extras, room: room) }
  }

  private static func begin(
    in recorder: Unmanaged<GraphRecorder>, _ extras: ChainExtras?, room: ChainRoom
  ) -> ChainRecord {
    let record = ChainRecord(recorder: recorder, room: room)
    if let extras { record.head.pointee.extras.storeIfNil(extras) }
    recorder._withUnsafeGuaranteedRef { $0.begin(record) }
    return record
  }

  private init(recorder: Unmanaged<GraphRecorder>, room: ChainRoom) {
    let units = min(room.units, Int(UInt16.max))
    let memory = NodeChunk.allocate(ChainLayout.native.recordSize(units: units))
    head = memory.bindMemory(to: Head.self, capacity: 1)
    head.initialize(to: Head(recorder, place: room.place))
    NodeChunk.initialize(memory + ChainLayout.native.chunkOffset, units: units)
  }

  /// How much room a single node takes, in units; see ``ChainLayout/unit``.
  @usableFromInline
  package static var singleRoom: Int { ChainLayout.native.singleUnits }

  /// How much room an operator and the subscriber directly below it take, in units.
  @usableFromInline
  package static var pairRoom: Int { ChainLayout.native.pairUnits }

  /// How much room so many joined operators take, in units, with or without a subscriber directly below them.
  @usableFromInline
  package static func room(stages: Int) -> Int { ChainLayout.native.units(stages: stages) }

  private func free() {
    NodeChunk.deinitialize(chunks)
    head.deinitialize(count: 1)
    NodeChunk.deallocate(head)
  }

  // MARK: Being kept

  /// Keeps the memory, until ``letGo()``. Only for who knows that it is still there.
  func keep() {
    head.pointee.keepers.add(1, ordering: .relaxed)
  }

  /// Frees the memory, unless others keep it. Not under a lock: that releases what the record refers to.
  func letGo() {
    // Who keeps it alone need not write: nobody else can begin to keep it.
    if head.pointee.keepers.load(ordering: .acquiring) == 1
      || head.pointee.keepers.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    {
      free()
    }
  }

  /// What tells it from others.
  package var address: UInt { UInt(bitPattern: head) }

  /// In which of the recorder's shards it is listed.
  var shard: UInt8 { head.pointee.shard }

  /// The place in the shard's list of chains; -1 while it is in none. Only under the shard's lock.
  var slot: Int32 {
    get { head.pointee.slot }
    nonmutating set { head.pointee.slot = newValue }
  }

  // MARK: Connecting, on one thread

  /// Adds the nodes of a group above those that are there already.
  func append(_ sites: consuming GroupSites) -> UnsafeMutablePointer<NodeGroup> {
    let chunk = chunk(withRoomFor: sites.units)
    if let extras = head.pointee.extras.load() {
      extras.useName(for: chunk.pointee.newestIdentifier + 1)
    }
    let group = NodeChunk.append(sites, to: chunk)
    if isRecorderTracing { group.pointee.isTraced.store(true, ordering: .relaxed) }
    return group
  }

  /// Whether the recorder traces what handlers do.
  var isRecorderTracing: Bool {
    head.pointee.link._withUnsafeGuaranteedRef { $0.isTracing }
  }

  private func chunk(withRoomFor units: Int) -> UnsafeMutablePointer<NodeChunk> {
    let last = NodeChunk.last(chunks)
    return last.pointee.hasRoom(units: units) ? last : NodeChunk.makeNext(last, units: units, nodeCount: nodeCount)
  }

  /// The node that was added last: that of an operator that has further inputs, while they are being connected.
  package var top: NodeReference? {
    let last = NodeChunk.last(chunks)
    return last.pointee.nodeCount.load(ordering: .relaxed) > 0
      ? NodeReference(self, last.pointee.newestIdentifier) : nil
  }

  /// Gives the next node a name, unless an operator nearer to the subscriber has given it one.
  package func nameNext(_ name: String) {
    writableExtras.nameNext(name)
  }

  /// Says of the next node that it is an end of a channel, beside what is said of it further down. With ``nameNext(_:)``.
  package func linkNext(_ link: ChannelLink) {
    writableExtras.linkNext(link.end)
  }

  /// Whether the recorder wants to find the subscription.
  package var findsSubscription: Bool {
    head.pointee.link._withUnsafeGuaranteedRef { link in
      !link.isPermanent && link.use { $0.findsSubscriptions } == true
    }
  }

  /// Notes how the subscription is found while it lives.
  package func noteSubscription(_ find: @escaping @Sendable () -> AnyObject?) {
    let extras = writableExtras
    extras.findSubscription = find
    let capture = head.pointee.link._withUnsafeGuaranteedRef { link in link.use { $0.captureCreation } } ?? nil
    if let capture { extras.trace = capture() }
  }

  /// How the program came to subscribe, where that was captured.
  var trace: (any Sendable)? { head.pointee.extras.load()?.trace }

  /// Finds the subscription while it lives; nil where that was not noted.
  var findSubscription: (@Sendable () -> AnyObject?)? { head.pointee.extras.load()?.findSubscription }

  /// The names of its nodes, if there are any.
  var knownNames: [UInt64: String]? { head.pointee.extras.load()?.names }

  /// The name for a shared source that is reached now.
  func takeNextName() -> String? { head.pointee.extras.load()?.takeNextName() }

  /// The ends of channels that a shared source is which is reached now.
  func takeNextChannels() -> [ChannelEnd] { head.pointee.extras.load()?.takeNextChannels() ?? [] }

  private var writableExtras: ChainExtras {
    head.pointee.extras.load() ?? head.pointee.extras.storeIfNil(ChainExtras())
  }

  /// Notes what counts the values that wait in a node.
  func note(_ queue: QueueCounts, of node: UInt64) {
    writableExtras.note(queue, of: node)
  }

  /// Changes what is noted of a node that subscribes again after failures.
  func changeAttempts(of node: UInt64, _ change: (inout Attempts?) -> Void) {
    writableExtras.changeAttempts(of: node, change)
  }

  /// Changes it, if anything is noted.
  func changeKnownAttempts(of node: UInt64, _ change: (inout Attempts?) -> Void) {
    head.pointee.extras.load()?.changeAttempts(of: node, change)
  }

  /// Notes that a value was sent to a node after the subscription had ended.
  func noteSentAfterEnd(of node: UInt64) {
    writableExtras.noteSentAfterEnd(of: node)
  }

  /// Notes on what a node's work runs.
  func note(_ schedule: NotedSchedule) {
    writableExtras.note(schedule)
  }

  /// Notes which shared source delivers to the uppermost node.
  ///
  /// - Parameter sent: How many values it has sent.
  func connect(to source: borrowing OnceReference<SourceNode>, after sent: UInt64) {
    head.pointee.sentBefore.store(sent, ordering: .relaxed)
    source.share(with: head.pointee.source)
    source.load()?.passLateness(to: self)
  }

  /// Notes that no more nodes are added.
  package func connected() {
    let extent = NodeChunk.extent(chunks)
    RoomMemory.shared.remember(extent.units, at: head.pointee.place)
    if extent.groupCount == 0, isRecorderTracing { noteAsInput() }
    dropHolds(Self.connectingHold - extent.groupCount)
  }

  // MARK: Tracing, on any thread

  /// Traces what its groups deliver, or does not any more.
  func traceHandlers(_ isOn: Bool) {
    NodeChunk.forEachGroup(chunks) { group, _ in group.pointee.isTraced.store(isOn, ordering: .relaxed) }
  }

  /// Forgets what the subscriber's handler took.
  func forgetHandlerCounts() { head.pointee.extras.load()?.forgetHandlerCounts() }

  /// Forgets which causes came.
  func forgetCauses() {
    guard let extras = head.pointee.extras.load() else { return }
    extras.knownHandlerCounts?.forgetCauses()
    extras.forgetQueuedCauses()
  }

  /// What is noted while handlers are traced.
  var handlerCounts: HandlerCounts { writableExtras.handlerCounts }

  /// The same, if there is anything.
  var knownHandlerCounts: HandlerCounts? { head.pointee.extras.load()?.knownHandlerCounts }

  /// Whether the subscription is being connected.
  var isConnecting: Bool { head.pointee.holds.load(ordering: .relaxed) >= Self.connectingHold / 2 }

  /// Calls a closure with the groups and the identifier of the lowest node of each, from the subscriber up.
  func forEachGroup(_ body: (UnsafeMutablePointer<NodeGroup>, UInt64) -> Void) {
    NodeChunk.forEachGroup(chunks, body)
  }

  // MARK: Ending, on any thread

  /// How a subscription ended.
  package enum SubscriptionEnd: Sendable {
    /// Its signal finished or failed.
    case completed
    /// The program disposed it.
    case disposed
    /// Its last reference was released.
    case released
    /// The bag that held it was released.
    case releasedWithBag
    /// Its owner is deallocated.
    case ownerGone
    /// The actor on which its values are delivered is deallocated.
    case actorGone
  }

  /// Notes that the subscription is over. Called once, by the thread that ended it: the record may be freed before this returns.
  package func subscriptionEnded(_ end: SubscriptionEnd) {
    if end == .released, findsSubscription, let source, sentCount(of: source) == 0 { mark(.released) }
    if end == .released || end == .releasedWithBag { markIfShort() }
    // A subscription that ends with an actor, or with a test's own variables, loses no value that anything still waits for.
    switch end {
    case .completed, .actorGone: break
    case .disposed: head.pointee.extras.load()?.noteLost()
    case .released, .releasedWithBag, .ownerGone:
      if !findsSubscription { head.pointee.extras.load()?.noteLost() }
    }
    if end == .completed { noteLatenessBelow() }
    head.pointee.over.store((end == .completed ? Over.completed : .disposed).rawValue, ordering: .releasing)
    dropHolds(1)
  }

  /// The words that are kept of a failure. They may be the program's: no lock may be held.
  func words(of failure: any Error) -> String {
    // Safe: the record keeps the link until it is retired.
    head.pointee.link._withUnsafeGuaranteedRef { $0.words(of: failure) }
  }

  /// Notes that a group delivers its end. Only for its tap.
  func ended(_ group: UnsafeMutablePointer<NodeGroup>, failure: (any Error)?) {
    if head.pointee.over.load(ordering: .acquiring) == Over.disposed.rawValue { return }
    // The reason first, so that nobody sees a failed node without one; the first end counts.
    if let failure, group.pointee.ending == .live {
      writableExtras.note(failure, of: group, words: words)
    }
    group.pointee.end(failed: failure != nil)
    // Who shares the chain comes late with it.
    if case .source(let shared)? = downstream?.target, lowestNode != nil, isLate(before: .max) {
      shared.ended(failure: failure, isEarlier: true)
    }
  }

  /// The node that was added first, and how many values have passed it.
  var lowestNode: (identifier: UInt64, valueCount: UInt64)? {
    NodeChunk.firstGroup(chunks).map { group, identifier in
      (identifier, NodeGroup.valueCount(group, group.pointee.nodeCount - 1))
    }
  }

  /// Notes that nothing holds the closures of a group any more. Called once for each, by its tap: the record may be freed before this returns.
  func freed(_ group: UnsafeMutablePointer<NodeGroup>) {
    group.pointee.isFreed.store(true, ordering: .releasing)
    dropHolds(1)
  }

  private func dropHolds(_ count: Int32) {
    // Whoever has the last holds need not write: nobody else can drop or add one.
    guard
      head.pointee.holds.load(ordering: .acquiring) == count
        || head.pointee.holds.subtract(count, ordering: .acquiringAndReleasing).newValue == 0
    else { return }
    // Safe: the record keeps the link until it is retired; the link keeps the recorder for the call.
    let isRetired: Void? = head.pointee.link._withUnsafeGuaranteedRef { $0.use { $0.retire(self) } }
    if isRetired == nil { letGo() }
  }

  /// How much the chain counts against the limit of ended ones. One without nodes still has an edge if it reached a source.
  var weight: Int {
    let nodeCount = nodeCount
    return nodeCount > 0 ? nodeCount : head.pointee.source.isSet ? 1 : 0
  }

  // MARK: Reading, on any thread

  private var chunks: UnsafeMutablePointer<NodeChunk> {
    (UnsafeMutableRawPointer(head) + ChainLayout.native.chunkOffset).assumingMemoryBound(to: NodeChunk.self)
  }

  /// How many nodes others may read.
  var nodeCount: Int {
    var count = 0
    NodeChunk.forEach(chunks) { count += Int($0.pointee.nodeCount.load(ordering: .acquiring)) }
    return count
  }

  /// Nil when nobody holds the recorder any more.
  var recorder: GraphRecorder? { head.pointee.link._withUnsafeGuaranteedRef { $0.use { $0 } } }

  /// Where the lowest node delivers to; nil at a subscriber.
  var downstream: ChainDownstream? { head.pointee.extras.load()?.downstream }

  var owner: NodeOwner? { head.pointee.extras.load()?.owner }

  /// The source into which the subscriber writes each value, if it is a binding.
  var target: SourceNode? { head.pointee.extras.load()?.target }

  /// The step of another pipeline that takes the values of the subscription, if it is a loop that the step asks.
  var askingStep: AskingStep? { head.pointee.extras.load()?.asking }

  /// When the subscription was made.
  var beganAt: CoarseTime { head.pointee.beganAt }

  /// Adds how the subscription ended to the counts of the place where its lowest node is written. Once it is over.
  func countEnd(in counts: inout SiteTable<EndCounts>) {
    guard let (lowest, identifier) = NodeChunk.firstGroup(chunks) else { return }
    countCaughtFailures(in: &counts)
    let position = lowest.pointee.nodeCount - 1
    let hasValues = NodeGroup.valueCount(lowest, position) > unheardCount
    // Not retained for the call: what was set stays until the record goes.
    let source = head.pointee.source.unmanaged
    let site = NodeGroup.site(lowest, position)
    let isLate =
      source.map { $0._withUnsafeGuaranteedRef { $0.hadEnded(before: identifier) } }
      ?? (haveInputsComeLate && lowest.pointee.ending != .live)
    // A place that is counted for the first time is rare: so there is one look-up.
    counts[site, default: EndCounts()].add(
      lowest.pointee.ending, isUnused: !hasValues && has(.short), isReleased: !hasValues && has(.released),
      isLate: !hasValues && !site.hearsEnd && isLate)
    // An inner signal that gives way to the next one loses nothing that anybody still wants.
    guard head.pointee.over.load(ordering: .relaxed) == Over.disposed.rawValue, downstream?.kind != .inner else {
      return
    }
    head.pointee.extras.load()?.forEachQueue { node, lost in
      guard let (site, delivered) = place(of: node) else { return }
      counts[site, default: EndCounts()].addDisposal(losing: lost, after: delivered)
    }
  }

  /// Counts the failures that reached a `catch` or `replaceError`, within the chain or directly below it.
  private func countCaughtFailures(in counts: inout SiteTable<EndCounts>) {
    guard let extras = head.pointee.extras.load(), extras.hasFailures else { return }
    var (isBelowFailed, siteBelow) = (false, siteDirectlyBelow)
    NodeChunk.forEachGroup(chunks) { group, _ in
      let isFailed = group.pointee.ending == .failed
      if isFailed, !isBelowFailed, let site = siteBelow, site.behavior.contains(.replacesFailure) {
        counts[site, default: EndCounts()].addCaught(extras.failure(of: group))
      }
      (isBelowFailed, siteBelow) = (isFailed, NodeGroup.site(group, 0))
    }
  }

  /// The location of the operator that the chain delivers its values to; nil at a subscriber, and for an inner signal or a trigger.
  var siteDirectlyBelow: Site? {
    guard let downstream, downstream.kind == .data || downstream.kind == .hop, case .node(let node) = downstream.target
    else { return nil }
    return node.site
  }

  /// Whether the subscription is still connected to its origin.
  var isConnected: Bool { head.pointee.over.load(ordering: .acquiring) == Over.no.rawValue }

  /// The shared source that delivers to the uppermost node. It may be set at any time, so who needs it twice reads it once.
  var source: SourceNode? { head.pointee.source.load() }

  /// The uppermost node's identifier.
  var topIdentifier: UInt64? {
    var top: UInt64?
    NodeChunk.forEachGroup(chunks) { group, identifier in top = identifier + UInt64(group.pointee.nodeCount) - 1 }
    return top
  }

  /// Calls a closure with each node, from the subscriber up.
  func forEachNode(_ body: (NodeReading) -> Void) {
    var downstream = downstream?.identifier
    NodeChunk.forEachGroup(chunks) { group, identifier in
      let isFreed = group.pointee.isFreed.load(ordering: .acquiring)
      let state = state(group.pointee.ending, isFreed: isFreed)
      // After the state, as a reason is noted before the failure; and here, as a name is noted before the node is added.
      let notes = head.pointee.extras.load()?.notes
      let causes = knownHandlerCounts?.causes(of: group)
      let value = knownHandlerCounts?.value(of: group)
      let count = group.pointee.nodeCount
      for step in 0..<count {
        let position = count - 1 - step
        let own = identifier + UInt64(step)
        let queue = notes?.queues[own]
        let isHandler = downstream == nil && self.downstream == nil
        body(
          NodeReading(
            identifier: own, site: NodeGroup.site(group, position), name: notes?.names[own], state: state,
            failure: state == .failed ? notes?.failures[UInt(bitPattern: group)] : nil, isFreed: isFreed,
            valueCount: NodeGroup.valueCount(group, position) - (isHandler ? unheardCount : 0),
            // What waits when the subscription is over waits for nothing any more.
            waitingCount: state == .live ? queue?.waitingCount ?? 0 : 0,
            droppedCount: (queue?.droppedCount ?? 0) &+ (notes?.sentAfterEnd[own] ?? 0),
            downstream: downstream, handler: isHandler ? knownHandlerCounts?.reading : nil,
            causes: step == count - 1 ? causes : causes?.map(\.passing),
            // What the last operator gives, its subscriber gets.
            lastValue: step <= group.pointee.nodeCount - group.pointee.counterCount ? value : nil,
            schedule: queue?.schedule ?? head.pointee.extras.load()?.schedule(of: own),
            waits: state == .live ? queue?.waitTimes : nil, attempts: notes?.attempts[own],
            channels: notes?.channels[own] ?? []))
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
      switch Over(rawValue: head.pointee.over.load(ordering: .acquiring)) {
      case .disposed: .disposed
      case .completed where isFreed: .disposed
      default: .live
      }
    }
  }

  /// Where a node is written.
  func site(of identifier: UInt64) -> Site? { place(of: identifier)?.site }

  /// Where a node is written, and how many values have passed it.
  private func place(of identifier: UInt64) -> (site: Site, valueCount: UInt64)? {
    var found: (Site, UInt64)?
    NodeChunk.forEachGroup(chunks) { group, lowest in
      let count = UInt64(group.pointee.nodeCount)
      guard identifier >= lowest, identifier < lowest + count else { return }
      let position = Int(count - 1 - (identifier - lowest))
      found = (NodeGroup.site(group, position), NodeGroup.valueCount(group, position))
    }
    return found
  }

  /// What is known of one node.
  func reading(of identifier: UInt64) -> NodeReading? {
    var found: NodeReading?
    var isPossible = false
    NodeChunk.forEach(chunks) { isPossible = isPossible || $0.pointee.holds(identifier) }
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
  /// How many values wait in it to be delivered.
  var waitingCount = 0
  /// How many values it has dropped because too many waited.
  var droppedCount: UInt64 = 0
  /// The node that it delivers to.
  var downstream: UInt64?
  /// What its handler took, if it is a subscriber's and handlers are being traced.
  var handler: HandlerTimes?
  /// The last causes that came to it, if they are being traced.
  var causes: [Cause]?
  /// What the last value that it gave looked like, where the program wants that.
  var lastValue: String?
  /// On what its work runs, and how long it waits.
  var schedule: NodeSchedule?
  /// How long values waited in it.
  var waits: WaitTimes?
  /// What it has tried, if it subscribes again after failures.
  var attempts: Attempts?
  /// Whether it has ended because nobody kept it.
  var isReleased = false
  /// What it keeps for new subscribers.
  var memory: (limit: UInt64, count: UInt64?)?
  /// Whether it is asked for a value right now, and since when, if it gives values only when it is asked.
  var demand: (isAsked: Bool, since: CoarseTime)?
  /// The ends of channels that it is.
  var channels: [ChannelEnd] = []
}
