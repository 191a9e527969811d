import SignalLocks

/// Holds subscriptions and other disposables, and disposes them when it is emptied, closed or released.
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
/// All methods may be called from any thread. Disposables that have ended by themselves are dropped from time to time, so that a
/// long-lived bag does not grow for ever.
///
/// See also ``DisposeBagOwner`` and ``Signal/subscribe(with:in:fileID:line:function:_:)``.
public final class DisposeBag: Disposable {
  private struct State {
    /// In the order of adding.
    var items: [any Disposable] = []
    /// Changes when items leave.
    var departures: UInt64 = 0
    /// How many items there are when those that have ended are looked for next.
    var pruneAt = DisposeBag.smallestPruning
    /// What left the bag and may not be disposed completely yet.
    var rounds: [Round] = []
    var isClosed = false
  }

  /// Items that left the bag together. They can be found until one of the threads that dispose them has disposed all, so that each thread may
  /// rely on its own call.
  private struct Round {
    let number: UInt64
    let items: [any Disposable]
    /// The threads that dispose them now.
    var threads: [UInt]
  }

  private static let smallestPruning = 32

  // Not a `Mutex`: where several threads fill a bag, the kernel would hand it from one to the next at each call.
  private let state = Locked(State())
  private let isNewestFirst: Bool

  /// Makes an empty bag.
  public convenience init() {
    self.init(isNewestFirst: false)
  }

  /// Makes an empty bag that disposes in the order of adding, or in the opposite one.
  init(isNewestFirst: Bool) {
    self.isNewestFirst = isNewestFirst
  }

  deinit {
    // Also where nothing records any more: the subscriptions may have been recorded.
    empty(closing: false, isReleased: Recorder.mayHaveRecorded)
  }

  /// How many disposables that have not ended are in the bag.
  ///
  /// - Complexity: O(*n*).
  public var count: Int {
    // Asked outside the lock: these are the user's.
    let items = state.withLock { $0.items.map { $0 } }
    return items.count { !$0.isDisposed }
  }

  /// What is in the bag.
  var items: [any Disposable] { state.withLock { $0.items.map { $0 } } }

  /// Whether the bag has been closed. Whatever is added to a closed bag is disposed at once.
  public var isDisposed: Bool {
    state.withLock { $0.isClosed }
  }

  /// Adds a disposable; if the bag is closed, it is disposed at once.
  ///
  /// - Parameter disposable: What the bag is to keep and to dispose.
  /// - Complexity: O(1) amortised.
  public func insert(_ disposable: any Disposable) {
    let (isClosed, candidates, departures) = state.withLock { state -> (Bool, [any Disposable], UInt64) in
      guard !state.isClosed else { return (true, [], 0) }
      state.items.append(disposable)
      guard state.items.count > state.pruneAt else { return (false, [], 0) }
      // Not again until as many have come, whatever is found now.
      state.pruneAt = state.items.count * 2
      // Elements of its own: an array that is shared would have to be copied by the next who adds to it.
      return (false, state.items.map { $0 }, state.departures)
    }
    if isClosed { disposable.dispose() }
    if !candidates.isEmpty { prune(candidates, departures) }
  }

  /// Drops items that have ended, unless others have left the bag since.
  private func prune(_ candidates: [any Disposable], _ departures: UInt64) {
    var kept: [any Disposable] = []
    for item in candidates {
      if item.isDisposed {
        // Another thread may be about to end it; after this call it has left its source.
        if let subscription = item as? Subscription { subscription.leaveAfterEnd() } else { item.dispose() }
      } else {
        kept.append(item)
      }
    }
    // After the lock, `kept` holds what is released: that may run any code.
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
  /// When it returns, everything that was in the bag has been disposed. If another thread is emptying the bag at the same time, both threads
  /// dispose what is left. A call that is made while the same thread disposes an item of this bag leaves the rest to the call in progress.
  ///
  /// - Complexity: O(*n*).
  public func disposeAll() {
    empty(closing: false)
  }

  /// Disposes everything in the bag, and from now on everything that is added to it, at once.
  ///
  /// Calls from several threads behave as those of ``disposeAll()``.
  public func close() {
    empty(closing: true)
  }

  /// Ends the bag as ``close()`` does, by the name that every ``Disposable`` has: so a bag may itself be kept by another bag, or by a
  /// ``Producer``, and is closed with everything else in there.
  public func dispose() {
    close()
  }

  /// - Parameter isReleased: Whether the graph is to know that nobody asked for it.
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
      // Those that this thread is disposing already, further up the stack, are left to that call.
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
    // The items are released after the lock, with `rounds`.
    state.withLock { state in
      state.rounds.removeAll { round in rounds.contains { $0.number == round.number } }
    }
    withExtendedLifetime(rounds) {}
  }

  private func dispose(_ item: any Disposable, _ isReleased: Bool) {
    if isReleased, let subscription = item as? Subscription {
      subscription.dispose(because: .bagReleased)
    } else if isReleased, let bond = item as? OwnerBond {
      // In the bag that an owner carries.
      bond.disposeAsOwnerless()
    } else {
      item.dispose()
    }
  }

  /// Adds a disposable to a bag, as ``insert(_:)`` does.
  ///
  /// - Parameters:
  ///   - bag: The bag.
  ///   - disposable: What the bag is to keep and to dispose.
  /// - Complexity: O(1) amortised.
  public static func += (bag: DisposeBag, disposable: any Disposable) {
    bag.insert(disposable)
  }
}
