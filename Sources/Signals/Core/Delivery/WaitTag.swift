import Synchronization

/// The tag of a subscriber that waits for values: it ends the wait when its sources have ended all subscriptions
/// without an event, so that no value can come any more.
// Safe: constant once its subscription is linked; the run-time library clears weak references atomically.
final class WaitTag: SubscriberTag, @unchecked Sendable {
  private weak var subscription: Subscription?
  private let end: @Sendable () -> Void
  /// Whether a task waits, and not a thread.
  let isTask: Bool

  /// - Parameters:
  ///   - isTask: Whether a task waits, and not a thread.
  ///   - end: Ends the wait; it may be called several times, and after the end.
  init(of subscription: Subscription, isTask: Bool, _ end: @escaping @Sendable () -> Void) {
    self.isTask = isTask
    self.subscription = subscription
    self.end = end
  }

  override func inputHasLeft() {
    if let subscription, !subscription.mayDeliver() { end() }
  }

  override func inputHasEnded() {
    if let subscription, !subscription.mayDeliver(afterValues: true) { end() }
  }
}

/// An object with its own subscriptions for the one below it.
private protocol InputOwner {
  var inputs: [Subscription] { get }
  /// Whether values may wait in it, for a scheduler, for a time or for a task.
  var hasQueue: Bool { get }
}

extension Junction: InputOwner {}

extension BranchCore: InputOwner {
  fileprivate var inputs: [Subscription] { [keeper.upstream] }
  fileprivate var hasQueue: Bool { false }
}

extension Subscription {
  /// Whether a value may still come, as far as that is known: not when its origin has ended it without an event, or all
  /// inputs of its origin.
  ///
  /// - Parameter isAfterValues: Whether an input has ended: what its last values wait in may deliver them.
  fileprivate func mayDeliver(afterValues isAfterValues: Bool = false) -> Bool {
    if state.load(ordering: .acquiring) & Self.silenced != 0 { return false }
    let read = withOrigin { origin in
      (origin as? any InputOwner).map { ($0.inputs, isAfterValues && $0.hasQueue) }
    }
    // Evaluated after the origin was released: that may be the last reference.
    guard case let (inputs, mayHold)?? = read, !inputs.isEmpty, !mayHold else { return true }
    return inputs.contains { $0.mayDeliver(afterValues: isAfterValues) }
  }
}
