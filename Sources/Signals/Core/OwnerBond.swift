import Synchronization

/// Ends something, such as a subscription, once its owner is gone. It holds both weakly.
///
/// Not every platform tells when an object goes: a weak reference becomes nil in silence. So the bonds of the process are listed, and swept:
/// each new bond looks at the next two of the list, which keeps those whose owner is gone fewer than the others; and who asks for something
/// that they would falsify (a count of subscribers, a snapshot, a check for leaks) looks at all of them first. Where objects can carry others
/// (`ObjectiveC`), the bond is also ended with its owner at once.
@usableFromInline
final class OwnerBond: Disposable, @unchecked Sendable {
  // Safe: `object` is written when the bond is made, `target` and `number` before others find it in the list, so before other threads read them;
  // the run-time library clears weak references atomically; `position` is touched only under the list's lock.
  private weak var object: AnyObject?
  private weak var target: (any Disposable)?
  fileprivate var position = -1
  fileprivate var number: UInt64 = 0

  /// Makes a bond that ends nothing yet.
  @usableFromInline
  init(_ owner: AnyObject) {
    object = owner
  }

  /// The owner, while it lives.
  @usableFromInline var owner: AnyObject? { object }

  /// Lets the bond end something, unless that is over already. Called at most once, while the owner lives.
  @usableFromInline
  func end(_ target: any Disposable) {
    guard !target.isDisposed else { return }
    self.target = target
    #if canImport(ObjectiveC)
      if let object { DisposeBag.carried(by: object).insert(self) }
    #endif
    OwnerBondList.all.add(self)
  }

  /// Ends what is bound.
  @usableFromInline
  func dispose() {
    OwnerBondList.all.remove(self)
    target?.dispose()
  }

  /// Whether there is nothing left to end.
  @usableFromInline var isDisposed: Bool { target?.isDisposed ?? true }

  /// Ends everything whose owner is gone, also what goes only because of that. Not under a lock: any code may run.
  ///
  /// - Complexity: O(*n*) in the number of things in this process that have an owner; more where owners keep each other.
  static func sweep() {
    OwnerBondList.all.sweep()
  }

  /// Ends what is bound if the owner is gone, and leaves the list if there is nothing left to do.
  ///
  /// - Returns: Whether anything was ended.
  fileprivate func check() -> Bool {
    // Looking at a weak reference may make this the last one to let go of the object: its `deinit` then runs here.
    if object == nil {
      dispose()
      return true
    }
    if isDisposed { OwnerBondList.all.remove(self) }
    return false
  }
}

/// The bonds of the process that may have something to end.
private final class OwnerBondList: Sendable {
  static let all = OwnerBondList()

  private struct State {
    var bonds: ContiguousArray<OwnerBond> = []
    /// The place in the list where the next look goes.
    var next = 0
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

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
    for _ in 0..<2 { _ = nextBond()?.check() }
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

  /// Looks at all bonds, again and again until nothing has ended any more: an owner may have been kept by what another one's end freed.
  ///
  /// Bonds that are made meanwhile do not count, so that this comes to an end.
  func sweep() {
    let newest = state.withLock { $0.lastNumber }
    while true {
      let bonds = state.withLock { $0.bonds }
      var hasEnded = false
      for bond in bonds where bond.number <= newest {
        if bond.check() { hasEnded = true }
      }
      if !hasEnded { return }
    }
  }
}
