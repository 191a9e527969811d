import DequeModule
public import Synchronization

/// Lets one work item through at a time, without holding a lock while it runs.
///
/// A thread that enters an open gate does its work and leaves. A thread that finds the gate taken (by another thread,
/// or by itself further up the stack) enqueues the work; the thread inside does it before leaving. So work is serial
/// (law 3), in one order (law 2), nothing waits (law 4), and uncontended work is done when the call returns (law 5).
/// Entering an uncontended gate takes one compare-and-swap, or the lock in a lock-only gate; leaving takes one. A gate
/// is left by the thread that entered it.
///
/// Debug builds check the callers: see ``assertInside(file:line:)`` and ``assertLocked(file:line:)``.
// Safe: `state` is atomic; `queue` is touched only under `lock`.
@usableFromInline
class Gate: Origin, @unchecked Sendable {
  // Bits of `state`. The fast path requires it to be exactly zero.
  /// A thread is inside.
  @usableFromInline static var taken: UInt32 { 1 }
  /// Work was enqueued, or a cleanup is needed: the thread inside may not leave on the fast path.
  @usableFromInline static var pending: UInt32 { 2 }
  /// The holder of `lock` keeps all threads out for a short time; none is inside.
  @usableFromInline static var closedForChange: UInt32 { 4 }
  /// Always set for gates whose every entry has to take `lock`.
  @usableFromInline static var lockOnly: UInt32 { 8 }
  /// The emitter has ended, so the fast path is closed. Under `lock` the end itself and clean-ups still enter, and
  /// `accept` rejects values.
  @usableFromInline static var ended: UInt32 { 16 }
  /// Set while the live graph records entries: then every entry takes `lock`, and is recorded.
  static var traced: UInt32 { SourceRecording.tracedBit }

  /// The flags above, and when which thread may change them:
  ///
  /// | flag | is set | is cleared |
  /// |---|---|---|
  /// | `taken` | by a thread that finds it clear: with a compare-and-swap, or, in a lock-only gate, under `lock` | by the thread inside; under `lock` if anything but `lockOnly` is set |
  /// | `pending` | under `lock`, while `taken` is set, or by the thread inside | by the thread inside, under `lock` |
  /// | `closedForChange` | under `lock`, while `taken` is clear | by the same thread, before it unlocks |
  /// | `ended` | under `lock` | never |
  /// | `traced` | under `lock` | by any thread |
  ///
  /// The holder of the lock of an open lock-only gate (`state == openState`) is the only thread that may change it:
  /// `enterLocked()` relies on that and stores `taken` without a compare-and-swap, which would lose a flag that another
  /// thread sets without the lock. `traced` may be cleared without it, because an open gate does not have it.
  @usableFromInline let state: Atomic<UInt32>
  /// The state when no thread is inside and nothing is pending.
  @usableFromInline let openState: UInt32
  /// The first lock in the order of locks: an emitter's or junction's, then a shard's of a recorder, then a recorder's
  /// or node's state. A thread that holds one waits only for later ones, and never for one of the same kind; but a
  /// thread that reads a whole graph holds all shards of a recorder, and takes them in their order. Turning recording
  /// of entries on takes an emitter's lock under a node's, without waiting for it. User code runs under none of them.
  @usableFromInline let lock = Lock()
  /// Checks in debug builds that one thread at a time is inside.
  @usableFromInline let stay = ExclusiveUse()
  // Safe: no access overlaps another, as it is touched only under `lock`, in short stretches that call nothing else.
  @exclusivity(unchecked) private var queue = Deque<@Sendable () -> Void>()

  @usableFromInline
  init(isLockOnly: Bool = false) {
    openState = isLockOnly ? Self.lockOnly : 0
    state = Atomic(openState)
  }

  /// Enters without the lock, if no thread is inside and no flag is set. A caller that entered calls ``leave()-1``.
  @inlinable
  final func enter() -> Bool {
    guard state.compareExchange(expected: 0, desired: Self.taken, ordering: .acquiring).exchanged else { return false }
    hasEntered()
    return true
  }

  /// Leaves, after doing the work that was enqueued in the meantime.
  @inlinable
  final func leave() {
    // Before the exchange, as another thread may enter directly after it; undone if this one has to stay.
    isLeaving()
    if !state.compareExchange(expected: openState | Self.taken, desired: openState, ordering: .releasing).exchanged {
      hasEntered()
      leaveAfterPendingWork()
    }
  }

  /// Does work inside the gate: now or, if a thread is inside, before it leaves. Callers usually have tried ``enter()``.
  @usableFromInline
  final func perform(_ work: @escaping @Sendable () -> Void) {
    perform(work, unlessLocked: { false })
  }

  /// Does work inside the gate, like ``perform(_:)``, unless a closure finds under the lock that another thread will do
  /// it.
  @inline(__always)
  final func perform(_ work: @escaping @Sendable () -> Void, unlessLocked isDoneElsewhere: () -> Bool) {
    let entered = lock.withLock {
      if isDoneElsewhere() { return false }
      if enterLocked() { return true }
      // The thread inside attributes the work to this thread's cause, while causes are recorded.
      appendLocked(Recorder.carrying(work))
      return false
    }
    guard entered else { return }
    work()
    leave()
  }

  /// Leaves a lock-only gate, like ``leave()``.
  @inlinable
  final func leaveLockOnly() {
    let lockOnly = Self.lockOnly
    isLeaving()
    if !state.compareExchange(expected: lockOnly | Self.taken, desired: lockOnly, ordering: .releasing).exchanged {
      hasEntered()
      leaveAfterPendingWork()
    }
  }

