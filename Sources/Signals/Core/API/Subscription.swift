public import Synchronization

// Safe: each variable says why. A subclass, which stores the state of the subscription's observer in the same object,
// argues for what it adds.
/// Keeps one subscription alive: the chain from the source to the handler ends when this is disposed or released.
///
/// Store it in a ``DisposeBag`` or in a property, or let the source retain it with ``retained()``.
///
/// ```swift
/// let ticks = Emitter<Int>()
/// var subscription: Subscription? = ticks.signal.subscribe { print($0) }
/// ticks.send(1)
/// subscription = nil  // From here on nothing is printed.
/// ticks.send(2)
/// print(subscription == nil)
/// ```
///
/// `dispose()` may be called from any thread, also inside the handler. After it returns on the delivering thread, the
/// handler is not called again; on another thread at most the call that is already running completes (law 7). When
/// several threads dispose at once, each may rely on its own call. Closures and their captures are freed, and the
/// source is released. One exception: a closure of `map`, `filter`, `compactMap`, `handle` or another operator without
/// state that disposes its own subscription still passes on the current event.
public class Subscription: Disposable, @unchecked Sendable {
  // Bits of `state`.
  @usableFromInline static var linked: UInt32 { 1 }
  @usableFromInline static var ended: UInt32 { 2 }
  @usableFromInline static var selfRetained: UInt32 { 4 }
  @usableFromInline static var shared: UInt32 { 8 }
  /// The origin has forgotten the subscription, and the subscription the origin.
  @usableFromInline static var apart: UInt32 { 16 }
  /// It was disposed, perhaps while its end was being delivered: see ``wasDisposed``.
  @usableFromInline static var disposed: UInt32 { 32 }
  /// Its origin has ended it without an event.
  @usableFromInline static var silenced: UInt32 { 64 }
  /// The upper bits count the threads that are notifying the origin to forget the subscription.
  @usableFromInline static var telling: UInt32 { 128 }

  // Unchecked exclusivity: as nothing is called while one of these is read or written, no access overlaps another on the same thread.

  // In an order without padding.
  @usableFromInline final let state: Atomic<UInt32>
  /// The position of its slot in the origin's table; -1 while it has none.
  // Safe: read and written only by `origin`, under its lock.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) final var position: Int32 = -1
  /// The source of the values; nil before it is linked.
  // Safe: written before the `linked` bit is set with release ordering, and read by threads that have since been
  // counted in the upper bits of `state`, or by the origin itself. Retained from `link` on; released by the thread that
  // set `apart`, which happens only when no thread is counted, and none is afterwards; else by `deinit`.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) final var origin: Unmanaged<Origin>?
  /// The live graph's record of the subscription.
  // Safe: written before the subscription is connected, while one thread has it; read by that thread and by the thread
  // that ends the subscription.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) final var recording = SubscriptionRecording.none
  /// The location of the subscriber, for lists of a source's subscribers.
  @usableFromInline final let site: SubscriptionSite
  /// The identity of the subscriber, if known.
  // Safe: written before the subscription is linked, while one thread has it; read under its origin's lock.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) final var tag: SubscriberTag?

  /// The operator whose only input this is, and the input's key: the origin notifies it with
  /// ``Origin/inputWasSilenced(_:)``.
  ///
  /// Read under the origin's lock, also while this is being released: until the origin has forgotten it, the members
  /// that a subclass adds are there.
  @usableFromInline var operatorBelow: OperatorBelow? { nil }

  @usableFromInline typealias OperatorBelow = (origin: Origin, key: Int)

  /// Creates a subscription that is not connected yet.
  ///
  /// - Parameters:
  ///   - site: The location of the subscriber.
  ///   - tag: The identity of the subscriber.
  ///   - isShared: Whether other code may dispose it before it is linked.
  @inlinable
  init(at site: SubscriptionSite = .unknown, tag: SubscriberTag? = nil, isShared: Bool = false) {
    state = Atomic(isShared ? Self.shared : 0)
    self.site = site
    self.tag = tag
  }

