import DequeModule
import SignalGraph
import Synchronization

/// Records the nodes of a graph, and makes snapshots of it.
///
/// There is one for the process while the graph is on (see ``Introspection``), and one for each test that checks for leaks: what happens in
/// other tests does not show in it.
///
/// ```swift
/// import SignalGraph
///
/// let bag = DisposeBag()
/// let recorder = GraphRecorder()
/// recorder.record {
///   Property(1).signal.map { $0 + 1 }.subscribe { print($0) }.store(in: bag)
/// }
/// print("\(recorder.snapshot().nodes.count) nodes")
/// ```
///
/// Emitters and signals that are made while it records hold it; what it recorded does not. When nobody holds it any more it is freed, with
/// all that it kept of ended chains.
public final class GraphRecorder: Sendable {
  struct State {
    var definitions: [Site: Int] = [:]
    var sources: ContiguousArray<SourceNode> = []
    /// Steps of other pipelines, and how they ended.
    var reported: ContiguousArray<ReportedNode> = []
    var reportedEnds = SiteTable<EndCounts>()
    var ended: Deque<EndedMembers> = []
    var endedNodeCount = 0
    /// What was kept of ended nodes, and is not any more, by place.
    var gone = SiteTable<GoneNodes>()
    /// The failures that nobody handled, by the place of the subscriber; what else ended, the shards count.
    var unhandled = SiteTable<EndCounts>()
    /// How often each handler sent to each source while handlers were traced.
    var sends: [TracedSend: UInt64] = [:]
    var pendingWork: [UInt64: PendingWork] = [:]
    var watchers: [UInt64: @Sendable () -> Void] = [:]
    var isClosed = false
  }

  /// What is called with a failure, and where the subscription is made that it ended.
  package typealias FailureHandler = @Sendable (any Error, Site) -> Void

  let state = Locked(State())
  /// Its chains. Where both locks are held, a shard's was taken first.
  let shards: ChainShards
  /// Whether anybody watches, see ``watch(_:)``.
  private let isWatched = Atomic<Bool>(false)
  /// What is recorded finds this by it.
  let link = RecorderLink()
  /// How many ended nodes are kept for snapshots. Of the latest chain that ended all nodes are kept, unless this is 0.
  public let endedLimit: Int
  /// At how many nodes of ended chains a shard hands them over: a share of the list, or at once where there is one shard.
  private let endedLot: Int
  /// Whether it lives as long as the process.
  let isPermanent: Bool
  /// What is done with failures that nobody handles, of subscriptions to signals that were made while this records.
  package let failureHandler: FailureHandler?
  /// Whether it can find the subscriptions of its chains, for a check that tries what keeps them.
  package let findsSubscriptions: Bool
  /// Captures how the program came to where a subscription is made, or work asked for; nil unless somebody wants to know.
  let captureCreation: Capture?

  private let timeWatcher = Mutex<TimeWatcher?>(nil)

  /// A closure that stands in a mutex by itself would be wrapped anew at each look at it.
  private struct TimeWatcher {
    let note: TimeNote
  }

  /// What is called with a virtual time, and the moment that it has reached since its origin.
  package typealias TimeNote = @Sendable (_ clock: ObjectIdentifier, _ moment: Duration) -> Void

  /// What wants to know how virtual time passes in what is recorded here, if anybody does.
  package var timeNote: TimeNote? {
    get { timeWatcher.withLock { $0?.note } }
    set { timeWatcher.withLock { $0 = newValue.map(TimeWatcher.init(note:)) } }
  }

  /// Held while tracing is turned on or off in all chains.
  let changingTracing = Mutex(())

  private let describer = Mutex<Describer?>(nil)

  /// A closure that stands in a mutex by itself would be wrapped anew at each look at it.
  private struct Describer {
    let describe: ValueDescription
  }

  /// Puts a value into words; nil for one that is not to be shown.
  package typealias ValueDescription = @Sendable (any Sendable) -> String?

  /// What puts the last values into words while handlers are traced; nil unless the program wants that.
  var valueDescription: ValueDescription? { describer.withLock { $0 }?.describe }

  /// Lets a closure put the last values into words while handlers are traced, or nobody.
  package func describeValues(_ describe: ValueDescription?) {
    describer.withLock { $0 = describe.map(Describer.init(describe:)) }
  }

  /// What it took to put values into words, in all chains.
  let descriptionPace = Mutex(DescriptionPace(share: 20))

  /// Returns what can tell later how the program came to the calling line.
  package typealias Capture = @Sendable () -> any Sendable

  /// The recorder that signals made in this task belong to.
  @TaskLocal private static var taskRecorder: GraphRecorder?
  /// Whether any recorder was ever installed for a task: before that, nobody need look for one.
  private static let isTaskRecorderUsed = Atomic<Bool>(false)

  /// The recorder for what is made here and now.
  @usableFromInline package static var current: GraphRecorder? { innermost(or: nil) }

  /// The recorder of what is made here and now, such as an emitter or a scheduler. What a global variable holds belongs to no scope, also when it is
  /// made in one because it is used there first: others use it too.
  @usableFromInline package static var ofWhatIsMade: GraphRecorder? {
    ofScope ?? Introspection.recorder
  }

