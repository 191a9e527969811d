import Synchronization

extension ChainNode {
  /// The subscription that the node belongs to, while it lives and where the recorder finds subscriptions.
  package var subscription: Subscription? { findSubscription?() as? Subscription }
}

extension Subscription {
  /// Whether its source keeps it, see ``retained()``.
  package final var isSelfRetained: Bool { state.load(ordering: .acquiring) & Self.selfRetained != 0 }

  /// The object that it ends with, while that lives. Nil for an object of the main actor, anywhere else.
  package final var boundOwner: AnyObject? {
    // The tag was written before the bit was set.
    guard state.load(ordering: .acquiring) & Self.linked != 0 else { return nil }
    return (tag as? OwnerBond)?.reachableOwner
  }
}

extension DisposeBag {
  /// Whether something is in the bag.
  package func contains(_ disposable: any Disposable) -> Bool {
    items.contains { $0 === disposable }
  }
}
