public import Synchronization

/// Keeps what is above an operator that delivers signals, its branches, for as long as anybody takes the operator's signals or the values of
/// one of them.
///
/// So branches outlive the subscription to the operator: who has enough with the first window gets all of its values.
@usableFromInline
final class BranchKeeper: Disposable, Sendable {
  /// What is counted, under the lock.
  struct Count {
    /// Whether somebody takes further branches.
    fileprivate(set) var hasOuter = true
    /// How many subscribers the open branches have.
    var takers = 0
    fileprivate(set) var isOver = false
  }

  /// The operator's own subscription to what is above it.
  @usableFromInline let upstream: Subscription
  /// Whether nobody takes anything any more.
  @usableFromInline let isOver = Atomic<Bool>(false)
  private let count = Mutex(Count())

  @usableFromInline
  init(for subscription: Subscription) {
    upstream = Subscription(at: subscription.site, tag: subscription.tag, isShared: true)
  }

  /// Notes that nobody takes further branches: the operator's own subscription has ended.
  @usableFromInline
  func dispose() {
    change { $0.hasOuter = false }
  }

  @usableFromInline
  var isDisposed: Bool { count.withLock { !$0.hasOuter } }

  /// Changes what is counted, and leaves what is above when nothing is left. Runs under the lock, so it calls nothing else.
  ///
  /// - Returns: Whether nothing was left before.
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
