import DequeModule
import SignalGraph
import Synchronization

/// Records the nodes of a graph, and creates snapshots of it.
///
/// There is one for the process while the graph is on (see ``Introspection``), and one for each test that checks for
/// leaks, which does not see the objects of other tests.
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
/// Emitters and signals that are created while it records retain it; recorded chains do not. It is deallocated with its
/// last reference, together with all its ended chains.
public final class GraphRecorder: Sendable {
  struct State {
    var definitions: [Site: Int] = [:]
    var sources: ContiguousArray<SourceNode> = []
    /// Steps of other pipelines, such as async sequences and publishers, that report through a ``GraphReporter``; and
    /// their ends.
    var reported: ContiguousArray<ReportedNode> = []
    var reportedEnds = SiteTable<EndCounts>()
    var ended: Deque<EndedMembers> = []
    var endedNodeCount = 0
    /// Evicted nodes, by location.
    var gone = SiteTable<GoneNodes>()
    /// Unhandled failures, by the location of the subscriber; the shards count all other ends.
    var unhandled = SiteTable<EndCounts>()
    /// The number of sends of each handler to each source while handlers were profiled.
    var sends: [TracedSend: UInt64] = [:]
    var pendingWork: [UInt64: PendingWork] = [:]
    var watchers: [UInt64: @Sendable () -> Void] = [:]
    var isClosed = false
  }

  /// Called with a failure, and the location of the subscription that it ended.
  package typealias FailureHandler = @Sendable (any Error, Site) -> Void

  let state = Locked(State())
  /// Its chains. Where both locks are held, a shard's was taken first.
  let shards: ChainShards
  /// Whether there is a watcher, see ``watch(_:)``.
  private let isWatched = Atomic<Bool>(false)
  /// The link through which recorded objects reach this.
  let link = RecorderLink()
  /// The number of ended nodes retained for snapshots. Unless 0, the latest ended chain is retained whole.
  public let endedLimit: Int
  /// The number of ended nodes in a shard's batch: a share of the list, or one if there is one shard.
  private let endedBatch: Int
  /// Whether it lives as long as the process.
  let isPermanent: Bool
  /// Handles unhandled failures of subscriptions to signals that were created while this records.
  package let failureHandler: FailureHandler?
  /// Whether it can find the subscriptions of its chains, for a check for retain cycles.
  package let findsSubscriptions: Bool
  /// Captures a backtrace where a subscription is created, or work requested; nil unless requested.
  let captureCreation: Capture?

  private let timeWatcher = Mutex<TimeWatcher?>(nil)

  /// A closure that is itself the value of a mutex would be wrapped again at each access.
  private struct TimeWatcher {
    let note: TimeNote
  }

  /// Called with the number of a virtual clock, and its time since its origin.
  package typealias TimeNote = @Sendable (_ clock: UInt64, _ moment: Duration) -> Void

  /// The observer of virtual time in recorded code, if there is one.
  package var timeNote: TimeNote? {
    get { timeWatcher.withLock { $0?.note } }
    set { timeWatcher.withLock { $0 = newValue.map(TimeWatcher.init(note:)) } }
  }

  /// The clients of profiling. Held while it is turned on or off in all chains.
  let changingTracing = Mutex<Set<ObjectIdentifier>>([])

  private let describer = Mutex<Describer?>(nil)

  /// A closure that is itself the value of a mutex would be wrapped again at each access.
  private struct Describer {
    let describe: ValueDescription
  }

  /// Describes a value; nil for one that must not be shown.
  package typealias ValueDescription = @Sendable (any Sendable) -> String?

  /// Describes the last values while handlers are profiled; nil unless the program requests it.
  var valueDescription: ValueDescription? { describer.withLock { $0 }?.describe }

  /// Sets the closure that describes the last values while handlers are profiled.
  package func describeValues(_ describe: ValueDescription?) {
    describer.withLock { $0 = describe.map(Describer.init(describe:)) }
  }