  /// Creates a subscription that runs an action when it is disposed or released, once.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// Subscription { print("cleaning up") }.store(in: bag)
  /// ```
  ///
  /// A second `dispose()` does not wait for an action that another thread is running.
  ///
  /// - Parameter action: Called once, on the thread that disposes or releases the subscription first.
  public convenience init(_ action: @escaping @Sendable () -> Void) {
    self.init()
    link(to: DisposalAction(action))
  }

  /// Whether the subscription has ended, by disposal or because its signal ended.
  public final var isDisposed: Bool {
    @inlinable get { state.load(ordering: .acquiring) & Self.ended != 0 }
  }

  /// Whether it was disposed. An operator that delivers values at the end checks it: by then the subscription has ended
  /// anyway.
  @inlinable
  final var wasDisposed: Bool { state.load(ordering: .acquiring) & Self.disposed != 0 }

  /// Whether it was disposed, or its source has ended it without an event.
  final var wasSilenced: Bool { state.load(ordering: .acquiring) & (Self.disposed | Self.silenced) != 0 }

  /// Ends the subscription. Calling it again does nothing.
  ///
  /// Thread-safe, also inside the handler. The type's description lists what holds when this returns.
  ///
  /// - Complexity: O(1) amortised for each operator of the chain (law 15).
  @inlinable
  public final func dispose() {
    leave(marking: Self.ended | Self.disposed, unless: Self.disposed)
  }

  /// Why a subscription is disposed, for the live graph.
  @usableFromInline
  enum DisposalReason {
    case program
    /// The bag that held it was released.
    case bagReleased
    case ownerGone
  }

  /// Disposes it for an internal reason. The reason is recorded only if the subscription has not ended before.
  final func dispose(because reason: DisposalReason) {
    leave(marking: Self.ended | Self.disposed, unless: Self.disposed, because: reason)
  }

  /// Releases the origin of a subscription that has ended by itself. That is no disposal: values that an operator has
  /// yet to send at the end are still delivered.
  final func leaveAfterEnd() {
    leave(marking: Self.ended, unless: Self.ended)
  }

  /// - Parameters:
  ///   - isDone: The bit that shows, for a subscription that is not linked, that there is nothing to do.
  ///   - reason: The reason for the disposal.
  @inlinable
  @inline(__always)
  final func leave(marking bits: UInt32, unless isDone: UInt32, because reason: DisposalReason = .program) {
    var before = state.load(ordering: .relaxed)
    while true {
      if before & Self.apart != 0 {
        state.bitwiseOr(bits, ordering: .releasing)
        return
      }
      let isLinked = before & Self.linked != 0
      // A thread that links it later sees that it has ended.
      if before & isDone != 0, !isLinked { return }
      // Also when another thread is disposing it: that one may not have reached the origin yet.
      let result = state.weakCompareExchange(
        expected: before, desired: (isLinked ? before &+ Self.telling : before) | bits,
        ordering: .acquiringAndReleasing)
      if result.exchanged { break }
      before = result.original
    }
    if before & Self.linked != 0 { leaveOrigin() }
    guard before & Self.ended == 0 else { return }
    // Only the thread that set the bit reaches this: it holds the subscription's reference to its record.
    switch reason {
    case .program: recording.ended(disposed: true)
    case .bagReleased: recording.releasedWithBag()
    case .ownerGone: recording.ownerGone()
    }
    if before & Self.selfRetained != 0 { Unmanaged.passUnretained(self).release() }
  }

