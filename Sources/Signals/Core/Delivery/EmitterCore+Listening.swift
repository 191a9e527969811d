import Synchronization

/// Lists the subscribers, and ends those of an owner.
extension EmitterCore {
  /// The current subscribers, in subscription order.
  final var subscribers: [SubscriberDescription] {
    OwnerBond.sweep()
    // Described after the lock: an owner may be used, and released, there.
    return listeners.map { SubscriberDescription($0.site, $0.tag) }
  }

  /// Ends the subscriptions of an owner.
  final func disposeSubscriptions(of owner: AnyObject) {
    let ending = lock.withLock { self.ending.map { $0._withUnsafeGuaranteedRef { $0.tag } } }
    for listener in listeners { listener.tag?.end(ifOwnedBy: owner) }
    for tag in ending { tag?.end(ifOwnedBy: owner) }
  }

  /// The current subscribers, in subscription order. Use their owners only after the lock: this may hold the last
  /// reference.
  final var listeners: [(site: SubscriptionSite, tag: SubscriberTag?)] {
    lock.withLock {
      (0..<table.slotCount.load(ordering: .relaxed)).compactMap { position in
        table.liveSubscription(position)?._withUnsafeGuaranteedRef { ($0.site, $0.tag) }
      }
    }
  }
}
