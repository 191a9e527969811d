extension Signal {
  // One form for `subscribe { }` and for closures with labels: with two, the compiler gives up on chains that have a mistake further up.
  /// Calls closures with each value, with the failure and at the regular end, for as long as the subscription lives.
  ///
  /// The closures are called on whichever thread the values come from, one call at a time. What has no closure is not reported.
  ///
  /// - Returns: What keeps the subscription alive: store it in a ``DisposeBag`` or a property, or see ``Subscription/retained()``.
  @inlinable
  public func subscribe(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    onValue: @escaping @Sendable (Value) -> Void = { _ in },
    onFailure: (@Sendable (any Error) -> Void)? = nil,
    onFinish: (@Sendable () -> Void)? = nil
  ) -> Subscription {
    let site = Site("subscribe", fileID, line, function)
    // The usual case needs no memory for closures.
    if onFailure == nil, onFinish == nil { return start(site, Observer(receive: onValue, end: { _ in })) }
    return start(
      site,
      Observer(
        receive: onValue,
        end: { completion in
          switch completion {
          case .finished: onFinish?()
          case .failed(let error): onFailure?(error)
          }
        }))
  }

  /// Calls a closure with each event, for as long as the subscription lives.
  @inlinable
  public func subscribeToEvents(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onEvent: @escaping @Sendable (Event<Value>) -> Void
  ) -> Subscription {
    start(
      Site("subscribe", fileID, line, function),
      Observer(receive: { onEvent(.value($0)) }, end: { onEvent(Event($0)) }))
  }

  /// Calls a closure with a living owner and each value; the owner is held weakly, and the subscription ends with it.
  ///
  /// The source keeps the subscription while the owner lives, so the result need not be kept. When the owner is gone, the
  /// subscription ends at the next value at the latest.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    with owner: Owner,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    start(
      Site("subscribe", fileID, line, function),
      Observer(
        receive: { [weak owner] value in
          guard let owner else { throw StopDelivery() }
          onValue(owner, value)
        },
        end: { _ in }),
      owner: Introspection.isOn ? WeakOwner(owner) : nil
    ).retained()
  }

  /// Makes the subscription and connects the chain.
  @inlinable
  func start(_ site: Site, _ observer: consuming Observer<Value>, owner: WeakOwner? = nil) -> Subscription {
    let subscription = Subscription()
    if Introspection.isOn {
      startTraced(site, observer, owner: owner, subscription)
    } else {
      attach(observer, subscription)
    }
    return subscription
  }
}
