public import SignalGraph

extension Signal {
  /// Adds a node for this signal's operator, below which `observer` stands, and puts the node's counter in front of the observer.
  ///
  /// Not for joined operators, which add nodes of their own, and not for signals that have none.
  @inlinable
  func traced(_ observer: consuming Observer<Value>, _ record: Unmanaged<ChainRecord>) -> Observer<Value> {
    if site.kindText == nil { return observer }
    if case .stages = storage { return observer }
    return ObserverTap.observer(above: observer, site, record)
  }

  /// Connects the end of a subscription's chain, with a node of its own.
  @inlinable
  @inline(never)
  func startTraced(
    _ site: Site, _ observer: consuming Observer<Value>, owner: WeakOwner?, _ subscription: Subscription
  ) {
    subscription.beginTrace(owner: owner, inheriting: recorder)
    guard let record = subscription.trace else { return attach(observer, subscription) }
    connect(
      ObserverTap.observer(above: observer, site, record), subscription)
    subscription.traceConnected()
  }
}

extension Subscription {
  /// Lets the nodes of this subscription be recorded, when there is a recorder for them. To be followed by ``traceConnected()``.
  @usableFromInline
  func beginTrace(owner: WeakOwner?, inheriting recorder: GraphRecorder?) {
    guard let recorder = GraphRecorder.innermost(or: recorder) else { return }
    trace = ChainRecord.begin(
      recorder: recorder, owner: owner.map(NodeOwner.object) ?? GraphScope.innermost.map(NodeOwner.scope))
  }

  /// Lets the nodes of this subscription, an operator's further input, be recorded where the operator is. To be followed by
  /// ``traceConnected()``.
  @usableFromInline
  func beginTrace(below place: ChainPlace, as kind: Edge.Kind) {
    trace = ChainRecord.begin(
      recorder: place.record.recorder, downstream: ChainDownstream(.node(place), kind), owner: place.record.owner)
  }

  /// Lets the nodes of this subscription, a shared signal's own, be recorded where the shared signal is. To be followed by
  /// ``traceConnected()``.
  func beginTrace(below source: SourceNode) {
    trace = ChainRecord.begin(
      recorder: source.recorder, downstream: ChainDownstream(.source(source), .data), owner: nil)
  }

  /// Notes that the chain is connected.
  @usableFromInline
  func traceConnected() {
    trace?._withUnsafeGuaranteedRef { $0.connected() }
  }

  /// Notes that the subscription is over. Called once, by whoever ended it.
  @usableFromInline
  func endTrace(disposed: Bool) {
    trace?._withUnsafeGuaranteedRef { $0.subscriptionEnded(disposed: disposed) }
  }
}
