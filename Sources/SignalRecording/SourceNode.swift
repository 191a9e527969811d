import SignalGraph
package import Synchronization

/// The single node of a source for all its subscribers, such as an emitter.
package final class SourceNode: Sendable {
  /// The addresses of a source's counters.
  ///
  /// Only the numbers, and the gate's lock, are touched. Retaining the source during a read could mean deallocating it
  /// afterwards, with all the code that this runs.
  // Safe: the numbers are atomic; they and the lock are part of the source, and are not used after ``disposed()``, with
  // which its deallocation begins.
  package struct Counters: @unchecked Sendable {
    private let sent: UnsafePointer<Atomic<UInt64>>
    /// The number of the last value that had to wait, and of the last such value whose delivery has begun.
    private let lastWaiting: UnsafePointer<Atomic<UInt64>>
    private let lastBegun: UnsafePointer<Atomic<UInt64>>
    /// The number of events that wait for subscribers that still get earlier ones.
    private let arriving: UnsafePointer<Atomic<UInt64>>?
    /// The state of the source's gate.
    let gate: UnsafePointer<Atomic<UInt32>>?
    /// Sets ``tracedBit`` of that state, which needs the source's lock, and the address of that lock. It returns
    /// whether the lock was free.
    ///
    /// It gets addresses in the source's memory, and not the source: retaining that could make this the last reference,
    /// whose release would end it in here, under this node's lock, which the end takes too.
    let trace: (lock: UnsafeRawPointer, set: TraceSetter)?

    package typealias TraceSetter = @Sendable (_ lock: UnsafeRawPointer, _ state: UnsafePointer<Atomic<UInt32>>) -> Bool

    /// The bit of that state which makes entering threads record it.
    package static var tracedBit: UInt32 { 32 }

    /// The maximum number of values that are retained for new subscribers; and whether they have a maximum age.
    let memoryLimit: Int
    let isAging: Bool

    package init(
      sent: UnsafePointer<Atomic<UInt64>>, lastWaiting: UnsafePointer<Atomic<UInt64>>,
      lastBegun: UnsafePointer<Atomic<UInt64>>, arriving: UnsafePointer<Atomic<UInt64>>? = nil,
      gate: UnsafePointer<Atomic<UInt32>>? = nil,
      trace: (lock: UnsafeRawPointer, set: TraceSetter)? = nil, memoryLimit: Int = 0, isAging: Bool = false
    ) {
      self.memoryLimit = memoryLimit
      self.isAging = isAging
      self.sent = sent
      self.lastWaiting = lastWaiting
      self.lastBegun = lastBegun
      self.arriving = arriving
      self.gate = gate
      self.trace = trace
    }

    var sentCount: UInt64 { sent.pointee.load(ordering: .relaxed) }

    /// The number of the next value that has to wait, once a thread was asked to deliver it. Under the source's lock.
    var nextWaitingNumber: UInt64 {
      max(lastWaiting.pointee.load(ordering: .relaxed), lastBegun.pointee.load(ordering: .relaxed)) + 1
    }

    var lastBegunNumber: UInt64 { lastBegun.pointee.load(ordering: .relaxed) }

    var waitingCount: Int {
      // In this order: a value that begins between the two is not counted, and every counted one waited.
      let last = lastWaiting.pointee.load(ordering: .acquiring)
      let begun = lastBegun.pointee.load(ordering: .relaxed)
      let handedOver = last > begun ? last - begun : 0
      return Int(clamping: handedOver + (arriving?.pointee.load(ordering: .relaxed) ?? 0))
    }
  }

  struct State {
    fileprivate(set) var life = Node.State.live
    /// Whether it ended because it was released.
    fileprivate(set) var isReleased = false
    fileprivate(set) var failure: String?
    /// The first name that a subscription gave it.
    fileprivate var name: String?
    /// The channel ends that it is.
    fileprivate var channels: [ChannelEnd] = []
    /// Nil once the source is being deallocated.
    fileprivate(set) var counters: Counters?
    /// The number of values sent until then.
    fileprivate(set) var lastCount: UInt64 = 0
    /// One element while causes are tracked; else none. It takes no memory then.
    fileprivate var causes: [SourceCauses] = []

    fileprivate init(name: String?, counters: Counters) {
      self.name = name
      self.counters = counters
    }

    var isTraced: Bool { !causes.isEmpty }

    /// Begins to store causes again, or stops that.
    mutating func keepCauses(_ isOn: Bool) { causes = isOn ? [SourceCauses()] : [] }

    /// Changes the stored causes, while they are tracked.
    mutating func change<Result>(_ body: (inout SourceCauses, Counters?) -> Result) -> Result? {
      causes.isEmpty ? nil : body(&causes[0], counters)
    }
  }

  let identifier = GraphRecorder.nextIdentifiers(1)
  let site: Site
  /// The maximum number of values that are replayed.
  private let memoryLimit: Int
  private let isAging: Bool
  /// Whether values are replayed.
  var remembers: Bool { memoryLimit > 0 }
  /// The operator that the values come from, if the source is one of its signals.
  let upstream: NodeReference?
  private let link: RecorderLink
  let state: Mutex<State>
  /// The latest identifier when the end was noted: later nodes have greater ones. The maximum until then.
  private let lastBeforeEnd = Atomic<UInt64>(.max)
  /// The number of values sent after the end.
  private let sentAfterEnd = Atomic<UInt64>(0)
  /// Whether the source that it shares had ended before it was connected.
  private let hasLateInput = Atomic<Bool>(false)
  // Safe: touched only under the recorder's lock.
  nonisolated(unsafe) var slot: Int?
  /// The number of values that had passed when it was counted as evicted; the maximum until then.
  private let countWhenGone = Atomic<UInt64>(.max)

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - upstream: The operator that the values come from, if there is one.
  ///   - counters: They are read until ``disposed()`` is called.
  init(_ site: Site, name: String?, of upstream: NodeReference?, recorder: GraphRecorder, _ counters: Counters) {
    self.site = site
    memoryLimit = counters.memoryLimit
    isAging = counters.isAging
    self.upstream = upstream
    link = recorder.link
    state = Mutex(State(name: name, counters: counters))
  }

  /// Names it, unless an earlier subscription has named it.
  func useName(_ name: String) {
    state.withLock { $0.name = $0.name ?? name }
  }

  /// Notes that it is an end of channels.
  func link(_ ends: [ChannelEnd]) {
    state.withLock { state in
      for end in ends where !state.channels.contains(end) { state.channels.append(end) }
    }
  }

  /// Whether sends of handlers to it are recorded.
  var isTraced: Bool { link.isTracing }

  /// The events during a recording.
  var events: EventLog { link.events }

  /// Nil when the recorder is deallocated.
  var recorder: GraphRecorder? { link.use { $0 } }

  /// Whether the end was noted.
  var isOver: Bool { state.withLock { $0.life != .live } }

  /// The number of values that it has sent.
  var sentCount: UInt64 { state.withLock { $0.counters?.sentCount ?? $0.lastCount } }

  /// Its name, if it has one.
  var name: String? { state.withLock { $0.name } }

  /// Whether it had ended, and was not just deallocated, before a node with this identifier was created.
  func hadEnded(before identifier: UInt64) -> Bool {
    lastBeforeEnd.load(ordering: .acquiring) < identifier
  }

  /// Notifies a source that shares this one through a chain without nodes whether this one has already ended. Nothing
  /// in such a chain could do that later.
  func passLateness(to chain: ChainRecord) {
    guard hadEnded(before: .max), !remembers, chain.lowestNode == nil,
      case .source(let shared)? = chain.downstream?.target
    else { return }
    shared.hasLateInput.store(true, ordering: .relaxed)
  }

  /// Notes that a value was sent after the end.
  package func noteSendAfterEnd() { sentAfterEnd.add(1, ordering: .relaxed) }

  /// Notes the end.
  ///
  /// - Parameters:
  ///   - isEarlier: Whether it came before the node was created.
  ///   - isReleased: Whether it came because the source was released.
  package func ended(failure: (any Error)?, isEarlier: Bool = false, isReleased: Bool = false) {
    if isReleased { state.withLock { $0.isReleased = true } }
    end(
      failure == nil ? .finished : .failed, failure.map(link.words),
      lastBefore: isEarlier || hasLateInput.load(ordering: .relaxed) ? 0 : GraphRecorder.latestIdentifier)
  }

  /// Notes that the source is being deallocated.
  package func disposed() {
    state.withLock { state in
      state.lastCount = state.counters?.sentCount ?? state.lastCount
      state.counters = nil
    }
    end(.disposed, nil, lastBefore: nil)
  }

  private func end(_ life: Node.State, _ failure: String?, lastBefore: UInt64?) {
    let isFirst = state.withLock { state in
      guard state.life == .live else { return false }
      state.life = life
      state.failure = failure
      if let lastBefore { lastBeforeEnd.store(lastBefore, ordering: .releasing) }
      return true
    }
    if isFirst { link.use { $0.retire(self) } }
  }

  /// Notes that the recorder no longer retains it, though others may.
  ///
  /// - Returns: The number of values that have passed.
  func noteGone() -> UInt64 {
    let count = state.withLock { $0.counters?.sentCount ?? $0.lastCount }
    countWhenGone.store(min(count, .max - 1), ordering: .relaxed)
    return count
  }

  /// The number of values that had passed when it was counted as evicted; nil if it was not.
  var goneCount: UInt64? {
    let count = countWhenGone.load(ordering: .relaxed)
    return count == .max ? nil : count
  }

  /// The values that it retains after a number of values, if it may retain any besides the current value of a property.
  /// A shared source may drop them when its last subscriber leaves.
  private func memory(after sent: UInt64) -> (limit: UInt64, count: UInt64?)? {
    let holdsValue = site.behavior.contains(.holdsValue)
    guard remembers, memoryLimit > 1 || !holdsValue else { return nil }
    let limit = UInt64(memoryLimit)
    return (limit, isAging || !site.behavior.contains(.sendsUnasked) || holdsValue ? nil : min(limit, sent))
  }

  /// Its current state.
  var reading: NodeReading {
    state.withLock { state in
      let counters = state.counters
      return NodeReading(
        identifier: identifier, site: site, name: state.name, state: state.life, failure: state.failure, isFreed: false,
        valueCount: counters?.sentCount ?? state.lastCount,
        waitingCount: counters?.waitingCount ?? 0, droppedCount: sentAfterEnd.load(ordering: .relaxed), downstream: nil,
        causes: state.causes.first.map { $0.ring.causes }, isReleased: state.isReleased,
        memory: memory(after: counters?.sentCount ?? state.lastCount),
        channels: state.channels.map(\.self))
    }
  }
}

