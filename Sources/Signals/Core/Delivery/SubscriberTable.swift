public import Synchronization

/// An emitter's record of one subscriber: its closures and its identity.
///
/// A slot without flags gets each value. Flags change under the emitter's lock:
///
/// | flag | set | cleared |
/// |---|---|---|
/// | ``late`` | when the subscriber is added while values wait that were sent before | by the first value that was sent after |
/// | ``arriving`` | when the subscriber is added and gets replayed values | when it has caught up |
/// | ``dead`` | when the subscription is disposed or has ended | never: the slot becomes a hole |
///
/// A slot may be late and arriving at once: a value that it is to get then waits with its arrivals. A dead slot gets
/// nothing, whatever its other flags.
@usableFromInline
struct SubscriberSlot<Value: Sendable>: ~Copyable {
  /// The subscription was disposed or has ended: a walk skips it.
  @usableFromInline static var dead: UInt8 { 1 }
  /// The subscriber is still getting values sent before it came; later events wait for it.
  @usableFromInline static var arriving: UInt8 { 2 }
  /// Some undelivered values were sent before the subscriber came; see ``cameBefore(_:)``.
  @usableFromInline static var late: UInt8 { 4 }

  // In an order without padding.
  @usableFromInline var subscriber: Subscriber<Value>
  @usableFromInline let flags: Atomic<UInt8>
  /// The number of events accepted before the subscriber came, in 32 bits. Valid only while `late` is set.
  @usableFromInline let acceptedBefore: UInt32
  /// Safe to use under the emitter's lock while the slot is not dead: a subscription removes its slot, under that lock,
  /// before it is freed.
  ///
  /// Code under the lock must not retain it, and so no closure may capture it: another thread may release it in the
  /// meantime, and then the holder of the lock would free it, whose `deinit` takes the lock. `_withUnsafeGuaranteedRef`
  /// retains nothing, in debug builds too.
  @usableFromInline let subscription: Unmanaged<Subscription>

  @inlinable
  init(
    _ subscriber: consuming Subscriber<Value>, _ subscription: Subscription, flags: UInt8, acceptedBefore: UInt32
  ) {
    self.subscriber = subscriber
    self.subscription = .passUnretained(subscription)
    self.flags = Atomic(flags)
    self.acceptedBefore = acceptedBefore
  }

  /// Whether a late subscriber came before the event with this number was accepted.
  ///
  /// The first delivery of an event for this subscriber clears the flag. Until then the numbers differ by at most the
  /// number of waiting events, so their difference in 32 bits determines which is greater.
  @inlinable
  func cameBefore(_ number: UInt64) -> Bool {
    Int32(bitPattern: UInt32(truncatingIfNeeded: number) &- acceptedBefore) > 0
  }
}

/// A removed subscriber, on its way to be released.
@usableFromInline
final class BuriedSubscriber<Value: Sendable>: Sendable {
  @usableFromInline let subscriber: Subscriber<Value>

  @inlinable
  init(_ subscriber: consuming Subscriber<Value>) {
    self.subscriber = subscriber
  }
}