  /// Notifies the origin to forget the subscription, and releases it unless another thread is still notifying it. Only
  /// for a counted thread.
  @inlinable
  final func leaveOrigin() {
    // Not retained for the call: it stays until no thread is counted.
    let origin = origin.unsafelyUnwrapped
    origin._withUnsafeGuaranteedRef { $0.forget(self) }
    var before = state.load(ordering: .relaxed)
    while true {
      let isLast = before < 2 &* Self.telling
      let result = state.weakCompareExchange(
        expected: before, desired: (before &- Self.telling) | (isLast ? Self.apart : 0),
        ordering: .acquiringAndReleasing)
      if result.exchanged {
        // Released here, where no lock is held: a release may run any code.
        if isLast { origin.release() }
        return
      }
      before = result.original
    }
  }

  /// Lets the source retain the subscription: it lives until the signal ends or `dispose()` is called.
  ///
  /// ```swift
  /// let launches = Emitter<Void>()
  /// launches.signal.subscribe { print("launched") }.retained()
  /// ```
  ///
  /// - Returns: The same subscription.
  @discardableResult
  public final func retained() -> Subscription {
    _ = Unmanaged.passRetained(self)
    let before = state.bitwiseOr(Self.selfRetained, ordering: .acquiringAndReleasing).oldValue
    if before & (Self.ended | Self.selfRetained) != 0 { Unmanaged.passUnretained(self).release() }
    return self
  }

  /// Connects the subscription to its origin. A source calls this once, before its first event.
  ///
  /// If the subscription was already disposed, the origin is notified at once.
  @inlinable
  final func link(to origin: Origin) {
    debugAssert(self.origin == nil, "a subscription is linked once")
    self.origin = .passRetained(origin)
    if state.load(ordering: .relaxed) & Self.shared == 0 {
      // No other code has the subscription yet, so it cannot have been disposed.
      state.store(Self.linked, ordering: .releasing)
      return
    }
    var before = state.load(ordering: .relaxed)
    while true {
      let isOver = before & Self.ended != 0
      let result = state.weakCompareExchange(
        expected: before, desired: (isOver ? before &+ Self.telling : before) | Self.linked,
        ordering: .acquiringAndReleasing)
      if result.exchanged { break }
      before = result.original
    }
    if before & Self.ended != 0 { leaveOrigin() }
  }

  /// Notes that the signal ended by itself; the origin has forgotten the subscription.
  ///
  /// The subscription retains its origin until it is disposed or released: another thread may be about to free it, so
  /// nothing can be removed from it here.
  ///
  /// - Returns: A reference to release once no lock is held, if the subscription had retained itself.
  @usableFromInline
  final func completed() -> Unmanaged<Subscription>? { endFromOrigin(disposed: false) }

  /// Notes that the origin ended the subscription without an event, and has forgotten it.
  ///
  /// - Returns: A reference to release once no lock is held, if the subscription had retained itself.
  final func disposedByOrigin() -> Unmanaged<Subscription>? { endFromOrigin(disposed: true) }

  /// The same, because the actor on which the values are delivered is deallocated.
  final func abandonedByOrigin() -> Unmanaged<Subscription>? { endFromOrigin(disposed: true, isAbandoned: true) }

  /// Notes that the origin ended all subscriptions while an operator below this ended one is still sending values.
  final func disposedAfterEnd() {
    state.bitwiseOr(Self.disposed | Self.silenced, ordering: .releasing)
  }

  /// Reads from the origin, if there is one. The caller must retain the subscription.
  final func withOrigin<Result>(_ read: (Origin) -> Result) -> Result? {
    var before = state.load(ordering: .relaxed)
    while true {
      guard before & Self.linked != 0, before & Self.apart == 0 else { return nil }
      // Counted among the notifying threads, so that the origin stays.
      let counted = state.weakCompareExchange(
        expected: before, desired: before &+ Self.telling, ordering: .acquiringAndReleasing)
      if counted.exchanged { break }
      before = counted.original
    }
    let origin = origin.unsafelyUnwrapped
    let result = origin._withUnsafeGuaranteedRef(read)
    before = state.load(ordering: .relaxed)
    while true {
      // Another thread may have disposed it in the meantime, and left the rest to the last counted thread.
      let isLast = before & Self.disposed != 0 && before < 2 &* Self.telling
      let result = state.weakCompareExchange(
        expected: before, desired: (before &- Self.telling) | (isLast ? Self.apart : 0),
        ordering: .acquiringAndReleasing)
      if result.exchanged {
        if isLast { origin.release() }
        break
      }
      before = result.original
    }
    return result
  }

