public import Synchronization

/// Retains the upstream of an operator that delivers signals, its branches, as long as the operator or one of its
/// branches has a subscriber.
///
/// So branches outlive the subscription to the operator: a subscriber that takes only the first window gets all of its
/// values.
@usableFromInline
final class BranchKeeper: Disposable, Sendable {
  /// The counts, under the lock.
  struct Count {
    /// Whether the operator has a subscriber, which takes further branches.
    fileprivate(set) var hasOuter = true
    /// The number of subscribers of the open branches.
    var takers = 0
    fileprivate(set) var isOver = false
  }

  /// The operator's subscription to its upstream.
  @usableFromInline let upstream: Subscription
  /// Whether no subscriber is left.
  @usableFromInline let isOver = Atomic<Bool>(false)
  private let count = Mutex(Count())

  @usableFromInline
  init(for subscription: Subscription) {
    upstream = Subscription(at: subscription.site, tag: subscription.tag, isShared: true)
  }

  /// Notes that no further branches are taken: the operator's subscription has ended.
  @usableFromInline
  func dispose() {
    change { $0.hasOuter = false }
  }

  @usableFromInline
  var isDisposed: Bool { count.withLock { !$0.hasOuter } }

  /// Changes the counts, and unsubscribes from upstream when they are zero. Runs under the lock, so it calls nothing
  /// else.
  ///
  /// - Returns: Whether they were zero before.
  @discardableResult
  func change(_ change: (inout Count) -> Void) -> Bool {
    let (wasOver, isOver) = count.withLock { count in
      let wasOver = count.isOver
      change(&count)
      count.isOver = wasOver || (!count.hasOuter && count.takers == 0)
      return (wasOver, count.isOver)
    }
    if isOver, !wasOver {
      self.isOver.store(true, ordering: .releasing)
      upstream.dispose()
    }
    return wasOver
  }
}
