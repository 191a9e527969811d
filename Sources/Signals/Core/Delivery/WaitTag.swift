import Synchronization

/// The tag of a subscriber that waits for values: it ends the wait when its sources have ended all subscriptions without an event, so that nothing can
/// come any more.
final class WaitTag: SubscriberTag, @unchecked Sendable {
  // Safe: constant once the subscription that it is the tag of is linked; the run-time library clears weak references atomically.
  private weak var subscription: Subscription?
  private let end: @Sendable () -> Void

  /// - Parameter end: Ends the wait; it may be called several times, and after the end.
  init(of subscription: Subscription, _ end: @escaping @Sendable () -> Void) {
    self.subscription = subscription
    self.end = end
  }

  override func inputHasLeft() {
    if let subscription, !subscription.mayDeliver { end() }
  }
}

/// What has subscriptions of its own for the one below it.
private protocol InputOwner {
  var inputs: [Subscription] { get }
}

extension Junction: InputOwner {}

extension BranchCore: InputOwner {
  fileprivate var inputs: [Subscription] { [keeper.upstream] }
}

extension Subscription {
  /// Whether something may still come, as far as that is known: not when its origin has ended it without an event, or all inputs of its origin.
  fileprivate var mayDeliver: Bool {
    if state.load(ordering: .acquiring) & Self.silenced != 0 { return false }
    // Asked after the origin was let go of: that may be the last to release it.
    guard let inputs = withOrigin({ ($0 as? any InputOwner)?.inputs }) ?? nil, !inputs.isEmpty else { return true }
    return inputs.contains { $0.mayDeliver }
  }

  /// Reads something of the origin, if there is one.
  private func withOrigin<Result>(_ read: (Origin) -> Result) -> Result? {
    var before = state.load(ordering: .relaxed)
    while true {
      guard before & Self.linked != 0, before & Self.apart == 0 else { return nil }
      // Counted among those who tell the origin something, so that it stays.
      let counted = state.weakCompareExchange(
        expected: before, desired: before &+ Self.telling, ordering: .acquiringAndReleasing)
      if counted.exchanged { break }
      before = counted.original
    }
    let origin = origin.unsafelyUnwrapped
    let result = origin._withUnsafeGuaranteedRef(read)
    before = state.load(ordering: .relaxed)
    while true {
      // Somebody may have told the origin to forget it meanwhile, and left the rest to whoever is the last.
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
}
