public import DequeModule
public import Synchronization

/// The shared core of an emitter and its signal: the gate, the subscribers, and the memory for new subscribers.
///
/// A send on an emitter without memory enters the gate, walks the table and leaves: two atomic operations that other
/// threads may contend for, and one indirect call for each subscriber. With memory (`replay` above zero, or a property), every send takes the lock,
/// because memory and order of delivery have to agree.
///
/// A value that is sent while a thread is inside waits for that thread. The numbers count events accepted under the
/// lock, and
/// `lastBegun <= lastWaiting <= acceptedCount` holds whenever `lock` is free; a reader without the lock may see
/// `lastBegun` ahead for a moment:
///
/// | state | `willDeliverWaiting` | `isDeliveringWaiting` | numbers | next state |
/// |---|---|---|---|---|
/// | nothing waits | false | false | `lastBegun == lastWaiting` | requested, by ``beginWaiting(before:)`` |
/// | requested | true | false | `lastBegun < lastWaiting` | delivering, by ``deliverWaiting()`` |
/// | delivering | true | true | `lastBegun <= lastWaiting` | nothing waits, by ``endWaiting(after:)`` |
///
/// The two flags are not one variable, as the first one changes only under the lock, where threads outside the gate read
/// it, while the thread inside sets the second one without it. The states of a subscriber's slot are those of
/// ``SubscriberSlot``.
// Safe: `table` is walked only inside the gate and changed only under `lock`, as its description says;
// `isDeliveringWaiting` and `hasMetWork` are touched only inside the gate; `handOver` is written once, under `lock`,
// before any thread is asked to deliver waiting values; `isReleased` is written once, under `lock`, before its only
// reader outside the lock is called; every other variable is touched only under `lock`, or is atomic. As no user code runs under the lock, no access overlaps another: dynamic exclusivity checks are pointless.
@usableFromInline
class EmitterCore<Value: Sendable>: Gate, @unchecked Sendable {
  // Variables written by threads that enqueue values come first, and those written by the delivering thread come last.
  // Between them are ones that change rarely without memory, more than a cache line of them: so neither thread fetches
  // lines that only the other one writes.

  /// The number of events that were accepted under the lock.
  @exclusivity(unchecked) @usableFromInline final var acceptedCount: UInt64 = 0
  /// The number of the last value that had to wait. Values accepted between ``lastBegun`` and this one are waiting;
  /// their numbers have no gap.
  @usableFromInline final let lastWaiting = Atomic<UInt64>(0)
  /// The thread that enqueued that value.
  @usableFromInline final let lastWaitingThread = Atomic<UInt>(0)
  /// Whether a thread is going to deliver the waiting values.
  @exclusivity(unchecked) @usableFromInline final var willDeliverWaiting = false
  @exclusivity(unchecked) @usableFromInline final var completion: Completion?
  /// The values that wait for the thread inside. Created for the first of them, under `lock`.
  @exclusivity(unchecked) @usableFromInline final var handOver: Unmanaged<HandOver<Value>>?
  /// The number of values that a new subscriber gets.
  @usableFromInline final let memoryLimit: Int
  /// Whether replayed values have a maximum age, see ``AgingEmitterCore``.
  @usableFromInline final let isAging: Bool
  /// Whether it has ended because the emitter was released. Written only under `lock`.
  @exclusivity(unchecked) final var isReleased = false
  /// A copy of `newest` for ``readWithoutLock()``. Written only under `lock`.
  @usableFromInline final let newestWord = Atomic<UInt64>(0)
  /// The newest value of the memory, if there is memory.
  @exclusivity(unchecked) @usableFromInline final var newest: Value?
  /// The rest of the memory, when it holds more than one value.
  @exclusivity(unchecked) final var older: Deque<Value> = []
  /// The number of deliveries at the last reset of the count.
  @exclusivity(unchecked) final var sentBase: UInt64 = 0
  /// Subscriptions that have ended, below which an operator is still sending values. That operator retains them.
  @exclusivity(unchecked) final var ending: ContiguousArray<Unmanaged<Subscription>> = []
  /// Events that wait for subscribers that are still getting earlier ones.
  @exclusivity(unchecked) final var arrivals: [UnsafeMutableRawPointer: Arrivals<Value>] = [:]
  /// The number of events in ``arrivals``. Written only under `lock`.
  final let arrivalCount = Atomic<UInt64>(0)
  /// The live graph's record of this.
  @usableFromInline final let recording: SourceRecording
  /// ``remove(_:)``, created where the type of value is known: the virtual ``forget(_:)`` is not specialised.
  @usableFromInline final let removal: @Sendable (EmitterCore<Value>, Subscription) -> Bool
  @usableFromInline final let table = SubscriberTable<Value>()
  /// The number of delivered values. Written only inside the gate.
  @usableFromInline final let sent = Atomic<UInt64>(0)
  /// The number of the last waiting value whose delivery has begun. Written inside the gate, and by the thread that
  /// enqueues the first value.
  @usableFromInline final let lastBegun = Atomic<UInt64>(0)
  /// Whether waiting values are being delivered, rather than a new one. Touched only inside the gate.
  @exclusivity(unchecked) @usableFromInline final var isDeliveringWaiting = false
  /// Whether a walk since the last ``workBetweenWalks()`` met a subscriber that had left, or one that still gets
  /// earlier values from the thread inside. Touched only inside the gate.
  @exclusivity(unchecked) @usableFromInline final var hasMetWork = false

