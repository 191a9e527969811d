/// One of the signals into which an operator divides values, such as a window.
// Safe: `takers` and `isClosed` are touched only under the keeper's lock, in stretches that call nothing else. That is
// why exclusivity is unchecked.
@usableFromInline
class BranchCore<Value: Sendable>: EmitterCore<Value>, @unchecked Sendable {
  @usableFromInline final let keeper: BranchKeeper
  @usableFromInline final let node: OperatorNode
  /// The number of counted subscribers.
  @exclusivity(unchecked) private var takers = 0
  /// Whether the branch has ended, or is about to: its subscribers are no longer counted.
  @exclusivity(unchecked) private var isClosed = false

  /// Creates an open branch.
  @inlinable
  init<Output>(of branching: Branching<Value, Output>) {
    keeper = branching.keeper
    node = branching.outer.node
    super.init(newest: nil, limit: 0, site: branching.site, recorder: branching.recorder)
  }

  /// The branch's signal, with a name for the graph, if there is one.
  @usableFromInline
  final func signal(named name: (@Sendable () -> String)? = nil) -> Signal<Value> {
    Signal(
      .hidden, recording.recorder,
      .chain { observer, subscription in
        if let name, subscription.recording.isOn { subscription.recording.nameNext(name()) }
        self.take(observer, subscription)
      })
  }

  @usableFromInline
  override var operatorNode: OperatorNode? { node }

  private func take(_ observer: Observer<Value>, _ subscription: Subscription) {
    var isCounted = false
    let isOver = keeper.change { count in
      guard !isClosed else { return }
      isCounted = true
      takers += 1
      count.takers += 1
    }
    // Upstream had been unsubscribed before this subscriber came, so no more values come.
    if isOver { complete(.finished) }
    if !add(observer, subscription), isCounted { subscriberLeft() }
  }

  @usableFromInline
  override func subscriberLeft() {
    keeper.change { count in
      guard !isClosed else { return }
      takers -= 1
      count.takers -= 1
    }
  }

  /// Ends the branch.
  @usableFromInline
  final func close(_ completion: Completion) {
    keeper.change { count in
      guard !isClosed else { return }
      isClosed = true
      count.takers -= takers
    }
    complete(completion)
  }
}