  /// The cost of describing values, in all chains.
  let descriptionPace = Mutex(DescriptionPace(share: 20))

  /// Captures the backtrace of the calling line.
  package typealias Capture = @Sendable () -> any Sendable

  /// The recorder that signals made in this task belong to.
  @TaskLocal private static var taskRecorder: GraphRecorder?
  /// Whether any recorder was ever installed for a task: before that, the lookup is skipped.
  private static let isTaskRecorderUsed = Atomic<Bool>(false)

  /// The recorder for objects that are created here and now.
  @usableFromInline package static var current: GraphRecorder? { innermost(or: nil) }

  /// The recorder for a source or a scheduler that is created here and now. A global variable's content belongs to no
  /// scope, even if it is initialized in one because it is first used there: other code uses it too.
  @usableFromInline package static var ofWhatIsMade: GraphRecorder? {
    ofScope ?? Introspection.recorder
  }

  /// The recorder of the innermost enclosing ``record(isolation:_:)``; nil elsewhere, even if the process records.
  package static var ofTask: GraphRecorder? { isTaskRecorderUsed.load(ordering: .relaxed) ? taskRecorder : nil }

  /// The recorder of the innermost enclosing ``record(isolation:_:)`` for objects and work that are created here and
  /// now: nil during the initialization of a global variable, whose emitters, subscriptions, work and tasks belong to
  /// no scope.
  static var ofScope: GraphRecorder? {
    guard let recorder = ofTask else { return nil }
    // A recorder that does not check lifetimes need not know.
    return recorder.findsSubscriptions && FirstUse.isUnderWay ? nil : recorder
  }

  /// The recorder of the innermost enclosing ``record(isolation:_:)``; elsewhere the inherited one, else the process's.
  static func innermost(or inherited: GraphRecorder?) -> GraphRecorder? {
    if let ofScope { return ofScope }
    return inherited ?? Introspection.recorder
  }

  /// Identifiers are unique in the process, because a node may be connected to one of another recorder.
  private static let lastIdentifier = Atomic<UInt64>(0)

  /// Reserves a number of consecutive identifiers.
  ///
  /// - Returns: The first.
  static func nextIdentifiers(_ count: Int) -> UInt64 {
    lastIdentifier.wrappingAdd(UInt64(count), ordering: .relaxed).oldValue + 1
  }

  /// The latest identifier.
  package static var latestIdentifier: UInt64 { lastIdentifier.load(ordering: .relaxed) }