  @inlinable
  init(newest: Value?, limit: Int, site: Site, recorder: Recorder = .current, isAging: Bool = false) {
    self.newest = newest
    self.isAging = isAging
    if let newest { newestWord.store(Self.word(newest), ordering: .relaxed) }
    self.memoryLimit = limit
    self.recording = SourceRecording(site, recorder)
    self.removal = { core, subscription in core.remove(subscription) }
    super.init(isLockOnly: limit > 0)
    table.isChanged(under: self)
  }

  deinit {
    handOver?.release()
    recording.disposed()
  }

  // MARK: Sending

  /// Sends a value: delivers it before returning, or enqueues it for the delivering thread.
  @inlinable
  final func send(_ value: Value) {
    if enter() {
      deliver(value, upTo: table.slotCount.load(ordering: .acquiring))
      leave()
    } else {
      sendLate(value)
    }
  }

  /// Sends a value when the gate is not open for the fast path, see ``Gate/state``.
  @inlinable
  @inline(never)
  final func sendLate(_ value: Value) {
    _ = accept(value, ifNumber: nil)
  }

  /// Accepts a value, if the emitter has not ended and, where a number is given, nothing was accepted since that number.
  ///
  /// - Returns: False if something was accepted since that number; true after the end.
  @inlinable
  final func accept(_ value: Value, ifNumber expected: UInt64?) -> Bool {
    var replaced: Value?
    var isCurrent = true
    let moment = isAging ? moment() : nil
    // A subscriber that comes after the lock was released already has the value from the memory: so the subscribers are
    // fixed under the lock.
    let slotCount: Int? = lock.withLock {
      guard completion == nil else {
        recording.noteSendAfterEnd()
        return nil
      }
      if let expected, expected != acceptedCount {
        isCurrent = false
        return nil
      }
      acceptedCount &+= 1
      if memoryLimit > 0 {
        // The old value is released after the lock: a release may run any code.
        replaced = newest
        newest = value
        if Self.isWord { newestWord.store(Self.word(value), ordering: .releasing) }
        if memoryLimit > 1 { replaced = remember(replaced) }
        if let moment { rememberLocked(moment) }
      }
      // While values wait, a thread is inside.
      if !willDeliverWaiting, enterLocked() { return table.slotCount.load(ordering: .relaxed) }
      waitLocked(value, acceptedCount)
      return nil
    }
    if let slotCount {
      deliver(value, upTo: slotCount)
      leave()
    }
    withExtendedLifetime(replaced) {}
    return isCurrent
  }

