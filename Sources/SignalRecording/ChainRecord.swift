package import SignalGraph
import Synchronization

/// The live graph's record of one subscription, or of one of an operator's further inputs: its nodes, from the
/// subscriber up.
///
/// Within one subscription the chain is linear and is connected from the subscriber up, so the node below a new one is
/// always the one added before. At most one shared source, such as an emitter, delivers to the uppermost node.
///
/// The record begins a block of memory, with further ones if the chain is longer than expected. This is a reference that
/// does not retain it. The record owns itself: it lives until its subscription is over, it is not being connected any
/// more, and no closure of its chain is retained. Then it retires: to its shard's batch of ended chains, and with this batch
/// to the recorder's list. It is freed if that list keeps no ended chains. So closures need not retain it. A later reader retains it, see ``keep()``.
///
/// A reference by itself guarantees nothing: the memory may have been freed. Each call requires one of these, named in
/// its documentation:
///
/// | holder | from | until | may call |
/// |---|---|---|---|
/// | the thread that connects the chain | `begin` | ``connected()`` | everything |
/// | the thread that ended the subscription: it alone set the subscription's `ended` bit | that | ``subscriptionEnded(_:)`` | ``subscriptionEnded(_:)`` |
/// | a tap, for as long as a closure of the chain keeps it, so also inside a call of that closure | ``append(_:)`` | ``freed(_:)`` | ``ended(_:failure:)``, ``trace(_:_:_:)``, ``noteUnheard()`` |
/// | a ``NodeReference``, or a reader of the lists (``GraphRecorder/keepMembers()``) | ``keep()`` | ``letGo()`` | everything but connecting and ending |
/// | a shard, also its batch of ended chains, or the recorder's list of these, under its lock | ``ChainShard/begin(_:)`` | ``GraphRecorder/retire(_:)``, eviction | ``keep()`` |
// Safe: `slot` is touched only under its shard's lock; everything else in the memory is constant, atomic or has a lock.
@usableFromInline
package struct ChainRecord: @unchecked Sendable {
  /// The reason why the subscription is over.
  private enum Over: UInt8 {
    case no, disposed, completed
  }

  /// The block's beginning. Its first chunk of nodes follows it.
  struct Head: ~Copyable {
    /// Retained until the memory is freed, unless the recorder is permanent.
    let link: Unmanaged<RecorderLink>
    let source = OnceReference<SourceNode>()
    let extras = OnceReference<ChainExtras>()
    /// The holds that prevent the chain from retiring: one for the subscription, one for each tap, and many while the
    /// chain is being connected.
    let holds = Atomic<Int32>(ChainRecord.connectingHold + 1)
    /// The references to the memory: one for the chain itself, which the list of ended chains takes over, and one for
    /// each reader.
    let keepers = Atomic<Int32>(1)
    /// See ``ChainRecord/slot``.
    var slot: Int32 = -1
    fileprivate let over = Atomic<UInt8>(Over.no.rawValue)
    /// See ``ChainRecord/Mark``.
    let marks = Atomic<UInt8>(0)
    /// The index of the location in the ``CapacityMemory``.
    let place: UInt8
    /// The recorder's shard that lists it.
    let shard: UInt8
    /// The time of the subscription's creation.
    let beganAt = CoarseTime.now
    /// The number of values that the source had sent before.
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

  // Each of these creates a record that owns itself, and lists it. The caller calls ``connected()`` once the chain is
  // connected, and ``subscriptionEnded(_:)`` once the subscription is over. `capacity` is for nodes in the same block of
  // memory.

  /// Creates the record of a subscription, if there is a recorder for it.
  ///
  /// - Parameters:
  ///   - recorder: The signal's recorder; an enclosing one takes precedence.
  ///   - owner: The subscription's owner, if it has one; else the enclosing scope is its owner.
  package static func begin(
    inheriting recorder: GraphRecorder?, owner: NodeOwner?, writingTo target: SourceNode? = nil, capacity: ChainCapacity
  ) -> ChainRecord? {
    let owner = owner ?? GraphScope.innermost.map(NodeOwner.scope)
    let asking = AskingStep.innermost
    let extras = owner != nil || asking != nil ? ChainExtras(owner: owner, target: target, asking: asking) : nil
    if let ofScope = GraphRecorder.ofScope { return begin(in: ofScope, extras, capacity: capacity) }
    // Neither is retained for the call: the caller has the signal's recorder, and that of the process always exists.
    guard let recorder = recorder.map(Unmanaged.passUnretained) ?? Introspection.recorderOfProcess else { return nil }
    return begin(in: recorder, extras, capacity: capacity)
  }

  /// Creates the record of an operator's further input, where the operator is recorded.
  package static func begin(below node: NodeReference, as kind: Edge.Kind, capacity: ChainCapacity) -> ChainRecord? {
    begin(
      in: node.recorder, ChainExtras(downstream: ChainDownstream(.node(node), kind), owner: node.owner),
      capacity: capacity)
  }

  /// Creates the record of a shared signal's own subscription, where the shared signal is recorded.
  package static func begin(below source: SourceNode, capacity: ChainCapacity) -> ChainRecord? {
    begin(in: source.recorder, ChainExtras(downstream: ChainDownstream(.source(source), .data)), capacity: capacity)
  }

  private static func begin(in recorder: GraphRecorder?, _ extras: ChainExtras?, capacity: ChainCapacity)
    -> ChainRecord?
  {
    guard let recorder else { return nil }
    return withExtendedLifetime(recorder) { begin(in: .passUnretained(recorder), extras, capacity: capacity) }
  }

  private static func begin(
    in recorder: Unmanaged<GraphRecorder>, _ extras: ChainExtras?, capacity: ChainCapacity
  ) -> ChainRecord {
    let record = ChainRecord(recorder: recorder, capacity: capacity)
    if let extras { record.head.pointee.extras.storeIfNil(extras) }
    recorder._withUnsafeGuaranteedRef { $0.begin(record) }
    return record
  }

  private init(recorder: Unmanaged<GraphRecorder>, capacity: ChainCapacity) {
    let units = min(capacity.units, Int(UInt16.max))
    let memory = NodeChunk.allocate(ChainLayout.native.recordSize(units: units))
    head = memory.bindMemory(to: Head.self, capacity: 1)
    head.initialize(to: Head(recorder, place: capacity.place))
    NodeChunk.initialize(memory + ChainLayout.native.chunkOffset, units: units)
  }

  /// The capacity for a single node, in units; see ``ChainLayout/unit``.
  @usableFromInline
  package static var singleCapacity: Int { ChainLayout.native.singleUnits }

  /// The capacity for an operator and the subscriber directly below it, in units.
  @usableFromInline
  package static var pairCapacity: Int { ChainLayout.native.pairUnits }

  /// The capacity for fused operators, in units, with or without a subscriber directly below them.
  @usableFromInline
  package static func capacity(stages: Int) -> Int { ChainLayout.native.units(stages: stages) }

  private func free() {
    NodeChunk.deinitialize(chunks)
    head.deinitialize(count: 1)
    NodeChunk.deallocate(head)
  }

  // MARK: Being kept

  /// Retains the memory, until ``letGo()``. Only for a caller that knows that it still exists.
  func keep() {
    head.pointee.keepers.add(1, ordering: .relaxed)
  }

  /// Frees the memory, unless it has other references. Not under a lock: that releases the objects that the record
  /// references.
  func letGo() {
    // The holder of the only reference need not write: no other thread can begin to retain it.
    if head.pointee.keepers.load(ordering: .acquiring) == 1
      || head.pointee.keepers.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    {
      free()
    }
  }

  /// Its identity.
  package var address: UInt { UInt(bitPattern: head) }

  /// The recorder's shard that lists it.
  var shard: UInt8 { head.pointee.shard }

  /// The position in the shard's list of chains; -1 if it was never listed; without a meaning once it has retired. Only
  /// under the shard's lock.
  var slot: Int32 {
    get { head.pointee.slot }
    nonmutating set { head.pointee.slot = newValue }
  }

  // MARK: Connecting, on one thread

  /// Adds the nodes of a group above the existing ones.
  func append(_ sites: consuming GroupSites) -> UnsafeMutablePointer<NodeGroup> {
    let chunk = chunk(withCapacityFor: sites.units)
    if let extras = head.pointee.extras.load() {
      extras.useName(for: chunk.pointee.newestIdentifier + 1)
    }
    let group = NodeChunk.append(sites, to: chunk)
    // If profiling begins at this very moment, both threads may miss each other: then this group is not profiled until it
    // begins again.
    if isRecorderTracing { group.pointee.isTraced.store(true, ordering: .relaxed) }
    return group
  }

  /// Whether the recorder profiles handlers.
  var isRecorderTracing: Bool {
    head.pointee.link._withUnsafeGuaranteedRef { $0.isTracing }
  }

  private func chunk(withCapacityFor units: Int) -> UnsafeMutablePointer<NodeChunk> {
    let last = NodeChunk.last(chunks)
    return last.pointee.hasCapacity(units: units) ? last : NodeChunk.makeNext(last, units: units, nodeCount: nodeCount)
  }

  /// The node that was added last: that of an operator that has further inputs, while they are being connected.
  package var top: NodeReference? {
    let last = NodeChunk.last(chunks)
    return last.pointee.nodeCount.load(ordering: .relaxed) > 0
      ? NodeReference(self, last.pointee.newestIdentifier) : nil
  }

  /// Names the next node, unless an operator nearer to the subscriber has named it.
  package func nameNext(_ name: String) {
    writableExtras.nameNext(name)
  }

  /// Declares the next node as an end of a channel, in addition to declarations further down. Like ``nameNext(_:)``.
  package func linkNext(_ link: ChannelLink) {
    writableExtras.linkNext(link.end)
  }

  /// Whether the recorder requests the subscription, as that of a test does.
  package var findsSubscription: Bool {
    head.pointee.link._withUnsafeGuaranteedRef { link in
      !link.isPermanent && link.use { $0.findsSubscriptions } == true
    }
  }

  /// Stores the closure that returns the subscription while it lives.
  package func noteSubscription(_ find: @escaping @Sendable () -> AnyObject?) {
    let extras = writableExtras
    extras.findSubscription = find
    let capture = head.pointee.link._withUnsafeGuaranteedRef { link in link.use { $0.captureCreation } } ?? nil
    if let capture { extras.trace = capture() }
  }

  /// The name for a shared source that is reached now.
  func takeNextName() -> String? { head.pointee.extras.load()?.takeNextName() }

  /// The channel ends of a shared source that is reached now.
  func takeNextChannels() -> [ChannelEnd] { head.pointee.extras.load()?.takeNextChannels() ?? [] }

  /// Stores the shared source that delivers to the uppermost node.
  ///
  /// - Parameter sent: The number of values that it has sent.
  func connect(to source: borrowing OnceReference<SourceNode>, after sent: UInt64) {
    head.pointee.sentBefore.store(sent, ordering: .relaxed)
    source.share(with: head.pointee.source)
    source.load()?.passLateness(to: self)
  }

  /// Notes that no more nodes are added.
  package func connected() {
    let extent = NodeChunk.extent(chunks)
    CapacityMemory.shared.remember(extent.units, at: head.pointee.place)
    if extent.groupCount == 0, isRecorderTracing { noteAsInput() }
    dropHolds(Self.connectingHold - extent.groupCount)
  }

  // MARK: Further facts, on any thread

  /// The backtrace of the subscription's creation, if captured.
  var trace: (any Sendable)? { head.pointee.extras.load()?.trace }

  /// Returns the subscription while it lives; nil if that was not stored.
  var findSubscription: (@Sendable () -> AnyObject?)? { head.pointee.extras.load()?.findSubscription }

  /// The names of its nodes, if there are any.
  var knownNames: [UInt64: String]? { head.pointee.extras.load()?.names }

  private var writableExtras: ChainExtras {
    head.pointee.extras.load() ?? head.pointee.extras.storeIfNil(ChainExtras())
  }

  /// Stores the counts of the values that wait in a node.
  func note(_ queue: QueueCounts, of node: UInt64) {
    writableExtras.note(queue, of: node)
  }

  /// Changes the attempts of a node that subscribes again after failures.
  func changeAttempts(of node: UInt64, _ change: (inout Attempts?) -> Void) {
    writableExtras.changeAttempts(of: node, change)
  }

  /// Changes them, if there are any.
  func changeKnownAttempts(of node: UInt64, _ change: (inout Attempts?) -> Void) {
    head.pointee.extras.load()?.changeAttempts(of: node, change)
  }

  /// Notes that a value was sent to a node after the subscription had ended.
  func noteSentAfterEnd(of node: UInt64) {
    writableExtras.noteSentAfterEnd(of: node)
  }

  /// Stores the scheduler of a node's work.
  func note(_ schedule: NotedSchedule) {
    writableExtras.note(schedule)
  }

  // MARK: Tracing, on any thread

  /// Turns the recording of its groups' deliveries on or off.
  func traceHandlers(_ isOn: Bool) {
    NodeChunk.forEachGroup(chunks) { group, _ in group.pointee.isTraced.store(isOn, ordering: .relaxed) }
  }

  /// Discards the times of the subscriber's handler.
  func forgetHandlerCounts() { head.pointee.extras.load()?.forgetHandlerCounts() }

  /// Discards the recorded causes.
  func forgetCauses() {
    guard let extras = head.pointee.extras.load() else { return }
    extras.knownHandlerCounts?.forgetCauses()
    extras.forgetQueuedCauses()
  }

  /// The profile of handlers.
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

  /// Notes that the subscription is over. Called once, by the thread that ended it: the record may be freed before this
  /// returns.
  package func subscriptionEnded(_ end: SubscriptionEnd) {
    if findsSubscription {
      if end == .released, isSourceSilent { mark(.released) }
      noteSupplyBelow()
    }
    if end == .released || end == .releasedWithBag { markIfShort() }
    // A subscription that ends with an actor, or is released in a test, loses no value that is still needed.
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

  /// The stored description of a failure. It may be the program's code: no lock may be held.
  func words(of failure: any Error) -> String {
    // Safe: the link lives as long as this memory, see `Head`.
    head.pointee.link._withUnsafeGuaranteedRef { $0.words(of: failure) }
  }

  /// Notes that a group delivers its end. Only for its tap.
  func ended(_ group: UnsafeMutablePointer<NodeGroup>, failure: (any Error)?) {
    if head.pointee.over.load(ordering: .acquiring) == Over.disposed.rawValue { return }
    // The reason first, so that no failed node is seen without one; the first end counts.
    if let failure, group.pointee.ending == .live {
      writableExtras.note(failure, of: group, words: words)
    }
    group.pointee.end(failed: failure != nil)
    // If its source had ended before it was subscribed to, the shared source counts as ended before its subscribers
    // came.
    if case .source(let shared)? = downstream?.target, lowestNode != nil, isLate(before: .max) {
      shared.ended(failure: failure, isEarlier: true)
    }
  }

  /// The node that was added first, and the number of values that have passed it.
  var lowestNode: (identifier: UInt64, valueCount: UInt64)? {
    NodeChunk.firstGroup(chunks).map { group, identifier in
      (identifier, NodeGroup.valueCount(group, group.pointee.nodeCount - 1))
    }
  }

  /// Notes that the closures of a group have been released. Called once for each, by its tap: the record may be freed
  /// before this returns.
  func freed(_ group: UnsafeMutablePointer<NodeGroup>) {
    group.pointee.isFreed.store(true, ordering: .releasing)
    dropHolds(1)
  }

  private func dropHolds(_ count: Int32) {
    // No other thread holds it, so a load suffices.
    guard
      head.pointee.holds.load(ordering: .acquiring) == count
        || head.pointee.holds.subtract(count, ordering: .acquiringAndReleasing).newValue == 0
    else { return }
    // Clears the hold of the connecting thread, see `isConnecting`.
    if count > 1 { head.pointee.holds.store(0, ordering: .relaxed) }
    // Safe: the link lives as long as this memory, see `Head`, and retains the recorder for the call.
    let isRetired: Void? = head.pointee.link._withUnsafeGuaranteedRef { $0.use { $0.retire(self) } }
    if isRetired == nil { letGo() }
  }

  /// The weight of the chain against the limit of ended ones. One without nodes still has an edge if it reached a
  /// source.
  var weight: Int {
    let nodeCount = nodeCount
    return nodeCount > 0 ? nodeCount : head.pointee.source.isSet ? 1 : 0
  }

  // MARK: Reading, on any thread

  private var chunks: UnsafeMutablePointer<NodeChunk> {
    (UnsafeMutableRawPointer(head) + ChainLayout.native.chunkOffset).assumingMemoryBound(to: NodeChunk.self)
  }

  /// The number of nodes that other threads may read.
  var nodeCount: Int {
    var count = 0
    NodeChunk.forEach(chunks) { count += Int($0.pointee.nodeCount.load(ordering: .acquiring)) }
    return count
  }

  /// Nil when the recorder is deallocated.
  var recorder: GraphRecorder? { head.pointee.link._withUnsafeGuaranteedRef { $0.use { $0 } } }

  /// The receiver of the lowest node's values; nil at a subscriber.
  var downstream: ChainDownstream? { head.pointee.extras.load()?.downstream }

  var owner: NodeOwner? { head.pointee.extras.load()?.owner }

  /// The source into which the subscriber writes each value, if it is a binding.
  var target: SourceNode? { head.pointee.extras.load()?.target }

  /// The step of another pipeline that takes the values of the subscription, if it is a loop that the step reads from.
  var askingStep: AskingStep? { head.pointee.extras.load()?.asking }

  /// The time of the subscription's creation.
  var beganAt: CoarseTime { head.pointee.beganAt }

  /// Adds the end of the subscription to the counts of the location of its lowest node. Once it is over.
  func countEnd(in counts: inout SiteTable<EndCounts>) {
    guard let (lowest, identifier) = NodeChunk.firstGroup(chunks) else { return }
    countCaughtFailures(in: &counts)
    let position = lowest.pointee.nodeCount - 1
    let hasValues = heardCount(of: NodeGroup.valueCount(lowest, position)) > 0
    // Not retained for the call: a source that was set stays until the record is freed.
    let source = head.pointee.source.unmanaged
    let site = NodeGroup.site(lowest, position)
    let isLate =
      source.map { $0._withUnsafeGuaranteedRef { $0.hadEnded(before: identifier) && !hasReplay(of: $0) } }
      ?? (haveInputsComeLate && lowest.pointee.ending != .live)
    // A location that is counted for the first time is rare: so there is one look-up.
    counts[site, default: EndCounts()].add(
      lowest.pointee.ending, isUnused: !hasValues && has(.short),
      isReleased: !hasValues && has(.released) && !has(.suppliedInput),
      isLate: !hasValues && !site.hearsEnd && isLate)
    // An inner signal that is replaced by the next one loses no value that is still needed.
    guard head.pointee.over.load(ordering: .relaxed) == Over.disposed.rawValue, downstream?.kind != .inner else {
      return
    }
    head.pointee.extras.load()?.forEachQueue { node, lost in
      guard let (site, delivered) = place(of: node) else { return }
      counts[site, default: EndCounts()].addDisposal(losing: lost, after: delivered, isCounted: node == identifier)
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

  /// The location of the operator that the chain delivers its values to; nil at a subscriber, and for an inner signal or
  /// a trigger.
  var siteDirectlyBelow: Site? {
    guard let downstream, downstream.kind == .data || downstream.kind == .hop, case .node(let node) = downstream.target
    else { return nil }
    return node.site
  }

  /// Whether the subscription is still connected to its origin.
  var isConnected: Bool { head.pointee.over.load(ordering: .acquiring) == Over.no.rawValue }

  /// The shared source that delivers to the uppermost node. It may be set at any time, so a caller that needs it twice
  /// reads it once.
  var source: SourceNode? { head.pointee.source.load() }

  /// The uppermost node's identifier.
  var topIdentifier: UInt64? {
    var top: UInt64?
    NodeChunk.forEachGroup(chunks) { group, identifier in top = identifier + UInt64(group.pointee.nodeCount) - 1 }
    return top
  }

  /// The number of values that have passed the uppermost node.
  var uppermostValueCount: UInt64 {
    var count: UInt64 = 0
    NodeChunk.forEachGroup(chunks) { group, _ in count = NodeGroup.valueCount(group, 0) }
    return count
  }

  /// Calls a closure with each node, from the subscriber up.
  func forEachNode(_ body: (NodeReading) -> Void) {
    var downstream = downstream?.identifier
    NodeChunk.forEachGroup(chunks) { group, identifier in
      let isFreed = group.pointee.isFreed.load(ordering: .acquiring)
      let state = state(group.pointee.ending, isFreed: isFreed)
      // After the state, as a reason is stored before the failure; and here, as a name is stored before the node is
      // added.
      let notes = head.pointee.extras.load()?.notes
      let causes = knownHandlerCounts?.causes(of: group)
      let value = knownHandlerCounts?.value(of: group)
      let nodeCount = group.pointee.nodeCount
      for step in 0..<nodeCount {
        let position = nodeCount - 1 - step
        let own = identifier + UInt64(step)
        let queue = notes?.queues[own]
        let isHandler = downstream == nil && self.downstream == nil
        let count = NodeGroup.valueCount(group, position)
        body(
          NodeReading(
            identifier: own, site: NodeGroup.site(group, position), name: notes?.names[own], state: state,
            failure: state == .failed ? notes?.failures[UInt(bitPattern: group)] : nil, isFreed: isFreed,
            valueCount: isHandler ? heardCount(of: count) : count,
            // Values that wait when the subscription is over are never delivered.
            waitingCount: state == .live ? queue?.waitingCount ?? 0 : 0,
            droppedCount: (queue?.droppedCount ?? 0) &+ (notes?.sentAfterEnd[own] ?? 0),
            downstream: downstream, handler: isHandler ? knownHandlerCounts?.reading : nil,
            causes: step == nodeCount - 1 ? causes : causes?.map(\.passing),
            // The last operator's output is its subscriber's input.
            lastValue: step <= nodeCount - group.pointee.counterCount ? value : nil,
            schedule: queue?.schedule ?? head.pointee.extras.load()?.schedule(of: own),
            waits: state == .live ? queue?.waitTimes : nil, attempts: notes?.attempts[own],
            channels: notes?.channels[own] ?? []))
        downstream = own
      }
    }
  }

  /// The state of a node: its own end takes precedence; without one, that of the subscription. While the end may still
  /// be pending, the node lives.
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

  /// The location of a node.
  func site(of identifier: UInt64) -> Site? { place(of: identifier)?.site }

  /// The location of a node, and the number of values that have passed it.
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

  /// The reading of one node.
  func reading(of identifier: UInt64) -> NodeReading? {
    var found: NodeReading?
    var isPossible = false
    NodeChunk.forEach(chunks) { isPossible = isPossible || $0.pointee.holds(identifier) }
    if isPossible { forEachNode { if $0.identifier == identifier { found = $0 } } }
    return found
  }
}

/// A node of a chain at the time of reading.
struct NodeReading {
  let identifier: UInt64
  let site: Site
  let name: String?
  let state: Node.State
  let failure: String?
  let isFreed: Bool
  let valueCount: UInt64
  /// The number of values that wait in it to be delivered.
  var waitingCount = 0
  /// The number of values that it has dropped because its queue was full.
  var droppedCount: UInt64 = 0
  /// The node that it delivers to.
  var downstream: UInt64?
  /// The times of its handler, if it is a subscriber and handlers are profiled.
  var handler: HandlerTimes?
  /// The last causes that reached it, if they are recorded.
  var causes: [Cause]?
  /// The description of its last value, if the program requests it.
  var lastValue: String?
  /// The scheduler of its work, and its delays.
  var schedule: NodeSchedule?
  /// The times that values waited in it.
  var waits: WaitTimes?
  /// Its attempts, if it subscribes again after failures.
  var attempts: Attempts?
  /// Whether it ended because it was released.
  var isReleased = false
  /// The values that it retains for new subscribers.
  var memory: (limit: UInt64, count: UInt64?)?
  /// Whether a value is requested right now, and since when, if it delivers values only on request.
  var demand: (isAsked: Bool, since: CoarseTime)?
  /// The channel ends that it is.
  var channels: [ChannelEnd] = []
}
