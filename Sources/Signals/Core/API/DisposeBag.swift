import SignalLocks

/// Stores subscriptions and other disposables, and disposes them when it is emptied, closed or released.
///
/// ```swift
/// let prices = Emitter<Int>()
/// let bag = DisposeBag()
/// prices.signal.subscribe { print("first: \($0)") }.store(in: bag)
/// prices.signal.subscribe { print("second: \($0)") }.store(in: bag)
/// prices.send(3)
/// bag.disposeAll()  // Both are over; the bag can be used again.
/// ```
///
/// All methods are thread-safe. Disposables that have ended are removed from time to time, so that a long-lived bag
/// does not grow without bound.
///
/// See also ``DisposeBagOwner`` and ``Signal/subscribe(with:in:fileID:line:function:_:)``.
public final class DisposeBag: Disposable {
  private struct State {
    /// In the order of adding.
    var items: [any Disposable] = []
    /// Incremented when items leave.
    var departures: UInt64 = 0
    /// The number of items at which ended ones are searched for next.
    var pruneAt = DisposeBag.smallestPruning
    /// Items that left the bag and may not be disposed completely yet.
    var rounds: [Round] = []
    var isClosed = false
  }

  /// Items that left the bag together. The round stays until one of the threads that dispose it has disposed all its
  /// items, so that each thread may rely on its own call.
  private struct Round {
    let number: UInt64
    let items: [any Disposable]
    /// The threads that are disposing them.
    var threads: [UInt]
  }

  private static let smallestPruning = 32

  // Not a `Mutex`: where several threads fill a bag, the kernel would pass the lock from one to the next at each call.
  private let state = Locked(State())
  private let isNewestFirst: Bool

  /// Creates an empty bag.
  public convenience init() {
    self.init(isNewestFirst: false)
  }

  /// Creates an empty bag that disposes in the order of adding, or in reverse order.
  init(isNewestFirst: Bool) {
    self.isNewestFirst = isNewestFirst
  }

  deinit {
    // Also where nothing records any more: the subscriptions may have been recorded.
    empty(closing: false, isReleased: Recorder.mayHaveRecorded)
  }

  /// The number of disposables in the bag that have not ended.
  ///
  /// - Complexity: O(*n*).
  public var count: Int {
    // `isDisposed` is called outside the lock: these are user types.
    let items = state.withLock { $0.items.map { $0 } }
    return items.count { !$0.isDisposed }
  }

  /// The contents of the bag.
  var items: [any Disposable] { state.withLock { $0.items.map { $0 } } }

  /// Whether the bag has been closed. A closed bag disposes added items at once.
  public var isDisposed: Bool {
    state.withLock { $0.isClosed }
  }

  /// Adds a disposable; if the bag is closed, it is disposed at once.
  ///
  /// - Parameter disposable: The item to retain and to dispose.
  /// - Complexity: O(1) amortised.
  public func insert(_ disposable: any Disposable) {
    let (isClosed, candidates, departures) = state.withLock { state -> (Bool, [any Disposable], UInt64) in
      guard !state.isClosed else { return (true, [], 0) }
      state.items.append(disposable)
      guard state.items.count > state.pruneAt else { return (false, [], 0) }
      // Prune again when the count has doubled, whatever is found now.
      state.pruneAt = state.items.count * 2
      // A copy of the elements: the next insertion would have to copy a shared array.
      return (false, state.items.map { $0 }, state.departures)
    }
    if isClosed { disposable.dispose() }
    if !candidates.isEmpty { prune(candidates, departures) }
  }

  /// Removes items that have ended, unless others have left the bag since.
  private func prune(_ candidates: [any Disposable], _ departures: UInt64) {
    var kept: [any Disposable] = []
    for item in candidates {
      if item.isDisposed {
        // Another thread may be about to end it. After this call it has left its source.
        if let subscription = item as? Subscription { subscription.leaveAfterEnd() } else { item.dispose() }
      } else {
        kept.append(item)
      }
    }
    // After the lock, `kept` holds the items to release: a release may run any code.
    state.withLock { state in
      guard state.departures == departures else { return }
      state.departures += 1
      kept += state.items[candidates.count...]
      swap(&state.items, &kept)
      state.pruneAt = max(Self.smallestPruning, state.items.count * 2)
    }
  }

  /// Disposes everything in the bag, in the order of adding. The bag stays usable.
  ///
  /// When it returns, everything that was in the bag has been disposed. If another thread is emptying the bag at the
  /// same time, both threads dispose the remaining items. A nested call, made while the same thread disposes an item of
  /// this bag, leaves the rest to the outer call.
  ///
  /// - Complexity: O(*n*).
  public func disposeAll() {
    empty(closing: false)
  }

  /// Disposes everything in the bag, and everything that is added to it later, at once.
  ///
  /// Concurrent calls behave like those of ``disposeAll()``.
  public func close() {
    empty(closing: true)
  }

  /// Closes the bag, as ``close()`` does. This is the requirement of ``Disposable``: a bag may be stored in another bag
  /// or owned by a ``Producer``, and is closed with it.
  public func dispose() {
    close()
  }

  /// - Parameter isReleased: Whether the graph reports a release instead of a disposal.
  private func empty(closing: Bool, isReleased: Bool = false) {
    let thread = currentThread()
    let rounds = state.withLock { state -> [Round] in
      if closing { state.isClosed = true }
      if !state.items.isEmpty {
        state.departures += 1
        state.rounds.append(Round(number: state.departures, items: state.items, threads: []))
        state.items = []
        state.pruneAt = Self.smallestPruning
      }
      // Rounds that this thread is already disposing, further up the stack, are left to that call.
      let found = state.rounds.indices.filter { !state.rounds[$0].threads.contains(thread) }
      for index in found { state.rounds[index].threads.append(thread) }
      return found.map { state.rounds[$0] }
    }
    guard !rounds.isEmpty else { return }
    for round in rounds {
      if isNewestFirst {
        for item in round.items.reversed() { dispose(item, isReleased) }
      } else {
        for item in round.items { dispose(item, isReleased) }
      }
    }
    // The items are released with `rounds`, after the lock.
    state.withLock { state in
      state.rounds.removeAll { round in rounds.contains { $0.number == round.number } }
    }
    withExtendedLifetime(rounds) {}
  }

  private func dispose(_ item: any Disposable, _ isReleased: Bool) {
    if isReleased, let subscription = item as? Subscription {
      subscription.dispose(because: .bagReleased)
    } else if isReleased, let bond = item as? OwnerBond {
      // In the bag that is attached to an owner.
      bond.disposeAsOwnerless()
    } else {
      item.dispose()
    }
  }

  /// Adds a disposable to a bag, as ``insert(_:)`` does.
  ///
  /// - Parameters:
  ///   - bag: The bag.
  ///   - disposable: The item to retain and to dispose.
  /// - Complexity: O(1) amortised.
  public static func += (bag: DisposeBag, disposable: any Disposable) {
    bag.insert(disposable)
  }
}