  /// The recorder of the innermost ``record(isolation:_:)`` around this; nil elsewhere, also where the process records.
  package static var ofTask: GraphRecorder? { isTaskRecorderUsed.load(ordering: .relaxed) ? taskRecorder : nil }

  /// The recorder of the innermost ``record(isolation:_:)`` around this for what is made or begun here and now: nil where a global variable is made, whose
  /// emitters, subscriptions, work and tasks belong to no scope.
  static var ofScope: GraphRecorder? {
    guard let recorder = ofTask else { return nil }
    // A recorder that does not look for what lives too long need not know.
    return recorder.findsSubscriptions && FirstUse.isUnderWay ? nil : recorder
  }

  /// The recorder of the innermost ``record(isolation:_:)`` around this; elsewhere the one that `inherited` stands for, else the process's.
  static func innermost(or inherited: GraphRecorder?) -> GraphRecorder? {
    if let ofScope { return ofScope }
    return inherited ?? Introspection.recorder
  }

  /// Identifiers are unique in the process, because a node may be connected to one of another recorder.
  private static let lastIdentifier = Atomic<UInt64>(0)

  /// Reserves so many identifiers in a row.
  ///
  /// - Returns: The first.
  static func nextIdentifiers(_ count: Int) -> UInt64 {
    lastIdentifier.wrappingAdd(UInt64(count), ordering: .relaxed).oldValue + 1
  }

  /// The identifier that was given last.
  package static var latestIdentifier: UInt64 { lastIdentifier.load(ordering: .relaxed) }

  /// Makes a recorder that keeps so many ended nodes.
  ///
  /// - Parameter endedLimit: How many ended nodes are kept for snapshots. 0 keeps none.
  public convenience init(endedLimit: Int = 256) {
    self.init(endedLimit: endedLimit, failureHandler: nil)
  }

  package init(
    endedLimit: Int, failureHandler: FailureHandler?, findsSubscriptions: Bool = false, captureCreation: Capture? = nil
  ) {
    self.endedLimit = endedLimit
    self.captureCreation = captureCreation
    self.failureHandler = failureHandler
    self.findsSubscriptions = findsSubscriptions
    isPermanent = false
    shards = ChainShards(count: 1)
    endedLot = 1
    link.lead(to: self)
  }

  /// Makes the recorder of the process. Whoever makes it keeps it for ever.
  init(permanentWithEndedLimit endedLimit: Int) {
    self.endedLimit = endedLimit
    failureHandler = nil
    findsSubscriptions = false
    captureCreation = nil
    isPermanent = true
    shards = ChainShards(count: 32)
    endedLot = max(1, endedLimit / 4)
    link.lead(to: self)
  }

  deinit {
    if link.isTracing { CauseTracing.end() }
    // Chains that live own themselves; only what ended was taken over.
    for member in state.withLock({ $0.ended }) { member.letGo() }
    shards.forEach { $0.takeEnded()?.letGo() }
  }

