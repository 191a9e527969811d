import Dispatch
import Synchronization

/// Ends something, such as a subscription, once its owner is gone. It holds both weakly.
///
/// Not every platform tells when an object goes: a weak reference becomes nil in silence. So the bonds of the process are listed, and swept:
/// each new bond looks at the next two of the list, which keeps those whose owner is gone fewer than the others; and who asks for something
/// that they would falsify (a count of subscribers, a snapshot, a check for leaks) looks at all of them first. Where objects can carry others
/// (`ObjectiveC`), the bond is also ended with its owner at once.
// Safe: `object` is written when the bond is made, `target` and `number` before others find it, in the list or as the tag of a subscription that
// is linked, so before other threads read them; the run-time library clears weak references atomically; `position` is touched only under the
// list's lock.
@usableFromInline
final class OwnerBond: SubscriberTag, Disposable, @unchecked Sendable {
  private weak var object: AnyObject?
  private let identity: ObjectIdentifier
  private let ownerType: AnyObject.Type
  private weak var target: (any Disposable)?
  /// The thread that looks at the owner or ends what is bound; 0 while none does. With ``hangs``, once somebody has waited for it in vain.
  private let looker = Atomic<UInt>(0)
  /// A bit that no thread's number has, which is an address.
  private static var hangs: UInt { 1 }
  fileprivate var position = -1
  fileprivate var number: UInt64 = 0

  /// Whether only the main queue may look at the owner, as that is not `Sendable`: who looks may be the last to let go of it.
  let isOnMain: Bool
  /// Whether it ends a subscription that writes each value into the owner.
  let isBinding: Bool
  /// Whether the main queue has been asked to look.
  private let isMainAsked = Atomic(false)

  /// Makes a bond that ends nothing yet.
  ///
  /// - Parameters:
  ///   - isOnMain: Whether only the main queue may look at the owner.
  ///   - isBinding: Whether it ends a subscription that writes each value into the owner.
  @usableFromInline
  init(_ owner: AnyObject, isOnMain: Bool = false, isBinding: Bool = false) {
    self.isOnMain = isOnMain
    self.isBinding = isBinding
    identity = ObjectIdentifier(owner)
    ownerType = type(of: owner)
    object = owner
    super.init()
  }

  override var ownerName: String? { isOnMain || object != nil ? String(describing: ownerType) : nil }

  override func end(ifOwnedBy owner: AnyObject) {
    // The caller keeps the object, if it is the same one; where it is another one, this must not keep the owner, not even for a moment.
    if identity == ObjectIdentifier(owner), object === owner { dispose() }
  }

  /// The owner, while it lives.
  @usableFromInline var owner: AnyObject? { object }

  /// The owner, while it lives, where this thread may look at it.
  var reachableOwner: AnyObject? { isOnMain && !MainScheduler.isHere ? nil : object }

  /// The bag that it ends, if it ends one.
  fileprivate var bag: DisposeBag? { target as? DisposeBag }

  /// Lets the bond end something, unless that is over already. Called at most once, while the owner lives.
  func end(_ target: any Disposable) {
    bind(target)
    endWithOwner()
  }

  /// Says what the bond is to end. Called at most once, before other threads know of the bond.
  @usableFromInline
  func bind(_ target: any Disposable) {
    debugAssert(self.target == nil, "a bond ends one thing")
    self.target = target
  }

  /// Lets the bond end what is bound once the owner is gone, unless that is over already. Called at most once, while the owner lives.
  @usableFromInline
  func endWithOwner() {
    guard !isDisposed else { return }
    #if canImport(ObjectiveC)
      if let object { DisposeBag.carried(by: object).insert(self) }
    #endif
    OwnerBondList.all.add(self)
  }

  /// Ends what is bound.
  @usableFromInline
  func dispose() {
    target?.dispose()
    // In this order: who finds the list without it relies on that it has ended.
    OwnerBondList.all.remove(self)
  }

  /// The same, because the owner is deallocated.
  func disposeAsOwnerless() {
    // Also where nothing records any more: a check of a test sweeps after its recorder's scope.
    (target as? Subscription)?.dispose(because: .ownerGone)
    dispose()
  }

  /// What ends the chain of a subscription to which a value came when the owner was deallocated. Only for the subscription's handler.
  @usableFromInline
  func stopDelivery() -> StopDelivery {
    (target as? Subscription)?.recording.unheard()
    return StopDelivery()
  }

  /// Whether there is nothing left to end.
  @usableFromInline var isDisposed: Bool { target?.isDisposed ?? true }

  /// Ends everything whose owner is gone, also what goes only because of that. Not under a lock: any code may run. Inside another sweep of the
  /// same thread it does nothing.
  ///
  /// - Complexity: O(*n*) in the number of things in this process that have an owner; more where owners keep each other.
  static func sweep() {
    OwnerBondList.all.sweep()
  }

