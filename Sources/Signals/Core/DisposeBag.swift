import Synchronization

/// Holds subscriptions and other disposables, and disposes them when it is emptied, closed or released.
///
/// All methods may be called from any thread. Disposables that have ended by themselves are dropped from time to time, so that a
/// long-lived bag does not grow for ever.
public final class DisposeBag: Disposable {
  private struct State {
    var items: [any Disposable] = []
    var pruneAt = 32
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Makes an empty bag.
  public init() {}

  deinit {
    disposeAll()
  }

  /// How many disposables that have not ended are in the bag.
  ///
  /// - Complexity: O(*n*).
  public var count: Int {
    state.withLock { $0.items.count { !$0.isDisposed } }
  }

  /// Whether the bag was closed: what is added to a closed bag is disposed at once.
  public var isDisposed: Bool {
    state.withLock { $0.isClosed }
  }

  /// Adds a disposable; if the bag is closed, it is disposed at once.
  ///
  /// - Complexity: O(1) amortised.
  public func insert(_ disposable: any Disposable) {
    // Ended disposables leave the array under the lock, but are released after it: their release may run any code.
    var released: [any Disposable] = []
    let isClosed = state.withLock { state in
      if state.isClosed { return true }
      if state.items.count >= state.pruneAt {
        released = state.items
        state.items = state.items.filter { !$0.isDisposed }
        state.pruneAt = max(32, state.items.count * 2)
      }
      state.items.append(disposable)
      return false
    }
    released.removeAll()
    if isClosed { disposable.dispose() }
  }

  /// Disposes everything in the bag, in the order of adding. The bag stays usable.
  ///
  /// - Complexity: O(*n*).
  public func disposeAll() {
    let items = state.withLock { state in
      defer { state.items = [] }
      return state.items
    }
    for item in items { item.dispose() }
  }

  /// Disposes everything in the bag, now and whatever is added later.
  public func close() {
    state.withLock { $0.isClosed = true }
    disposeAll()
  }

  /// The same as ``close()``.
  public func dispose() {
    close()
  }

  /// Adds a disposable to a bag.
  public static func += (bag: DisposeBag, disposable: any Disposable) {
    bag.insert(disposable)
  }
}
