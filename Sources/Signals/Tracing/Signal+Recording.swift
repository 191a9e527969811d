extension Signal {
  /// Adds a node for this signal's operator, above `observer`, and puts the node's counter in front of the observer.
  ///
  /// Returns the observer unchanged for fused operators, which add nodes themselves, and for signals without a node.
  @inlinable
  func recorded(_ observer: consuming Observer<Value>, _ record: ChainRecord) -> Observer<Value> {
    if site.isHidden { return observer }
    if case .stages = storage { return observer }
    return ObserverTap.observer(above: observer, site, record)
  }

  /// The same above fused operators, which take a pointer to each value.
  @inlinable
  func recorded(_ input: consuming StageInput, _ record: ChainRecord) -> Observer<Value> {
    site.isHidden ? input.observer(of: Value.self) : StageInputTap(input, site, record).observer(of: Value.self)
  }

  /// Connects the end of a subscription's chain, with its own node.
  @inlinable
  @inline(never)
  func startRecorded(
    _ site: Site, _ observer: consuming Observer<Value>, owner: SubscriptionOwner?, _ subscription: Subscription
  ) {
    if case .stages(let run) = storage {
      let capacity = ChainCapacity(ChainRecord.capacity(stages: run.count), of: self.site, subscriber: site)
      subscription.beginRecording(owner: owner, recorder, capacity: capacity)
      guard let record = subscription.recording.record else { return run.attach(observer, subscription) }
      run.attachRecorded(observer, subscription, record, subscriber: site)
    } else {
      let hasNode = nodeCapacity > 0
      let capacity = ChainCapacity(
        hasNode ? ChainRecord.pairCapacity : ChainRecord.singleCapacity, of: self.site, subscriber: site)
      subscription.beginRecording(owner: owner, recorder, capacity: capacity)
      guard let record = subscription.recording.record else { return attach(observer, subscription) }
      let place = hasNode ? self.site : nil
      attach(ObserverTap.observer(above: observer, place, subscriber: site, record), subscription)
    }
    subscription.recording.connected()
  }

  /// The capacity for the nodes of a chain of this signal that has no subscriber.
  @inlinable
  var chainCapacity: ChainCapacity { ChainCapacity(nodeCapacity, of: site) }

  /// The number of memory units of the nodes that this signal itself adds to a chain; see
  /// ``ChainRecord/capacity(stages:)``.
  @inlinable
  var nodeCapacity: Int {
    switch storage {
    case .stages(let run): ChainRecord.capacity(stages: run.count)
    case .emitter: 0
    case .chain, .just, .parts: site.isHidden ? 0 : ChainRecord.singleCapacity
    }
  }
}