  private final func endFromOrigin(disposed: Bool, isAbandoned: Bool = false) -> Unmanaged<Subscription>? {
    // Once the bit is set, the holder of the last reference may free this at any time, without notifying the origin. So
    // later needs are read before.
    let recording = recording
    let bits = disposed ? Self.ended | Self.silenced : Self.ended
    let before = state.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
    guard before & Self.ended == 0 else { return nil }
    if isAbandoned { recording.actorGone() } else { recording.ended(disposed: disposed) }
    return before & Self.selfRetained != 0 ? .passUnretained(self) : nil
  }

  /// Ends an observer whose source was never connected to this subscription, or no longer is; does nothing if it was
  /// disposed.
  @usableFromInline
  final func end<Value>(_ observer: Observer<Value>, _ completion: Completion) {
    end(observer.end, completion)
  }

  @usableFromInline
  final func end(_ end: @Sendable (Completion) -> Void, _ completion: Completion) {
    guard !isDisposed else { return }
    let keeper = completed()
    end(completion)
    keeper?.release()
  }

  /// Ends an observer whose chain threw, as ``end(_:_:)`` does.
  @usableFromInline
  final func end<Value>(_ observer: Observer<Value>, after error: any Error) {
    guard !isDisposed else { return }
    let keeper = completed()
    endChain(observer.end, after: error)
    keeper?.release()
  }

  deinit {
    let state = state.load(ordering: .relaxed)
    if state & (Self.linked | Self.apart) == Self.linked {
      let origin = origin.unsafelyUnwrapped
      if state & Self.ended == 0 { origin._withUnsafeGuaranteedRef { $0.forget(self) } }
      origin.release()
    }
    guard state & Self.ended == 0 else { return }
    // The origin may have ended it in the meantime, under its lock; then it has ended the chain too.
    if recording.isOn, !isDisposed { recording.released() }
  }
}

extension Subscription: CustomReflectable {
  /// Shows only whether it is disposed: the stored properties belong to threads, and some cannot be copied.
  public var customMirror: Mirror {
    Mirror(self, children: ["isDisposed": isDisposed], displayStyle: .class, ancestorRepresentation: .suppressed)
  }
}

/// The origin of a subscription's values; it is notified when the subscription leaves.
// Safe: this class has no state; each subclass argues for its own.
@usableFromInline
class Origin: @unchecked Sendable {
  @usableFromInline init() {}

  /// Forgets a subscription: once this has returned, the calling thread delivers nothing more to it.
  ///
  /// Called on any thread, possibly while the subscription is being released, and possibly several times, even at once,
  /// when several threads dispose it.
  @usableFromInline func forget(_ subscription: Subscription) {}

  /// Notes that an operator sends values at the end, below a subscription that has ended: it is retained until
  /// ``endEnding(_:)``.
  func beginEnding(_ subscription: Subscription) {}

  /// Notes that the last of those values was sent.
  func endEnding(_ subscription: Subscription) {}

  /// Notes that the origin of the only input has ended it without an event. Called without a lock.
  ///
  /// - Parameter key: The input's key.
  func inputWasSilenced(_ key: Int) {}
}

extension Origin: CustomReflectable {
  /// Shows nothing: the stored properties belong to threads, and some cannot be copied.
  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: [], displayStyle: .class, ancestorRepresentation: .suppressed)
  }
}

/// Runs an action once when its subscription is disposed.
// Safe: the action is taken once.
private final class DisposalAction: Origin, @unchecked Sendable {
  private let action: TakenOnce<@Sendable () -> Void>

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = TakenOnce(action)
  }

  override func forget(_ subscription: Subscription) {
    action.take()?()
  }
}
