import Synchronization

/// Who listens, and how those that belong to an object are ended.
extension EmitterCore {
  /// Who is subscribed now, in the order of subscription.
  final var subscribers: [SubscriberDescription] {
    OwnerBond.sweep()
    // Described after the lock: an owner may be asked, and released, there.
    return listeners.map { SubscriberDescription($0.site, $0.tag) }
  }

  /// Ends the subscriptions that were made for an owner.
  final func disposeSubscriptions(of owner: AnyObject) {
    let ending = lock.withLock { self.ending.map { $0._withUnsafeGuaranteedRef { $0.tag } } }
    for listener in listeners { listener.tag?.end(ifOwnedBy: owner) }
    for tag in ending { tag?.end(ifOwnedBy: owner) }
  }

  /// Who is subscribed now, in the order of subscription. What owns them is to be asked after the lock: this may be the last one to let go of it.
  final var listeners: [(site: SubscriptionSite, tag: SubscriberTag?)] {
    lock.withLock {
      (0..<table.slotCount.load(ordering: .relaxed)).compactMap { position in
        table.liveSubscription(position)?._withUnsafeGuaranteedRef { ($0.site, $0.tag) }
      }
    }
  }
}
