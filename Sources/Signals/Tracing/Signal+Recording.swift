extension Signal {
  /// Adds a node for this signal's operator, below which `observer` stands, and puts the node's counter in front of the observer.
  ///
  /// Not for joined operators, which add nodes of their own, and not for signals that have none.
  @inlinable
  func recorded(_ observer: consuming Observer<Value>, _ record: ChainRecord) -> Observer<Value> {
    if site.isHidden { return observer }
    if case .stages = storage { return observer }
    return ObserverTap.observer(above: observer, site, record)
  }

  /// Connects the end of a subscription's chain, with a node of its own.
  @inlinable
  @inline(never)
  func startRecorded(
    _ site: Site, _ observer: consuming Observer<Value>, owner: SubscriptionOwner?, _ subscription: Subscription
  ) {
    if case .stages(let run) = storage {
      subscription.beginRecording(owner: owner, recorder, room: ChainRecord.room(stages: run.count))
      guard let record = subscription.recording.record else { return run.attach(observer, subscription) }
      run.attachRecorded(observer, subscription, record, subscriber: site)
    } else {
      subscription.beginRecording(owner: owner, recorder, room: ChainRecord.singleRoom + nodeRoom)
      guard let record = subscription.recording.record else { return attach(observer, subscription) }
      connect(ObserverTap.observer(above: observer, site, record), subscription)
    }
    subscription.recording.connected()
  }

  /// How many units of memory the nodes take that this signal itself adds to a chain; see ``ChainRecord/room(stages:)``.
  @inlinable
  var nodeRoom: Int {
    switch storage {
    case .stages(let run): ChainRecord.room(stages: run.count)
    case .emitter: 0
    case .chain, .just, .parts: site.isHidden ? 0 : ChainRecord.singleRoom
    }
  }
}