/// The slots of an emitter's subscribers, in the order of subscription.
///
/// One thread at a time, the one inside the emitter's gate, walks the slots without a lock, while others append and
/// flag slots under the emitter's lock:
/// - Appending never touches a slot that a walk can see: a walk ends at the count it began with.
/// - When the storage grows during a walk, the old storage stays until the walk is over, and the walk reads the address
///   again for each slot.
/// - Removing during a walk only flags the slot; it becomes a hole after the walk.
///
/// A hole is a slot that is flagged dead and whose subscriber was moved out.
///
/// - Complexity: appending and removing are O(1) amortised: the table is compacted when it has more than 16 holes, and
///   they are more than half of it.
// Safe: `address` and `slotCount` are atomic; every other variable is touched only under the emitter's lock. No access
// overlaps another, as no code under the lock calls back, so dynamic exclusivity checks could not find anything.
@usableFromInline
final class SubscriberTable<Value: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Slot = SubscriberSlot<Value>

  @usableFromInline let address = Atomic<UnsafeMutableRawPointer?>(nil)
  @usableFromInline let slotCount = Atomic<Int>(0)
  @exclusivity(unchecked) @usableFromInline var liveCount = 0
  @exclusivity(unchecked) @usableFromInline var capacity = 0
  @exclusivity(unchecked) @usableFromInline var holeCount = 0
  @exclusivity(unchecked) @usableFromInline var retired: [UnsafeMutableRawPointer] = []
  @exclusivity(unchecked) @usableFromInline var deadPositions: [Int] = []
  @usableFromInline let walk = ExclusiveUse()
  #if DEBUG
    /// The owner of the lock that everything but walking needs. It owns the table, so it exists as long as the table is
    /// used.
    @usableFromInline var gate: Unmanaged<Gate>?
  #endif

  /// Turns a flagged slot into a hole, and returns its content. Created where the type of value is known:
  /// ``removeDead(into:)`` is not specialised.
  @usableFromInline let bury: @Sendable (SubscriberTable<Value>, Int) -> AnyObject

  @inlinable
  init() {
    bury = { table, position in BuriedSubscriber(table.makeHole(position)) }
  }

  /// The slot at a position below a count that was read before from `slotCount`.
  @inlinable
  func slot(_ position: Int) -> UnsafeMutablePointer<Slot> {
    debugAssert(
      position >= 0 && position < slotCount.load(ordering: .acquiring), "a position is below the number of slots")
    return storage(position)
  }

  @inlinable
  @inline(__always)
  func storage(_ position: Int) -> UnsafeMutablePointer<Slot> {
    // Safe: there is storage if `slotCount` was above zero, or if capacity was reserved.
    address.load(ordering: .acquiring).unsafelyUnwrapped.assumingMemoryBound(to: Slot.self) + position
  }

  /// Whether the next append has to grow the storage.
  @inlinable
  var isFull: Bool { slotCount.load(ordering: .relaxed) == capacity }

  /// Reserves capacity for at least one more slot. `isWalked` is whether a thread may be walking the table.
  func grow(whileWalked isWalked: Bool) {
    assertLocked()
    if !isWalked { assertNotWalked() }
    let count = slotCount.load(ordering: .relaxed)
    capacity = max(2, capacity * 2)
    let storage = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    if let old = address.load(ordering: .relaxed) {
      // The slots move bit by bit; the old bits stay readable for a walk in progress.
      UnsafeMutableRawPointer(storage).copyMemory(from: old, byteCount: count * MemoryLayout<Slot>.stride)
      if isWalked { retired.append(old) } else { old.deallocate() }
    }
    address.store(UnsafeMutableRawPointer(storage), ordering: .releasing)
  }

  /// Appends a slot to a table that is not full.
  @inlinable
  func append(
    _ subscriber: consuming Subscriber<Value>, _ subscription: Subscription, flags: UInt8, acceptedBefore: UInt64
  ) {
    assertLocked()
    debugAssert(!isFull, "a full table grows before the next slot is appended")
    debugAssert(subscription.position == -1, "a subscription is in one table, once")
    let position = slotCount.load(ordering: .relaxed)
    subscription.position = Int32(truncatingIfNeeded: position)
    storage(position).initialize(
      to: Slot(subscriber, subscription, flags: flags, acceptedBefore: UInt32(truncatingIfNeeded: acceptedBefore)))
    liveCount += 1
    slotCount.store(position + 1, ordering: .releasing)
    assertCounts()
  }

  /// Flags a slot, so that walks skip it, until ``removeDead(into:)``.
  @inlinable
  func markDead(_ position: Int) {
    debugAssert(liveSubscription(position) != nil, "a slot dies once")
    slot(position).pointee.flags.bitwiseOr(Slot.dead, ordering: .relaxed)
    deadPositions.append(position)
    liveCount -= 1
    assertCounts()
  }

  /// Removes a slot at once. No thread may be walking the table.
  ///
  /// - Returns: The subscriber, to be released once no lock is held.
  @inlinable
  func remove(_ position: Int) -> Subscriber<Value> {
    debugAssert(liveSubscription(position) != nil, "a slot dies once")
    assertNotWalked()
    slot(position).pointee.flags.store(Slot.dead, ordering: .relaxed)
    liveCount -= 1
    let subscriber = makeHole(position)
    tidy()
    return subscriber
  }

  /// Turns the flagged slots into holes and frees old storage. No thread may be walking the table.
  func removeDead(into releases: inout DeferredReleases) {
    assertLocked()
    assertNotWalked()
    for position in deadPositions { releases.add(bury(self, position)) }
    deadPositions.removeAll(keepingCapacity: true)
    for storage in retired { storage.deallocate() }
    retired.removeAll()
    tidy()
  }

  /// Whether ``removeDead(into:)`` has work to do.
  var hasDead: Bool { !deadPositions.isEmpty || !retired.isEmpty }

  @inlinable
  func makeHole(_ position: Int) -> Subscriber<Value> {
    holeCount += 1
    return moveSubscriber(position)
  }

  @inlinable
  func moveSubscriber(_ position: Int) -> Subscriber<Value> {
    withUnsafeMutablePointer(to: &slot(position).pointee.subscriber) { $0.move() }
  }

  /// Drops holes at the end; compacts a table with more than 16 holes when more than half of it is holes, and no flagged
  /// slot waits to become one.
  @inlinable
  func tidy() {
    let count = slotCount.load(ordering: .relaxed)
    if holeCount == 1, count > 0, slot(count - 1).pointee.flags.load(ordering: .relaxed) & Slot.dead != 0,
      deadPositions.isEmpty
    {
      // The usual case: the newest subscriber left.
      holeCount = 0
      slotCount.store(count - 1, ordering: .releasing)
    } else if holeCount > 0 {
      closeUp()
    }
    assertCounts()
  }

  @usableFromInline
  func closeUp() {
    var count = slotCount.load(ordering: .relaxed)
    while count > 0, slot(count - 1).pointee.flags.load(ordering: .relaxed) & Slot.dead != 0, deadPositions.isEmpty {
      count -= 1
      holeCount -= 1
    }
    if holeCount > 16, holeCount * 2 > count, deadPositions.isEmpty {
      var target = 0
      for position in 0..<count where slot(position).pointee.flags.load(ordering: .relaxed) & Slot.dead == 0 {
        if target != position {
          UnsafeMutableRawPointer(slot(target))
            .copyMemory(from: UnsafeRawPointer(slot(position)), byteCount: MemoryLayout<Slot>.size)
          slot(target).pointee.subscription._withUnsafeGuaranteedRef { $0.position = Int32(truncatingIfNeeded: target) }
        }
        target += 1
      }
      count = target
      holeCount = 0
    }
    slotCount.store(count, ordering: .releasing)
  }

  /// The subscription in a slot, unless the slot is dead. Under the emitter's lock.
  @usableFromInline
  func liveSubscription(_ position: Int) -> Unmanaged<Subscription>? {
    assertLocked()
    let slot = slot(position)
    return slot.pointee.flags.load(ordering: .relaxed) & Slot.dead == 0 ? slot.pointee.subscription : nil
  }

  // MARK: Checks of debug builds

  /// Sets the owner of the lock under which the table is changed.
  @inlinable
  @inline(__always)
  func isChanged(under gate: Gate) {
    #if DEBUG
      self.gate = .passUnretained(gate)
    #endif
  }

  @inlinable
  @inline(__always)
  func assertLocked(file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      gate?._withUnsafeGuaranteedRef { $0.assertLocked(file: file, line: line) }
    #endif
  }

  /// Notes that the thread inside the gate begins to walk the table.
  @inlinable
  @inline(__always)
  func beginWalk() { walk.begin("one walk at a time goes through the table") }

  /// Notes the end of a walk.
  @inlinable
  @inline(__always)
  func endWalk() { walk.end("a walk ends on the thread where it began") }

  @inlinable
  @inline(__always)
  func assertNotWalked(file: StaticString = #fileID, line: UInt = #line) {
    walk.assertUnused("not while a thread walks the table", file: file, line: line)
  }

  /// Stops a debug build unless every slot is alive, flagged dead, or a hole.
  @inlinable
  @inline(__always)
  func assertCounts(file: StaticString = #fileID, line: UInt = #line) {
    debugAssert(
      liveCount + deadPositions.count + holeCount == slotCount.load(ordering: .relaxed),
      "every slot is alive, dead or a hole", file: file, line: line)
  }

  /// Stops a debug build unless a subscription's position is that of its own slot.
  ///
  /// It takes the subscription's address, as the condition is a closure, and in a debug build a closure retains its
  /// captures.
  @inlinable
  @inline(__always)
  func assertHolds(
    _ subscription: UnsafeMutableRawPointer, at position: Int, file: StaticString = #fileID, line: UInt = #line
  ) {
    debugAssert(
      slot(position).pointee.subscription.toOpaque() == subscription, "a subscription knows its own slot", file: file,
      line: line)
  }

  deinit {
    for position in 0..<slotCount.load(ordering: .relaxed) {
      // Safe: no thread can walk a table that is being freed; holes are flagged dead too,
      // but their subscribers were moved out before.
      if slot(position).pointee.flags.load(ordering: .relaxed) & Slot.dead == 0 { _ = moveSubscriber(position) }
    }
    for position in deadPositions { _ = moveSubscriber(position) }
    for storage in retired { storage.deallocate() }
    address.load(ordering: .relaxed)?.deallocate()
  }
}