  /// Accepts a value of a property, whose memory holds one value and which ends with its last reference.
  @inlinable
  @inline(__always)
  final func replaceNewest(_ value: Value) {
    var replaced: Value?
    let slotCount: Int? = lock.withLock {
      acceptedCount &+= 1
      replaced = newest
      newest = value
      if Self.isWord { newestWord.store(Self.word(value), ordering: .releasing) }
      // While values wait, a thread is inside, so entering fails; `accept` asks first only to save the attempt.
      guard enterLockOnlyLocked() else {
        waitLocked(value, acceptedCount)
        return nil
      }
      return table.slotCount.load(ordering: .relaxed)
    }
    if let slotCount {
      deliver(value, upTo: slotCount, isByValue: true)
      leaveLockOnly()
    }
    withExtendedLifetime(replaced) {}
  }

  /// Stores the previously newest value, and returns the one to forget.
  @usableFromInline
  final func remember(_ value: Value?) -> Value? {
    assertLocked()
    guard let value else { return nil }
    older.append(value)
    return older.count >= memoryLimit ? older.popFirst() : nil
  }

  // Overridden by `AgingEmitterCore`:

  /// The time, if values have a maximum age. Called without a lock, as it may run any code.
  @usableFromInline
  func moment() -> SchedulerInstant? { nil }

  /// Notes the instant of the newest value.
  @usableFromInline
  func rememberLocked(_ moment: SchedulerInstant) {}

  /// The values of the memory that are not too old.
  @usableFromInline
  func freshLocked(_ memory: Deque<Value>, at now: SchedulerInstant) -> Deque<Value> { memory }

