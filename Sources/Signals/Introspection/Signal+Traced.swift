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
    _ site: Site, _ observer: consuming Observer<Value>, owner: String?, _ subscription: Subscription
  ) {
    if case .stages(let run) = storage {
      subscription.beginTrace(owner: owner, inheriting: recorder, room: ChainRecord.room(stages: run.count))
      guard let record = subscription.trace else { return run.attach(observer, subscription) }
      run.attachTraced(observer, subscription, record, subscriber: site)
    } else {
      subscription.beginTrace(owner: owner, inheriting: recorder, room: ChainRecord.singleRoom + nodeRoom)
      guard let record = subscription.trace else { return attach(observer, subscription) }
      connect(ObserverTap.observer(above: observer, site, record), subscription)
    }
    subscription.traceConnected()
  }

  /// How many units of memory the nodes take that this signal itself adds to a chain; see ``ChainRecord/room(stages:)``.
  @inlinable
  var nodeRoom: Int {
    switch storage {
    case .stages(let run): ChainRecord.room(stages: run.count)
    case .emitter: 0
    case .chain, .just, .parts: site.kindText == nil ? 0 : ChainRecord.singleRoom
    }
  }
}

extension Subscription {
  /// Lets the nodes of this subscription be recorded, when there is a recorder for them. To be followed by ``traceConnected()``.
  ///
  /// - Parameter room: How many units the nodes take that are known of beforehand; others take a block of memory of their own.
  @usableFromInline
  func beginTrace(owner: String?, inheriting recorder: GraphRecorder?, room: Int) {
    guard let recorder = GraphRecorder.innermost(or: recorder) else { return }
    let owner = owner.map(NodeOwner.object(typeName:)) ?? GraphScope.innermost.map(NodeOwner.scope)
    trace = withExtendedLifetime(recorder) {
      ChainRecord.begin(
        recorder: .passUnretained(recorder), extras: owner.map { ChainExtras(owner: $0) }, room: room)
    }
  }

  /// Lets the nodes of this subscription, an operator's further input, be recorded where the operator is. To be followed by
  /// ``traceConnected()``.
  @usableFromInline
  func beginTrace(below place: ChainPlace, as kind: Edge.Kind, room: Int) {
    beginTrace(
      in: place.recorder, ChainExtras(downstream: ChainDownstream(.node(place), kind), owner: place.owner), room: room)
  }

  /// Lets the nodes of this subscription, a shared signal's own, be recorded where the shared signal is. To be followed by
  /// ``traceConnected()``.
  func beginTrace(below source: SourceNode, room: Int) {
    beginTrace(in: source.recorder, ChainExtras(downstream: ChainDownstream(.source(source), .data)), room: room)
  }

  private func beginTrace(in recorder: GraphRecorder?, _ extras: consuming ChainExtras, room: Int) {
    guard let recorder else { return }
    trace = withExtendedLifetime(recorder) {
      ChainRecord.begin(recorder: .passUnretained(recorder), extras: extras, room: room)
    }
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
