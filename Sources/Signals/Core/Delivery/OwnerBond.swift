import Dispatch
import Synchronization

/// Ends its target, such as a subscription, once its owner is deallocated. Both are referenced weakly.
///
/// Not every platform reports a deallocation: a weak reference becomes nil silently. So the bonds of the process are
/// listed, and swept: each new bond checks the next two of the list, which keeps those without an owner fewer than the
/// others; and operations whose result they would falsify (a count of subscribers, a snapshot, a check for leaks) check
/// all of them first. With associated objects (`ObjectiveC`), the bond is also ended with its owner at once.
// Safe: `object` is written when the bond is created, `target` and `number` before others find it, in the list or as
// the tag of a subscription that is linked, so before other threads read them; the run-time library clears weak
// references atomically; `position` is touched only under the list's lock.
@usableFromInline
final class OwnerBond: SubscriberTag, Disposable, @unchecked Sendable {
  private weak var object: AnyObject?
  private let identity: ObjectIdentifier
  private let ownerType: AnyObject.Type
  private weak var target: (any Disposable)?
  /// The thread that checks the owner or ends the target; 0 while none does. With ``hangs`` once another thread has
  /// waited for it in vain.
  private let looker = Atomic<UInt>(0)
  /// A bit that is not set in any thread's number, which is an address.
  private static var hangs: UInt { 1 }
  fileprivate var position = -1
  fileprivate var number: UInt64 = 0

  /// Whether only the main queue may access the owner, as that is not `Sendable`: the access may hold the last
  /// reference.
  let isOnMain: Bool
  /// Whether it ends a subscription that writes each value into the owner.
  let isBinding: Bool
  /// Whether the target is a bag.
  private let isOfBag: Bool
  /// Whether a check on the main queue is scheduled.
  private let isMainAsked = Atomic(false)

  /// Creates a bond without a target.
  ///
  /// - Parameters:
  ///   - isOnMain: Whether only the main queue may access the owner.
  ///   - isBinding: Whether it ends a subscription that writes each value into the owner.
  ///   - isOfBag: Whether it ends a bag.
  @usableFromInline
  init(_ owner: AnyObject, isOnMain: Bool = false, isBinding: Bool = false, isOfBag: Bool = false) {
    self.isOnMain = isOnMain
    self.isBinding = isBinding
    self.isOfBag = isOfBag
    identity = ObjectIdentifier(owner)
    ownerType = type(of: owner)
    object = owner
    super.init()
  }

  override var ownerName: String? { isOnMain || object != nil ? String(describing: ownerType) : nil }

  override func end(ifOwnedBy owner: AnyObject) {
    // The caller retains the object, if it is the same one; if it is another one, this must not retain the owner, not
    // even for a moment.
    if identity == ObjectIdentifier(owner), object === owner { dispose() }
  }

  /// The owner, while it is alive.
  @usableFromInline var owner: AnyObject? { object }

  /// The owner, while it is alive, if this thread may access it.
  var reachableOwner: AnyObject? { isOnMain && !MainScheduler.isHere ? nil : object }

  /// Sets the target and registers the bond, unless the target is over already. Called at most once, while the owner is
  /// alive.
  func end(_ target: any Disposable) {
    bind(target)
    endWithOwner()
  }

  /// Sets the target. Called at most once, before other threads know of the bond.
  @usableFromInline
  func bind(_ target: any Disposable) {
    debugAssert(self.target == nil, "a bond ends one thing")
    self.target = target
  }

  /// Registers the bond, so that the owner's deallocation ends the target, unless that is over already. Called at most
  /// once, while the owner is alive.
  @usableFromInline
  func endWithOwner() {
    guard !isDisposed else { return }
    #if canImport(ObjectiveC)
      if let object { DisposeBag.carried(by: object).insert(self) }
    #endif
    OwnerBondList.all.add(self)
  }

  /// Ends the target.
  @usableFromInline
  func dispose() {
    target?.dispose()
    // In this order: a thread that finds the list without it relies on the target having ended.
    OwnerBondList.all.remove(self)
  }

  /// The same, because the owner is deallocated.
  func disposeAsOwnerless() {
    // Also where nothing records any more: a check of a test sweeps after its recorder's scope.
    (target as? Subscription)?.dispose(because: .ownerGone)
    dispose()
  }

  /// Returns the error that ends the chain of a subscription that gets a value after its owner's deallocation. Only for
  /// the subscription's handler.
  @usableFromInline
  func stopDelivery() -> StopDelivery {
    (target as? Subscription)?.recording.unheard()
    return StopDelivery()
  }

  /// Whether there is nothing left to end.
  @usableFromInline var isDisposed: Bool { target?.isDisposed ?? true }

