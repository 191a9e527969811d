public import SignalGraph

extension Signal {
  /// Adds a node for this signal's operator, below which `observer` stands, and puts the node's counter in front of the observer.
  ///
  /// Not for joined operators, which add nodes of their own, and not for signals that have none.
  @inlinable
  func traced(_ observer: consuming Observer<Value>, _ record: ChainRecord) -> Observer<Value> {
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
    if case .stages(let run) = storage {
      subscription.beginTrace(owner: owner, inheriting: recorder, room: NodeGroup.wordCount(stages: run.count))
      guard let record = subscription.trace else { return run.attach(observer, subscription) }
      run.attachTraced(observer, subscription, record, subscriber: site)
    } else {
      subscription.beginTrace(owner: owner, inheriting: recorder, room: NodeGroup.singleWordCount + nodeRoom)
      guard let record = subscription.trace else { return attach(observer, subscription) }
      connect(ObserverTap.observer(above: observer, site, record), subscription)
    }
    subscription.traceConnected()
  }

  /// How many words of memory the nodes take that this signal itself adds to a chain.
  @inlinable
  var nodeRoom: Int {
    switch storage {
    case .stages(let run): NodeGroup.wordCount(stages: run.count)
    case .emitter: 0
    case .chain, .just, .parts: site.kindText == nil ? 0 : NodeGroup.singleWordCount
    }
  }
}

extension Subscription {
  /// Lets the nodes of this subscription be recorded, when there is a recorder for them. To be followed by ``traceConnected()``.
  ///
  /// - Parameter room: How many words the nodes take that are known of beforehand; others take a block of memory of their own.
  @usableFromInline
  func beginTrace(owner: WeakOwner?, inheriting recorder: GraphRecorder?, room: Int) {
    guard let recorder = GraphRecorder.innermost(or: recorder) else { return }
    let owner = owner.map(NodeOwner.object) ?? GraphScope.innermost.map(NodeOwner.scope)
    trace = withExtendedLifetime(recorder) {
      ChainRecord.begin(
        recorder: .passUnretained(recorder), extras: owner.map { ChainExtras(owner: $0) }, room: room)
    }
  }

  /// Lets the nodes of this subscription, an operator's further input, be recorded where the operator is. To be followed by
  /// ``traceConnected()``.
  @usableFromInline
  func beginTrace(below place: ChainPlace, as kind: Edge.Kind, room: Int) {
    trace = ChainRecord.begin(
      recorder: .passUnretained(place.recorder),
      extras: ChainExtras(downstream: ChainDownstream(.node(place), kind), owner: place.owner), room: room)
  }

  /// Lets the nodes of this subscription, a shared signal's own, be recorded where the shared signal is. To be followed by
  /// ``traceConnected()``.
  func beginTrace(below source: SourceNode, room: Int) {
    trace = ChainRecord.begin(
      recorder: .passUnretained(source.recorder),
      extras: ChainExtras(downstream: ChainDownstream(.source(source), .data)), room: room)
  }

  /// Notes that the chain is connected.
  @usableFromInline
  func traceConnected() {
    trace?.connected()
  }

  /// Notes that the subscription is over. Called once, by whoever ended it.
  @usableFromInline
  func endTrace(disposed: Bool) {
    trace?.subscriptionEnded(disposed: disposed)
  }
}