  /// Records everything that an asynchronous closure makes, here and not in the process-wide recorder.
  ///
  /// - Parameters:
  ///   - isolation: Where the closure runs: by default where it is called.
  ///   - body: Makes signals and subscriptions.
  /// - Returns: What the closure returned.
  /// - Throws: What the closure throws.
  public func record<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    Self.isTaskRecorderUsed.store(true, ordering: .relaxed)
    Introspection.addReason()
    defer { Introspection.removeReason() }
    return try await Self.$taskRecorder.withValue(self, operation: body)
  }

  /// Records everything that a closure makes, here and not in the process-wide recorder.
  ///
  /// What is made in child tasks and in a `Task { }` of the closure is included; on other threads, what is built on signals that were made here.
  ///
  /// - Parameter body: Makes signals and subscriptions.
  /// - Returns: What the closure returned.
  /// - Throws: What the closure throws.
  public func record<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.isTaskRecorderUsed.store(true, ordering: .relaxed)
    Introspection.addReason()
    defer { Introspection.removeReason() }
    return try Self.$taskRecorder.withValue(self, operation: body)
  }

  /// Does work that was asked for while this recorded, on whichever thread. What it makes is recorded here, unless this is the process's.
  func doingWork(_ work: () -> Void) {
    if isPermanent || Self.taskRecorder === self { return work() }
    Self.isTaskRecorderUsed.store(true, ordering: .relaxed)
    // Also when nothing else records any more: what was asked for in a scope belongs to it when it is done later.
    Introspection.addReason()
    defer { Introspection.removeReason() }
    Self.$taskRecorder.withValue(self, operation: work)
  }

  /// Does the work of a task that was asked for while this recorded; see ``doingWork(_:)``.
  package func doingWork<Result>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Result
  ) async rethrows -> Result {
    if isPermanent || Self.taskRecorder === self { return try await work() }
    return try await record(work)
  }

  // MARK: Chains and sources

  /// Lists a chain.
  func begin(_ record: ChainRecord) {
    shards.withShard(record.shard) { $0.begin(record) }
  }

  /// Lists a source.
  func begin(_ source: SourceNode) {
    state.withLock { state in
      guard !state.isClosed else { return }
      source.slot = state.sources.count
      state.sources.append(source)
    }
    // After it was listed: tracing may begin or end meanwhile.
    if link.isTracing { source.updateTracing() }
    // It may have ended before it was listed.
    if source.isOver { retire(source) }
  }

  /// Moves a chain that nothing uses any more to the ended ones, and takes over what it owned of itself.
  ///
  /// It may be called under the lock of an emitter or a junction, which comes before the shard's and this recorder's. So nothing here may take such a lock, or run
  /// the program's code.
  func retire(_ record: ChainRecord) {
    let weight = endedLimit > 0 ? record.weight : 0
    let shard = record.shard
    switch shards.withShard(shard, { $0.retire(record, weight: weight, lot: endedLot) }) {
    case .unlisted: return record.letGo()
    case .forgotten: record.letGo()
    case .kept: break
    // From here on it may be gone.
    case .full: handOver(shard)
    }
    if isWatched.load(ordering: .relaxed) { callWatchers() }
  }

  private func handOver(_ shard: UInt8) {
    var dropped = DroppedMembers()
    shards.withShard(shard) { takeEnded(of: &$0, dropping: &dropped) }
    dropped.letGo()
  }

  /// Adds what ended in a shard to the list of the ended, under the shard's lock.
  func takeEnded(of shard: inout ChainShard, dropping dropped: inout DroppedMembers) {
    guard let members = shard.takeEnded() else { return }
    state.withLock { $0.keepEnded(members, limit: endedLimit, dropping: &dropped) }
  }

  /// Moves a source that has ended to the ended ones; nothing if it was moved already.
  func retire(_ source: SourceNode) {
    var dropped = DroppedMembers()
    let isListed = state.withLock { state in
      guard let slot = source.slot else { return false }
      source.slot = nil
      let last = state.sources.removeLast()
      if slot < state.sources.count {
        state.sources[slot] = last
        last.slot = slot
      }
      if endedLimit > 0 {
        state.keepEnded(.source(source), limit: endedLimit, dropping: &dropped)
      } else {
        dropped.add(.source(source))
      }
      return true
    }
    // Also what was moved already: causes may have been noted since.
    if !isListed { dropped.add(.source(source)) }
    dropped.letGo()
    if isListed, isWatched.load(ordering: .relaxed) { callWatchers() }
  }

  func callWatchersIfAny() {
    if isWatched.load(ordering: .relaxed) { callWatchers() }
  }

  private func callWatchers() {
    for watcher in state.withLock({ Array($0.watchers.values) }) { watcher() }
  }

  // MARK: Work

  func add(_ work: PendingWork) {
    state.withLock { state in
      if !state.isClosed { state.pendingWork[work.identifier] = work }
    }
  }

  /// - Returns: Who asked for the work, and what caused it.
  func beginPending(_ identifier: UInt64) -> (node: UInt64?, cause: CarriedCause?) {
    state.withLock { state in
      guard let index = state.pendingWork.index(forKey: identifier) else { return (nil, nil) }
      state.pendingWork.values[index].stage = .onItsWay
      return (state.pendingWork.values[index].node, state.pendingWork.values[index].cause)
    }
  }

  func removePending(_ identifier: UInt64) {
    let isKnown = state.withLock { $0.pendingWork.removeValue(forKey: identifier) != nil }
    if isKnown, isWatched.load(ordering: .relaxed) { callWatchers() }
  }

  /// Calls a closure, on any thread, whenever a chain that is over is freed and whenever work is over, until ``unwatch(_:)``.
  package func watch(_ watcher: @escaping @Sendable () -> Void) -> UInt64 {
    let key = Self.nextIdentifiers(1)
    state.withLock { state in
      state.watchers[key] = watcher
      // Whoever sees a chain listed after this, under a shard's lock, is told when it goes.
      isWatched.store(true, ordering: .relaxed)
    }
    return key
  }

  /// Stops the calls of a closure that was handed to ``watch(_:)``.
  package func unwatch(_ key: UInt64) {
    let watcher = state.withLock { state in
      let watcher = state.watchers.removeValue(forKey: key)
      isWatched.store(!state.watchers.isEmpty, ordering: .relaxed)
      return watcher
    }
    withExtendedLifetime(watcher) {}
  }

  /// Forgets everything but the numbers of places in the code, and records nothing more, until ``reopen()``.
  package func close() {
    var dropped = DroppedMembers()
    shards.withAll {
      takeEnded(of: &$0, dropping: &dropped)
      $0.close()
    } then: {
      state.withLock { state in
        for source in state.sources { source.slot = nil }
        for node in state.reported { node.slot = nil }
        for member in state.ended { dropped.add(member) }
        // The numbers stay the same for as long as the recorder lives, also for a snapshot that is being taken.
        state = State(definitions: state.definitions, isClosed: true)
      }
    }
    dropped.letGo()
    isWatched.store(false, ordering: .relaxed)
  }

  /// Records again after ``close()``.
  func reopen() {
    shards.forEach { $0.reopen() }
    state.withLock { $0.isClosed = false }
  }
}