  /// Creates a recorder that retains a number of ended nodes.
  ///
  /// - Parameter endedLimit: The number of ended nodes retained for snapshots. 0 retains none.
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
    endedBatch = 1
    link.lead(to: self)
  }

  /// Creates the recorder of the process, which is retained for ever.
  init(permanentWithEndedLimit endedLimit: Int) {
    self.endedLimit = endedLimit
    failureHandler = nil
    findsSubscriptions = false
    captureCreation = nil
    isPermanent = true
    shards = ChainShards(count: 32)
    endedBatch = max(1, endedLimit / 4)
    link.lead(to: self)
  }

  deinit {
    if link.isTracing { CauseTracing.end() }
    // Live chains own themselves; only ended ones were taken over.
    for member in state.withLock({ $0.ended }) { member.letGo() }
    shards.forEach { $0.takeEnded()?.letGo() }
  }

  /// Records everything that an asynchronous closure creates, here instead of in the process-wide recorder.
  ///
  /// - Parameters:
  ///   - isolation: The isolation of the closure: by default the caller's.
  ///   - body: Creates signals and subscriptions.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure.
  public func record<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    Self.isTaskRecorderUsed.store(true, ordering: .relaxed)
    Introspection.addReason()
    defer { Introspection.removeReason() }
    return try await Self.$taskRecorder.withValue(self, operation: body)
  }

  /// Records everything that a closure creates, here instead of in the process-wide recorder.
  ///
  /// Objects created in child tasks and in a `Task { }` of the closure are included; on other threads, those built on
  /// signals that were created here.
  ///
  /// - Parameter body: Creates signals and subscriptions.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure.
  public func record<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.isTaskRecorderUsed.store(true, ordering: .relaxed)
    Introspection.addReason()
    defer { Introspection.removeReason() }
    return try Self.$taskRecorder.withValue(self, operation: body)
  }

  /// Runs work that was requested while this recorded, on any thread. Objects that it creates are recorded here, unless
  /// this is the process's recorder.
  func doingWork(_ work: () -> Void) {
    if isPermanent || Self.taskRecorder === self { return work() }
    Self.isTaskRecorderUsed.store(true, ordering: .relaxed)
    // Even if nothing else records any more: work requested in a scope belongs to it when it runs later.
    Introspection.addReason()
    defer { Introspection.removeReason() }
    Self.$taskRecorder.withValue(self, operation: work)
  }

  /// Runs the work of a task that was requested while this recorded; see ``doingWork(_:)``.
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
    // After it was listed: profiling may begin or end in the meantime.
    if link.isTracing { source.updateTracing() }
    // It may have ended before it was listed.
    if source.isOver { retire(source) }
  }

  /// Moves an unused chain to the ended ones, and takes over its ownership of itself.
  ///
  /// It may be called under the lock of an emitter or a junction, which comes before the shard's and this recorder's.
  /// So nothing here may take such a lock, or run the program's code.
  func retire(_ record: ChainRecord) {
    let weight = endedLimit > 0 ? record.weight : 0
    let shard = record.shard
    switch shards.withShard(shard, { $0.retire(record, weight: weight, batch: endedBatch) }) {
    case .unlisted: return record.letGo()
    case .forgotten: record.letGo()
    case .kept: break
    // From here on it may be freed.
    case .full: handOver(shard)
    }
    if isWatched.load(ordering: .relaxed) { callWatchers() }
  }

  private func handOver(_ shard: UInt8) {
    var dropped = DroppedMembers()
    shards.withShard(shard) { takeEnded(of: &$0, dropping: &dropped) }
    dropped.letGo()
  }

  /// Adds the ended chains of a shard to the list of the ended, under the shard's lock.
  func takeEnded(of shard: inout ChainShard, dropping dropped: inout DroppedMembers) {
    guard let members = shard.takeEnded() else { return }
    state.withLock { $0.keepEnded(members, limit: endedLimit, dropping: &dropped) }
  }

  /// Moves an ended source to the ended ones; does nothing if it was already moved.
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
    // Even for one already moved: causes may have been noted since.
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

  /// - Returns: The node that requested the work, and the work's cause.
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

  /// Calls a closure, on any thread, whenever an ended chain is freed and whenever work is over, until ``unwatch(_:)``.
  package func watch(_ watcher: @escaping @Sendable () -> Void) -> UInt64 {
    let key = Self.nextIdentifiers(1)
    state.withLock { state in
      state.watchers[key] = watcher
      // A thread that sees a chain listed after this, under a shard's lock, is notified when it is freed.
      isWatched.store(true, ordering: .relaxed)
    }
    return key
  }

  /// Stops the calls of a closure that was passed to ``watch(_:)``.
  package func unwatch(_ key: UInt64) {
    let watcher = state.withLock { state in
      let watcher = state.watchers.removeValue(forKey: key)
      isWatched.store(!state.watchers.isEmpty, ordering: .relaxed)
      return watcher
    }
    withExtendedLifetime(watcher) {}
  }

  /// Discards everything except the numbers of source locations, and records nothing more, until ``reopen()``.
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
        // The numbers stay the same as long as the recorder lives, even for a snapshot that is being taken.
        state = State(definitions: state.definitions, isClosed: true)
      }
    }
    dropped.letGo()
    isWatched.store(false, ordering: .relaxed)
  }

  /// Records again after ``close()``.
  package func reopen() {
    shards.forEach { $0.reopen() }
    state.withLock { $0.isClosed = false }
  }
}