  /// Ends what is bound if the owner is gone, and leaves the list if there is nothing left to do.
  ///
  /// While another thread is at it, the owner may be kept only by that thread's look, and what is bound may be half ended. So this waits until the
  /// other is through; but not for ever, because the other thread may be in any code, and not again if somebody has waited long enough.
  ///
  /// - Returns: Whether anything was ended.
  fileprivate func check(waitingFor patience: Duration) -> Bool {
    if isOnMain, !MainScheduler.isHere {
      askMain()
      return false
    }
    guard beginLook(waitingFor: patience) else { return false }
    defer { looker.store(0, ordering: .releasing) }
    // This may be the last one to let go of the object: its `deinit` then runs here.
    if object == nil {
      disposeAsOwnerless()
      return true
    }
    if isDisposed { OwnerBondList.all.remove(self) }
    return false
  }

  private func askMain() {
    if isMainAsked.exchange(true, ordering: .acquiringAndReleasing) { return }
    DispatchQueue.main.async { [weak self] in
      guard let self else { return }
      isMainAsked.store(false, ordering: .releasing)
      _ = check(waitingFor: .zero)
    }
  }

  private func beginLook(waitingFor patience: Duration) -> Bool {
    let thread = currentThread()
    var limit: ContinuousClock.Instant?
    while true {
      let result = looker.compareExchange(expected: 0, desired: thread, ordering: .acquiringAndReleasing)
      if result.exchanged { return true }
      if result.original & ~Self.hangs == thread || result.original & Self.hangs != 0 || patience == .zero {
        return false
      }
      let now = ContinuousClock.now
      if let limit, now >= limit {
        // Those who come later need not wait too; whoever is through takes the mark away.
        _ = looker.compareExchange(
          expected: result.original, desired: result.original | Self.hangs, ordering: .relaxed)
        return false
      }
      if limit == nil { limit = now + patience }
      yieldThread()
    }
  }
}

/// The bonds of the process that may have something to end.
private final class OwnerBondList: Sendable {
  static let all = OwnerBondList()

  private struct State {
    var bonds: ContiguousArray<OwnerBond> = []
    /// The index in the list where the next look goes.
    var next = 0
    var lastNumber: UInt64 = 0
    /// Threads that are looking at bonds, further up their stack.
    var threads: Set<UInt> = []
  }

  private let state = Mutex(State())

  private init() {
    Recorder.beforeReading { Self.all.sweep() }
    SubscriptionOwner.askingBags { Self.all.bags() }
  }

  /// Lists a bond, and looks at two others.
  ///
  /// - Complexity: O(1) amortised, without what ends because of it.
  func add(_ bond: OwnerBond) {
    state.withLock { state in
      state.lastNumber += 1
      bond.number = state.lastNumber
      bond.position = state.bonds.count
      state.bonds.append(bond)
    }
    onceInThread { for _ in 0..<2 { _ = nextBond()?.check(waitingFor: .zero) } }
  }

  /// Runs a closure, unless this thread is inside another one already: what ends may ask for another sweep, and so on without an end.
  private func onceInThread(_ body: () -> Void) {
    let thread = currentThread()
    guard state.withLock({ $0.threads.insert(thread).inserted }) else { return }
    // What ends may be anybody's.
    RealTimeWatch.onBehalfOfOthers(body)
    state.withLock { _ = $0.threads.remove(thread) }
  }

  private func nextBond() -> OwnerBond? {
    state.withLock { state in
      guard !state.bonds.isEmpty else { return nil }
      if state.next >= state.bonds.count { state.next = 0 }
      defer { state.next += 1 }
      return state.bonds[state.next]
    }
  }

  /// Takes a bond out of the list, if it is there. Its caller keeps it, so it is not released under the lock.
  func remove(_ bond: OwnerBond) {
    state.withLock { state in
      let position = bond.position
      guard position >= 0 else { return }
      bond.position = -1
      let last = state.bonds.removeLast()
      guard position < state.bonds.count else { return }
      state.bonds[position] = last
      last.position = position
    }
  }

  /// The bags that end with an owner, and the owners.
  private func bags() -> [(bag: DisposeBag, owner: AnyObject)] {
    // Elements of its own, as below. What is kept here for a moment may go here: not under the lock.
    let bonds = state.withLock { $0.bonds.map { $0 } }
    return bonds.compactMap { bond in
      guard let bag = bond.bag, let owner = bond.reachableOwner else { return nil }
      return (bag, owner)
    }
  }

  /// Looks at all bonds, again and again until nothing has ended any more: an owner may have been kept by what another one's end freed.
  ///
  /// Bonds that are made meanwhile do not count, so that this comes to an end.
  func sweep() {
    let (isEmpty, newest) = state.withLock { ($0.bonds.isEmpty, $0.lastNumber) }
    if !isEmpty { onceInThread { sweep(upTo: newest) } }
  }

  private func sweep(upTo newest: UInt64) {
    while true {
      // Elements of its own: an array that is shared would have to be copied by the next who changes it.
      let bonds = state.withLock { $0.bonds.map { $0 } }
      var hasEnded = false
      for bond in bonds where bond.number <= newest {
        if bond.check(waitingFor: .seconds(1)) { hasEnded = true }
      }
      if !hasEnded { return }
    }
  }
}
