import Synchronization

extension ChainNode {
  /// The subscription that the node belongs to, while it lives and where the recorder finds subscriptions.
  package var recordedSubscription: Subscription? { findSubscription?() as? Subscription }
}

extension Subscription {
  /// Whether a task takes its values: in a loop over `values()`, or waiting for the first value.
  package final var isReadByTask: Bool { (ownTag as? WaitTag)?.isTask ?? false }

  /// Whether its source keeps it, see ``retained()``.
  package final var isSelfRetained: Bool { state.load(ordering: .acquiring) & Self.selfRetained != 0 }

  /// The object that it ends with, while that lives. Nil for an object of the main actor, anywhere else.
  package final var boundOwner: AnyObject? {
    (ownTag as? OwnerBond)?.reachableOwner
  }

  /// Whether it ends with an object, and that is one of the main actor; nil where it ends with none.
  package final var isBoundOnMain: Bool? { (ownTag as? OwnerBond)?.isOnMain }

  private final var ownTag: SubscriberTag? {
    // The tag was written before the bit was set.
    state.load(ordering: .acquiring) & Self.linked != 0 ? tag?.unnamed : nil
  }
}

extension DisposeBag {
  /// Whether something is in the bag.
  package func holds(_ disposable: any Disposable) -> Bool {
    items.contains { $0 === disposable }
  }
}