  /// Enters a lock-only gate, like ``enterLocked()``.
  @inlinable
  @inline(__always)
  final func enterLockOnlyLocked() -> Bool {
    assertLocked()
    guard state.load(ordering: .acquiring) == Self.lockOnly else { return enterOrNotePending() }
    state.store(Self.lockOnly | Self.taken, ordering: .relaxed)
    hasEntered()
    return true
  }

  /// Enters while holding `lock`, or notes that there is pending work.
  @inlinable
  @inline(__always)
  final func enterLocked() -> Bool {
    assertLocked()
    if openState != 0, state.load(ordering: .acquiring) == openState {
      // A lock-only gate is entered only with the lock, so no thread interferes between reading and writing.
      state.store(openState | Self.taken, ordering: .relaxed)
      hasEntered()
      return true
    }
    return enterOrNotePending()
  }

  @usableFromInline
  final func enterOrNotePending() -> Bool {
    // The change bit is never seen here: its holder has the lock.
    var current = state.load(ordering: .relaxed)
    while true {
      let wanted = current & Self.taken == 0 ? current | Self.taken : current | Self.pending
      let result = state.compareExchange(expected: current, desired: wanted, ordering: .acquiringAndReleasing)
      if result.exchanged {
        guard current & Self.taken == 0 else { return false }
        hasEntered()
        if current & Self.traced != 0 { tracedEntry() }
        return true
      }
      current = result.original
    }
  }

  /// Enqueues work for the thread inside. Only after ``enterLocked()`` returned false, under the same lock, or by the
  /// thread inside, which sets `pending`.
  @usableFromInline
  final func appendLocked(_ work: @escaping @Sendable () -> Void) {
    assertLocked()
    debugAssert(state.load(ordering: .relaxed) & Self.taken != 0, "work is enqueued only for a thread that is inside")
    queue.append(work)
  }

  /// Enqueues work for the thread inside, if there is one. Under `lock`.
  ///
  /// - Returns: Whether there is one.
  final func appendIfTakenLocked(_ work: @escaping @Sendable () -> Void) -> Bool {
    assertLocked()
    var current = state.load(ordering: .relaxed)
    while current & Self.taken != 0 {
      let result = state.compareExchange(
        expected: current, desired: current | Self.pending, ordering: .acquiringAndReleasing)
      if result.exchanged {
        queue.append(work)
        return true
      }
      current = result.original
    }
    return false
  }

  /// Keeps all threads out while `change` runs, if none is inside; otherwise notes that a cleanup is needed. Under
  /// `lock`.
  ///
  /// - Returns: Whether `change` ran.
  @inlinable
  final func changeLocked(_ change: () -> Void) -> Bool {
    assertLocked()
    var current = state.load(ordering: .relaxed)
    while true {
      let isFree = current & Self.taken == 0
      let wanted = current | (isFree ? Self.closedForChange : Self.pending)
      let result = state.compareExchange(expected: current, desired: wanted, ordering: .acquiringAndReleasing)
      if result.exchanged {
        guard isFree else { return false }
        change()
        state.bitwiseAnd(~Self.closedForChange, ordering: .releasing)
        return true
      }
      current = result.original
    }
  }

  @usableFromInline
  final func leaveAfterPendingWork() {
    while true {
      assertInside()
      var releases = DeferredReleases()
      let next: (@Sendable () -> Void)? = lock.withLock {
        cleanUpLocked(&releases)
        if let next = queue.popFirst() { return next }
        // The entry may be missing, if recording of entries began while this thread was inside.
        if state.load(ordering: .relaxed) & Self.traced != 0 { tracedLeaving() }
        isLeaving()
        state.bitwiseAnd(~(Self.taken | Self.pending), ordering: .releasing)
        return nil
      }
      releases.releaseAll()
      guard let next else { return }
      next()
    }
  }

  /// Called under `lock` by a thread that has entered, while entries are recorded.
  func tracedEntry() {}

  /// Called under `lock` by a thread that is about to leave, while entries are recorded.
  func tracedLeaving() {}

  /// Called under `lock` by the thread inside, before each pending work item and before it leaves with the lock;
  /// objects to release go into `releases`.
  func cleanUpLocked(_ releases: inout DeferredReleases) {}

  // MARK: Checks of debug builds

  @inlinable
  @inline(__always)
  final func hasEntered() { stay.begin("one thread at a time is inside a gate") }

  @inlinable
  @inline(__always)
  final func isLeaving() { stay.end("a gate is left by the thread that entered it") }

  /// Stops a debug build unless this thread is inside.
  @inlinable
  @inline(__always)
  final func assertInside(file: StaticString = #fileID, line: UInt = #line) {
    stay.assertMine("only inside the gate", file: file, line: line)
  }

  /// Stops a debug build unless this thread holds `lock`.
  @inlinable
  @inline(__always)
  final func assertLocked(file: StaticString = #fileID, line: UInt = #line) {
    lock.assertHeld(file: file, line: line)
  }

  /// Stops a debug build unless this thread has exclusive access to the state of the thread inside: it is that thread,
  /// or, under `lock`, keeps all threads out for a change.
  @inlinable
  @inline(__always)
  final func assertAlone(file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      if state.load(ordering: .relaxed) & Self.closedForChange == 0 {
        assertInside(file: file, line: line)
      } else {
        assertLocked(file: file, line: line)
      }
    #endif
  }
}

/// Objects that are released once no lock is held, because releasing them may run any code.
@usableFromInline
struct DeferredReleases {
  private var items: [Any] = []

  mutating func add(_ item: Any) {
    items.append(item)
  }

  mutating func releaseAll() {
    items.removeAll()
  }
}

/// Lets a noncopyable value wait for its release among other objects.
final class NoncopyableBox<Content: ~Copyable> {
  private let content: Content

  init(_ content: consuming Content) {
    self.content = content
  }
}