  /// Enqueues a value for the thread inside.
  @inlinable
  final func waitLocked(_ value: Value, _ number: UInt64) {
    assertLocked()
    if !willDeliverWaiting { beginWaiting(before: number) }
    recording.noteLateSend()
    // Safe: it exists since the first value was enqueued, and stays.
    handOver.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.add(value) }
    lastWaitingThread.store(currentThread(), ordering: .relaxed)
    // From here on the value can be taken.
    lastWaiting.store(number, ordering: .releasing)
  }

  /// Asks the thread inside to deliver values that are about to wait.
  @inlinable
  final func beginWaiting(before number: UInt64) {
    assertLocked()
    debugAssert(
      !willDeliverWaiting && lastBegun.load(ordering: .relaxed) == lastWaiting.load(ordering: .relaxed),
      "delivery is requested by the first waiting value")
    if handOver == nil { handOver = .passRetained(HandOver()) }
    lastBegun.store(number &- 1, ordering: .relaxed)
    willDeliverWaiting = true
    appendLocked { self.deliverWaiting() }
  }

  /// Delivers the waiting values, including those that are enqueued in the meantime. Inside the gate.
  @inlinable
  final func deliverWaiting() {
    assertInside()
    // Safe: as above.
    handOver.unsafelyUnwrapped._withUnsafeGuaranteedRef { handOver in
      debugAssert(!isDeliveringWaiting, "one call delivers the waiting values")
      isDeliveringWaiting = true
      var number = lastBegun.load(ordering: .relaxed)
      var looks = 64
      repeat {
        var last = lastWaiting.load(ordering: .acquiring)
        while number != last {
          number &+= 1
          // Subscribers that came after the value are flagged as late, so it does not matter whether the walk gets as
          // far as their slots.
          lastBegun.store(number, ordering: .relaxed)
          deliver(handOver.take(), upTo: table.slotCount.load(ordering: .acquiring))
          if hasMetWork { workBetweenWalks() }
          if number == last { last = nextWaiting(after: number, &looks) }
        }
      } while !endWaiting(after: number)
    }
  }

  /// The number of the last waiting value; if none is waiting after another thread has enqueued one, after a short
  /// pause. Inside the gate.
  ///
  /// Two threads that alternate with every value spend their time fetching cache lines that the other one has just
  /// written. So a thread that has delivered all values of another thread pauses for about a microsecond, without reading
  /// what that thread writes, while it may enqueue some more. A pause without a value is usually the last one, and
  /// `looks` limits their number before this thread continues its own work.
  @inlinable
  final func nextWaiting(after number: UInt64, _ looks: inout Int) -> UInt64 {
    let last = lastWaiting.load(ordering: .acquiring)
    guard last == number, looks > 0, lastWaitingThread.load(ordering: .relaxed) != currentThread() else { return last }
    looks &-= 1
    var pause = Self.pause
    // A variable that only this thread writes now: so no other thread is disturbed, and the compiler may not remove the
    // loop.
    while pause > 0, lastBegun.load(ordering: .relaxed) == number { pause &-= 1 }
    return lastWaiting.load(ordering: .acquiring)
  }

  /// The number of iterations for about a microsecond. Unoptimised code takes many times as long for an iteration.
  @inlinable static var pause: Int {
    #if DEBUG
      100
    #else
      4_000
    #endif
  }

  /// Notes that no value is waiting any more, unless one is. Inside the gate.
  @inlinable
  final func endWaiting(after number: UInt64) -> Bool {
    assertInside()
    return lock.withLock {
      guard lastWaiting.load(ordering: .relaxed) == number else { return false }
      debugAssert(
        willDeliverWaiting && isDeliveringWaiting && lastBegun.load(ordering: .relaxed) == number
          && number <= acceptedCount, "each waiting value was delivered")
      willDeliverWaiting = false
      isDeliveringWaiting = false
      handOver.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.rewind() }
      return true
    }
  }

  /// Removes subscribers that have left, so that no waiting value meets them again, and delivers what arriving ones
  /// have passed on: there may be many values, and more while they are delivered. Inside the gate, between two walks.
  @usableFromInline
  final func workBetweenWalks() {
    assertInside()
    hasMetWork = false
    var releases = DeferredReleases()
    lock.withLock { table.removeDead(into: &releases) }
    releases.releaseAll()
    if memoryLimit > 0 { deliverPassedOn() }
  }

  /// Delivers a value to each slot below a count, except dead and arriving ones, and late ones that came behind it. Inside the gate.
  ///
  /// - Parameter isByValue: Whether no subscriber takes values by pointer, which makes the code shorter. That is so
  ///   with memory.
  @inlinable
  @inline(__always)
  final func deliver(_ value: Value, upTo slotCount: Int, isByValue: Bool = false) {
    assertInside()
    lock.assertNotHeld()
    table.beginWalk()
    sent.store(sent.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    var position = 0
    while position < slotCount {
      let slot = table.slot(position)
      if slot.pointee.flags.load(ordering: .acquiring) == 0 || isReady(position, for: value) {
        do {
          if isByValue {
            try slot.pointee.subscriber.receiveByValue(value)
          } else {
            try slot.pointee.subscriber.receive(value)
          }
        } catch {
          stopped(position, error)
        }
      }
      position &+= 1
    }
    table.endWalk()
  }

  /// Decides whether a flagged slot gets the value now. Inside the gate.
  @usableFromInline
  final func isReady(_ position: Int, for value: Value) -> Bool {
    assertInside()
    return lock.withLock {
      let slot = table.slot(position)
      let flags = slot.pointee.flags.load(ordering: .relaxed)
      if flags & SubscriberSlot<Value>.dead != 0 {
        hasMetWork = true
        return false
      }
      if flags & SubscriberSlot<Value>.late != 0 {
        // Late means: it came while values waited, which may be long ago. If none wait, it is late no more. If some wait, it
        // gets this value if it came before the one that is being delivered, or, if this one did not have to wait itself,
        // before the first that does.
        let begun = lastBegun.load(ordering: .relaxed)
        if willDeliverWaiting, !slot.pointee.cameBefore(isDeliveringWaiting ? begun : begun &+ 1) { return false }
        slot.pointee.flags.bitwiseAnd(~SubscriberSlot<Value>.late, ordering: .relaxed)
      }
      if flags & SubscriberSlot<Value>.arriving != 0 {
        addArrivalLocked(.value(value), for: slot.pointee.subscription)
        return false
      }
      return true
    }
  }

  /// Removes a subscriber whose chain threw. Inside the gate.
  @usableFromInline
  final func stopped(_ position: Int, _ error: any Error) {
    assertInside()
    // Not the result of the closure: if the generic lock returned a closure, that would need a heap allocation.
    var ending: (end: @Sendable (Completion) -> Void, keeper: Unmanaged<Subscription>?)?
    lock.withLock { ending = takeOutLocked(position) }
    // Nil if it was disposed in the meantime: then no subscriber takes the error.
    guard let ending else { return }
    // Before the end: whoever gets it may subscribe again.
    subscriberLeft()
    endChain(ending.end, after: error)
    ending.keeper?.release()
  }

  /// Removes a subscriber that is to get an end, unless it has left.
  ///
  /// - Returns: The receiver of the end, and a reference to release after it.
  final func takeOutLocked(
    _ position: Int
  ) -> (end: @Sendable (Completion) -> Void, keeper: Unmanaged<Subscription>?)? {
    assertInside()
    guard let subscription = table.liveSubscription(position) else { return nil }
    let end = table.slot(position).pointee.subscriber.end
    markDeadLocked(position)
    return subscription._withUnsafeGuaranteedRef { subscription in
      subscription.position = -1
      return (end, subscription.completed())
    }
  }

  private func markDeadLocked(_ position: Int) {
    table.markDead(position)
    state.bitwiseOr(Self.pending, ordering: .relaxed)
  }

  // MARK: Ending

  /// Ends the emitter; later events are not accepted.
  @usableFromInline
  final func complete(_ completion: Completion) { complete(completion, isReleased: false) }

  /// - Parameter isReleased: Whether it ends because the emitter was released.
  final func complete(_ completion: Completion, isReleased: Bool) {
    let entered: Bool = lock.withLock {
      guard self.completion == nil else { return false }
      self.completion = completion
      self.isReleased = isReleased
      acceptedCount += 1
      state.bitwiseOr(Self.ended, ordering: .relaxed)
      if enterLocked() { return true }
      appendLocked { self.deliverEnd(completion) }
      return false
    }
    guard entered else { return }
    deliverEnd(completion)
    leave()
  }

  private func deliverEnd(_ completion: Completion) {
    assertInside()
    // No flag `late` is checked: nothing is added after the end was accepted, so each subscriber came before it.
    recording.ended(completion, isReleased: isReleased)
    table.beginWalk()
    let slotCount = table.slotCount.load(ordering: .acquiring)
    for position in 0..<slotCount {
      let ending: (end: @Sendable (Completion) -> Void, keeper: Unmanaged<Subscription>?)? = lock.withLock {
        guard let subscription = table.liveSubscription(position) else { return nil }
        if table.slot(position).pointee.flags.load(ordering: .relaxed) & SubscriberSlot<Value>.arriving != 0 {
          addArrivalLocked(Event(completion), for: subscription)
          return nil
        }
        return takeOutLocked(position)
      }
      ending?.end(completion)
      ending?.keeper?.release()
    }
    table.endWalk()
  }

  @usableFromInline
  override func forget(_ subscription: Subscription) {
    if removal(self, subscription) { subscriberLeft() }
  }

  override func beginEnding(_ subscription: Subscription) {
    lock.withLock { ending.append(.passUnretained(subscription)) }
  }

  override func endEnding(_ subscription: Subscription) {
    let subscription = Unmanaged.passUnretained(subscription).toOpaque()
    lock.withLock {
      guard let index = ending.lastIndex(where: { $0.toOpaque() == subscription }) else { return }
      ending.remove(at: index)
    }
  }

  /// Called without a lock when a subscriber has left: once for each added one, unless the end of the emitter or
  /// ``disposeAll()`` removed it. Overridden by the cores of `share`, `multicast` and branches.
  @usableFromInline
  func subscriberLeft() {}

  @usableFromInline
  override func cleanUpLocked(_ releases: inout DeferredReleases) {
    assertInside()
    if table.hasDead { table.removeDead(into: &releases) }
  }

  /// Ends all current subscriptions without an event.
  final func disposeAll() {
    var keepers: [Unmanaged<Subscription>] = []
    var operators: [Subscription.OperatorBelow] = []
    var tags: [SubscriberTag] = []
    var releases = DeferredReleases()
    // Their waiting events are released after the lock: a release may run any code.
    var arrived: [UnsafeMutableRawPointer: Arrivals<Value>] = [:]
    lock.withLock {
      swap(&arrived, &arrivals)
      arrivalCount.store(0, ordering: .relaxed)
      for position in 0..<table.slotCount.load(ordering: .relaxed) {
        guard let subscription = table.liveSubscription(position) else { continue }
        table.markDead(position)
        subscription._withUnsafeGuaranteedRef { subscription in
          subscription.position = -1
          if let below = subscription.operatorBelow { operators.append(below) }
          if let tag = subscription.tag { tags.append(tag) }
          if let keeper = subscription.disposedByOrigin() { keepers.append(keeper) }
        }
      }
      // The last values below these must not be delivered either.
      for subscription in ending {
        subscription._withUnsafeGuaranteedRef { subscription in
          subscription.disposedAfterEnd()
          if let below = subscription.operatorBelow { operators.append(below) }
          if let tag = subscription.tag { tags.append(tag) }
        }
      }
      // The thread inside frees the closures when it leaves; if there is none, do it now. Not inside the gate: a value
      // that is sent meanwhile would be delivered on this thread.
      if table.hasDead { _ = changeLocked { table.removeDead(into: &releases) } }
    }
    releases.releaseAll()
    for keeper in keepers { keeper.release() }
    withExtendedLifetime(arrived) {}
    for below in operators { below.origin.inputWasSilenced(below.key) }
    for tag in tags { tag.inputHasLeft() }
  }

  // MARK: The graph

  override func tracedEntry() { recording.entered() }

  override func tracedLeaving() { recording.left() }

  /// The operator's node, if this is one of the signals of an operator.
  @usableFromInline var operatorNode: OperatorNode? { nil }

  /// Notes that a recorded subscriber was added.
  @usableFromInline
  final func noteSubscriber(_ subscription: SubscriptionRecording) {
    let sentCount = sent.load(ordering: .relaxed)
    if recording.connect(subscription, after: sentCount) { return }
    recording.makeNode(for: subscription, of: operatorNode, counters, end: recordedEnd)
    _ = recording.connect(subscription, after: sentCount)
  }

  /// Notes that it is connected, perhaps before there is a subscriber.
  final func noteConnection() { recording.makeNode(counters, end: recordedEnd) }

  private final var counters: SourceRecording.Counters {
    // Safe: an atomic in an object does not move, and `deinit` makes the node forget their addresses.
    SourceRecording.Counters(
      sent: withUnsafePointer(to: sent) { $0 }, lastWaiting: withUnsafePointer(to: lastWaiting) { $0 },
      lastBegun: withUnsafePointer(to: lastBegun) { $0 }, arriving: withUnsafePointer(to: arrivalCount) { $0 },
      gate: withUnsafePointer(to: state) { $0 },
      trace: (UnsafeRawPointer(withUnsafePointer(to: lock) { $0 }), Self.trace), memoryLimit: memoryLimit,
      isAging: isAging
    )
  }

  private final func recordedEnd() -> (Completion, isReleased: Bool)? {
    lock.withLock { completion.map { ($0, isReleased) } }
  }

  /// Lets each thread that enters a gate record it, unless another thread holds its lock; see ``Gate/state``.
  ///
  /// It does not wait for the lock, because the caller holds the lock of the source's node, which comes after this one.
  private static var trace: SourceRecording.Counters.TraceSetter {
    { lock, state in
      // Safe: it is the address of a gate's lock, which cannot be copied; the deallocation of the gate waits for the
      // caller, see `SourceNode.disposed()`.
      lock.assumingMemoryBound(to: Lock.self).pointee.withLockIfFree {
        state.pointee.bitwiseOr(Self.traced, ordering: .relaxed)
      }
    }
  }

  /// Subscribes to a signal whose values all subscribers of this one get.
  ///
  /// - Parameters:
  ///   - notifiesOfSilence: Whether ``inputWasSilenced(_:)`` is called when upstream ends the subscription without an event.
  ///   - adopt: Gets the subscription before it is connected; returns whether to connect it.
  final func connect(
    _ upstream: Signal<Value>, _ observer: consuming Observer<Value>, notifiesOfSilence: Bool = false,
    adopting adopt: (Subscription) -> Bool
  ) {
    let subscription =
      notifiesOfSilence
      ? OperatorInput(of: (self, 0), at: recording.place) : Subscription(at: recording.place, isShared: true)
    // Before other code has the subscription.
    subscription.beginRecording(upstream, below: recording)
    defer { subscription.recording.connected() }
    if adopt(subscription) { upstream.connect(observer, subscription) }
  }
}