  /// Ends all targets whose owner is deallocated, including owners released in the process. Not under a lock: any code
  /// may run. Inside another sweep of the same thread it does nothing.
  ///
  /// - Complexity: O(*n*) in the number of targets in this process that have an owner; more if owners retain each
  ///   other.
  static func sweep() {
    OwnerBondList.all.sweep()
  }

  /// Ends the target if the owner is deallocated, and removes the bond from the list if it is done.
  ///
  /// While another thread does the same, only its check may retain the owner, and the target may be half ended. So this
  /// waits until the other is done; but with a timeout, because the other thread may be in any code, and not again if
  /// some thread has waited long enough.
  ///
  /// - Returns: Whether anything was ended.
  fileprivate func check(waitingFor patience: Duration) -> Bool {
    if isOnMain, !MainScheduler.isHere {
      askMain()
      return false
    }
    guard beginLook(waitingFor: patience) else { return false }
    defer { looker.store(0, ordering: .releasing) }
    // This may hold the last reference to the object: its `deinit` then runs here.
    if object == nil {
      disposeAsOwnerless()
      return true
    }
    if isDisposed { OwnerBondList.all.remove(self) }
    return false
  }

  /// Calls a closure with the bag that it ends, if the target is one, and its owner. Both are retained for as long:
  /// threads that count subscribers wait for it.
  fileprivate func withBag(_ body: (_ bag: DisposeBag, _ owner: AnyObject) -> Void) {
    guard isOfBag, beginLook(waitingFor: .seconds(1)) else { return }
    defer { looker.store(0, ordering: .releasing) }
    guard let bag = target as? DisposeBag, let owner = reachableOwner else { return }
    body(bag, owner)
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
        // Later threads need not wait too; the other thread removes the flag when it is done.
        _ = looker.compareExchange(
          expected: result.original, desired: result.original | Self.hangs, ordering: .relaxed)
        return false
      }
      if limit == nil { limit = now + patience }
      yieldThread()
    }
  }
}

/// The bonds of the process that may have a target.
private final class OwnerBondList: Sendable {
  static let all = OwnerBondList()

  private struct State {
    var bonds: ContiguousArray<OwnerBond> = []
    /// The index of the bond to check next.
    var next = 0
    var lastNumber: UInt64 = 0
    /// Threads that are checking bonds, further up their stack.
    var threads: Set<UInt> = []
  }

  private let state = Mutex(State())

  private init() {
    Recorder.beforeReading { Self.all.sweep() }
    SubscriptionOwner.askingBags { Self.all.forEachBag($0) }
  }

  /// Adds a bond to the list, and checks two others.
  ///
  /// - Complexity: O(1) amortised, without the targets that it ends.
  func add(_ bond: OwnerBond) {
    state.withLock { state in
      state.lastNumber += 1
      bond.number = state.lastNumber
      bond.position = state.bonds.count
      state.bonds.append(bond)
    }
    onceInThread { for _ in 0..<2 { _ = nextBond()?.check(waitingFor: .zero) } }
  }

  /// Runs a closure, unless this thread is inside another one already: a target may request another sweep, and so on
  /// without an end.
  private func onceInThread(_ body: () -> Void) {
    let thread = currentThread()
    guard state.withLock({ $0.threads.insert(thread).inserted }) else { return }
    // The targets may belong to other code.
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

  /// Removes a bond from the list, if it is there. Its caller retains it, so it is not released under the lock.
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

  /// Calls a closure for each bag that ends with an owner.
  private func forEachBag(_ body: (_ bag: DisposeBag, _ owner: AnyObject) -> Void) {
    // A copy of the elements, as below. Objects retained in the meantime may be deallocated here: not under the lock.
    let bonds = state.withLock { $0.bonds.map { $0 } }
    for bond in bonds { bond.withBag(body) }
  }

  /// Checks all bonds repeatedly until none has ended: an owner may have been retained by an object that another
  /// target's end freed.
  ///
  /// Bonds created in the meantime are ignored, so that this terminates.
  func sweep() {
    let (isEmpty, newest) = state.withLock { ($0.bonds.isEmpty, $0.lastNumber) }
    if !isEmpty { onceInThread { sweep(upTo: newest) } }
  }

  private func sweep(upTo newest: UInt64) {
    while true {
      // A copy of the elements: the next change would have to copy a shared array.
      let bonds = state.withLock { $0.bonds.map { $0 } }
      var hasEnded = false
      for bond in bonds where bond.number <= newest {
        if bond.check(waitingFor: .seconds(1)) { hasEnded = true }
      }
      if !hasEnded { return }
    }
  }
}