/// A source's node, once there is one.
@usableFromInline
package struct SourceReference: ~Copyable, Sendable {
  private let reference = OnceReference<SourceNode>()

  @usableFromInline
  package init() {}

  /// The node.
  package var node: SourceNode? { reference.load() }

  /// Notes that a chain has reached the source.
  ///
  /// - Parameter sent: The number of values that the source has sent.
  /// - Returns: Whether there is a node already; if not, nothing was noted.
  package func connect(_ chain: ChainRecord, after sent: UInt64 = 0) -> Bool {
    guard reference.isSet else { return false }
    note(name: chain.takeNextName(), chain.takeNextChannels())
    chain.connect(to: reference, after: sent)
    return true
  }

  /// Creates the node.
  ///
  /// - Parameters:
  ///   - recorder: The source's recorder; without one, the chain's.
  ///   - upstream: The operator that the values come from, if the source is one of its signals.
  ///   - chain: The one that has reached the source.
  ///   - counters: They are read until ``SourceNode/disposed()`` is called.
  /// - Returns: The node, if there was none.
  package func makeNode(
    _ site: Site, of upstream: NodeReference? = nil, _ recorder: GraphRecorder?, for chain: ChainRecord,
    _ counters: SourceNode.Counters
  ) -> SourceNode? {
    guard let recorder = recorder ?? chain.recorder else { return nil }
    return makeNode(
      site, of: upstream, recorder, name: chain.takeNextName(), chain.takeNextChannels(), counters)
  }

  /// Creates the node before any chain has reached the source, if recording is on; else like the other overload.
  ///
  /// - Parameter recorder: The source's recorder; an enclosing one takes precedence.
  package func makeNode(
    _ site: Site, of upstream: NodeReference? = nil, inheriting recorder: GraphRecorder?,
    _ counters: SourceNode.Counters
  ) -> SourceNode? {
    let recorder = GraphRecorder.ofScope ?? recorder ?? Introspection.recorderOfProcess?.takeUnretainedValue()
    guard let recorder, !reference.isSet else { return nil }
    return makeNode(site, of: upstream, recorder, name: nil, [], counters)
  }

  private func note(name: String?, _ channels: [ChannelEnd]) {
    if let name { node?.useName(name) }
    if !channels.isEmpty { node?.link(channels) }
  }

  private func makeNode(
    _ site: Site, of upstream: NodeReference?, _ recorder: GraphRecorder, name: String?, _ channels: [ChannelEnd],
    _ counters: SourceNode.Counters
  ) -> SourceNode? {
    let new = SourceNode(site, name: name, of: upstream, recorder: recorder, counters)
    guard reference.storeIfNil(new) === new else {
      note(name: name, channels)
      return nil
    }
    new.link(channels)
    recorder.begin(new)
    return new
  }
}
