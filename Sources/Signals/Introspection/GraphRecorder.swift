import DequeModule
import SignalGraph
import Synchronization

/// Records the nodes of a graph, and makes snapshots of it.
///
/// There is one for the process while the graph is on (see ``Introspection``), and one for each test that checks for leaks: what happens in
/// other tests does not show in it.
public final class GraphRecorder: Sendable {
  struct State {
    var definitions: [Site: Int] = [:]
    /// Those that have not retired. They own themselves, and take themselves out before they go.
    var chains: ContiguousArray<Unmanaged<ChainRecord>> = []
    var sources: ContiguousArray<SourceNode> = []
    var ended: Deque<EndedMember> = []
    var endedNodeCount = 0
    var pendingWork: [UInt64: PendingWork] = [:]
    var watchers: [UInt64: @Sendable () -> Void] = [:]
    var isClosed = false
  }

  let state = Mutex(State())
  /// How many ended nodes are kept for snapshots. Of the latest chain that ended all nodes are kept, unless this is 0.
  public let endedLimit: Int

  /// The recorder that signals made in this task belong to.
  @TaskLocal private static var taskRecorder: GraphRecorder?
  /// Whether any recorder was ever installed for a task: before that, nobody need look for one.
  private static let isTaskRecorderUsed = Atomic<Bool>(false)

  /// The recorder for what is made here and now.
  @usableFromInline static var current: GraphRecorder? { innermost(or: nil) }

  /// The recorder of the innermost ``record(isolation:_:)`` around this; elsewhere the one that `inherited` stands for, else the process's.
  static func innermost(or inherited: GraphRecorder?) -> GraphRecorder? {
    if isTaskRecorderUsed.load(ordering: .relaxed), let taskRecorder { return taskRecorder }
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

  /// Makes a recorder that keeps so many ended nodes.
  public init(endedLimit: Int = 256) {
    self.endedLimit = endedLimit
  }

  /// Records everything that `body` makes, here and not in the process-wide recorder.
  public func record<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    Self.isTaskRecorderUsed.store(true, ordering: .relaxed)
    Introspection.addReason()
    defer { Introspection.removeReason() }
    return try await Self.$taskRecorder.withValue(self, operation: body)
  }

  /// Records everything that `body` makes, here and not in the process-wide recorder.
  public func record<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.isTaskRecorderUsed.store(true, ordering: .relaxed)
    Introspection.addReason()
    defer { Introspection.removeReason() }
    return try Self.$taskRecorder.withValue(self, operation: body)
  }

  // MARK: Chains and sources

  /// Lists a chain.
  func begin(_ record: ChainRecord) {
    state.withLock { state in
      guard !state.isClosed else { return }
      record.slot = Int32(truncatingIfNeeded: state.chains.count)
      state.chains.append(.passUnretained(record))
    }
  }

  /// Lists a source.
  func begin(_ source: SourceNode) {
    state.withLock { state in
      guard !state.isClosed else { return }
      source.slot = state.sources.count
      state.sources.append(source)
    }
  }

  /// Moves a chain that nothing uses any more to the ended ones, and takes over what it owned of itself.
  func retire(_ record: ChainRecord) {
    retire(.chain(Unmanaged.passUnretained(record).takeRetainedValue()), weight: record.weight) { state in
      let slot = record.slot
      guard slot >= 0, let last = state.chains.popLast(), slot < state.chains.count else { return }
      state.chains[Int(slot)] = last
      last._withUnsafeGuaranteedRef { $0.slot = slot }
    }
  }

  /// Moves a source that has ended to the ended ones.
  func retire(_ source: SourceNode) {
    retire(.source(source), weight: 1) { state in
      guard let slot = source.slot, let last = state.sources.popLast() else { return }
      if slot == state.sources.count { return }
      state.sources[slot] = last
      last.slot = slot
    }
  }

  private func retire(_ member: EndedMember, weight: Int, takeOut: (inout State) -> Void) {
    // Released after the lock.
    var dropped: EndedMember?
    var alsoDropped: [EndedMember] = []
    let watchers: [@Sendable () -> Void] = state.withLock { state in
      guard !state.isClosed else { return [] }
      takeOut(&state)
      if endedLimit > 0, weight > 0 {
        while state.endedNodeCount + weight > endedLimit, let oldest = state.ended.popFirst() {
          state.endedNodeCount -= oldest.weight
          if dropped == nil { dropped = oldest } else { alsoDropped.append(oldest) }
        }
        state.ended.append(member)
        state.endedNodeCount += weight
      }
      return state.watchers.isEmpty ? [] : Array(state.watchers.values)
    }
    withExtendedLifetime((dropped, alsoDropped)) {}
    for watcher in watchers { watcher() }
  }

  // MARK: Work

  func add(_ work: PendingWork) {
    state.withLock { state in
      if !state.isClosed { state.pendingWork[work.identifier] = work }
    }
  }

  func beginPending(_ identifier: UInt64) {
    state.withLock { $0.pendingWork[identifier]?.stage = .onItsWay }
  }

  func removePending(_ identifier: UInt64) {
    let watchers: [@Sendable () -> Void] = state.withLock { state in
      state.pendingWork.removeValue(forKey: identifier) == nil ? [] : Array(state.watchers.values)
    }
    for watcher in watchers { watcher() }
  }

  /// Calls a closure, on any thread, whenever a chain that is over is freed and whenever work is over, until ``unwatch(_:)``.
  package func watch(_ watcher: @escaping @Sendable () -> Void) -> UInt64 {
    let key = Self.nextIdentifiers(1)
    state.withLock { $0.watchers[key] = watcher }
    return key
  }

  /// Stops the calls of a closure that was handed to ``watch(_:)``.
  package func unwatch(_ key: UInt64) {
    let watcher = state.withLock { $0.watchers.removeValue(forKey: key) }
    withExtendedLifetime(watcher) {}
  }

  /// Forgets everything and records nothing more: nodes that are still alive no longer keep the recorder alive.
  package func close() {
    let forgotten = state.withLock { state in
      defer {
        state = State()
        state.isClosed = true
      }
      return state
    }
    withExtendedLifetime(forgotten) {}
  }
}

/// What ended and is kept for snapshots.
enum EndedMember: Sendable {
  case chain(ChainRecord)
  case source(SourceNode)

  /// How much it counts against the limit.
  var weight: Int {
    switch self {
    case .chain(let record): record.weight
    case .source: 1
    }
  }
}
