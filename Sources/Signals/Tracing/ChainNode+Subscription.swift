import Synchronization

extension ChainNode {
  /// The subscription that the node belongs to, while it lives and if the recorder finds subscriptions.
  package var recordedSubscription: Subscription? { findSubscription?() as? Subscription }
}

extension Subscription {
  /// Whether a task takes its values: in a loop over `values()`, or waiting for the first value.
  package final var isReadByTask: Bool { (ownTag as? WaitTag)?.isTask ?? false }

  /// Whether its source retains it, see ``retained()``.
  package final var isSelfRetained: Bool { state.load(ordering: .acquiring) & Self.selfRetained != 0 }

  /// The object that it ends with, while that lives. Nil for a main actor object, except on the main queue.
  package final var boundOwner: AnyObject? {
    (ownTag as? OwnerBond)?.reachableOwner
  }

  /// Whether it ends with a main actor object; nil if it does not end with an object.
  package final var isBoundOnMain: Bool? { (ownTag as? OwnerBond)?.isOnMain }

  private final var ownTag: SubscriberTag? {
    // The tag was written before the bit was set.
    state.load(ordering: .acquiring) & Self.linked != 0 ? tag?.unnamed : nil
  }
}

extension DisposeBag {
  /// Whether the bag contains a disposable.
  package func holds(_ disposable: any Disposable) -> Bool {
    items.contains { $0 === disposable }
  }
}
