extension Signal {
  // One form for `subscribe { }` and for closures with labels: with two, the compiler gives up on chains that have a mistake further up.
  /// Calls closures with each value, with the failure and at the regular end, for as long as the subscription lives.
  ///
  /// The closures are called on whichever thread the values come from, one call at a time. Without `onFailure`, a failure goes to
  /// ``UnhandledFailure/handler``. Without `onFinish`, the regular end is ignored.
  ///
  /// - Returns: The subscription, which ends when it is released: store it in a ``DisposeBag`` or a property, or call
  ///   ``Subscription/retained()``.
  @inlinable
  public func subscribe(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    onValue: @escaping @Sendable (Value) -> Void = { _ in },
    onFailure: (@Sendable (any Error) -> Void)? = nil,
    onFinish: (@Sendable () -> Void)? = nil
  ) -> Subscription {
    let site = SubscriptionSite(fileID, line, function)
    if onFailure == nil, onFinish == nil {
      // The usual case needs no memory for closures.
      return start(Site(site), Observer(receive: onValue, end: UnhandledFailure.endHandler(at: site, recorder)))
    }
    let unhandled = onFailure == nil ? UnhandledFailure.endHandler(at: site, recorder) : nil
    return start(
      Site(site),
      Observer(
        receive: onValue,
        end: { completion in
          switch completion {
          case .finished: onFinish?()
          case .failed(let error): if let onFailure { onFailure(error) } else { unhandled?(completion) }
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
      Site("subscribe", fileID: fileID, line: line, function: function),
      Observer(receive: { onEvent(.value($0)) }, end: { onEvent(Event($0)) }))
  }

  /// Makes the subscription and connects the chain.
  @inlinable
  func start(_ site: @autoclosure () -> Site, _ observer: consuming Observer<Value>, owner: String? = nil)
    -> Subscription
  {
    let subscription = Subscription()
    if Recorder.isAnyOn {
      startRecorded(site(), observer, owner: owner, subscription)
    } else {
      attach(observer, subscription)
    }
    return subscription
  }
}
