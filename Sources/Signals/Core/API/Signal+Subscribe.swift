extension Signal {
  // One overload for `subscribe { }` and for closures with labels: with two, the compiler gives up on chains that have
  // an error further up.
  /// Calls closures with each value, with the failure and at the regular end, for as long as the subscription lives.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let download = Emitter<Int>()
  /// download.signal
  ///   .subscribe(
  ///     onValue: { percent in print("\(percent) %") },
  ///     onFailure: { error in print("failed: \(error)") },
  ///     onFinish: { print("done") }
  ///   )
  ///   .store(in: bag)
  /// download.signal.subscribe { percent in print(percent) }.store(in: bag)
  /// ```
  ///
  /// The closures are called on the thread that delivers the values, one call at a time. Values that a source delivers
  /// at once are delivered before `subscribe` returns.
  ///
  /// - Parameters:
  ///   - onValue: Called with each value.
  ///   - onFailure: Called with the failure. Without it, a failure goes to ``UnhandledFailure/handler``.
  ///   - onFinish: Called at the regular end. Without it, the regular end is ignored.
  /// - Returns: The subscription, which ends when it is released: store it in a ``DisposeBag`` or a property, or call
  ///   ``Subscription/retained()``.
  /// - Complexity: O(1) amortised for each operator of the chain, whatever the number of other subscribers (law 15).
  ///
  /// See also ``subscribe(with:in:fileID:line:function:_:)``, which ends with an object.
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
      return start(site, Observer(receive: onValue, end: UnhandledFailure.endHandler(at: site, recorder)))
    }
    let endSite = onFinish == nil ? site : SubscriptionSite(hearingEnd: fileID, line, function)
    let unhandled = onFailure == nil ? UnhandledFailure.endHandler(at: endSite, recorder) : nil
    return start(
      endSite,
      Observer(
        receive: onValue,
        end: { completion in
          switch completion {
          case .finished: onFinish?()
          case .failed(let error): if let onFailure { onFailure(error) } else { unhandled?(completion) }
          }
        }))
  }

  /// Subscribes for side effects only and discards the values.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let speeds = Emitter<Double>()
  /// speeds.signal.handle(onValue: { print("\($0) m/s") }).subscribe().store(in: bag)
  /// speeds.send(3)
  /// ```
  ///
  /// A failure goes to ``UnhandledFailure/handler``. If the chain has no side effects, the subscription has no effect:
  /// `signal-viz check` reports it.
  ///
  /// - Returns: The subscription, which ends when it is released: store it in a ``DisposeBag`` or a property, or call
  ///   ``Subscription/retained()``.
  @inlinable
  public func subscribe(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    let site = SubscriptionSite(bare: fileID, line, function)
    return start(site, Observer(receive: { _ in }, end: UnhandledFailure.endHandler(at: site, recorder)))
  }

  /// Calls a closure with each event, for as long as the subscription lives.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// Signal.sequence(1...2)
  ///   .subscribeToEvents { event in
  ///     switch event {
  ///     case .value(let number): print(number)
  ///     case .failed(let error): print("failed: \(error)")
  ///     case .finished: print("done")
  ///     }
  ///   }
  ///   .store(in: bag)
  /// ```
  ///
  /// A failure that is delivered here counts as handled.
  ///
  /// - Parameter onEvent: Called with each value, and with the end, on the thread that delivers them, one call at a
  ///   time.
  /// - Returns: The subscription, which ends when it is released: store it in a ``DisposeBag`` or a property, or call
  ///   ``Subscription/retained()``.
  @inlinable
  public func subscribeToEvents(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onEvent: @escaping @Sendable (Event<Value>) -> Void
  ) -> Subscription {
    start(
      SubscriptionSite(hearingEnd: fileID, line, function),
      Observer(receive: { onEvent(.value($0)) }, end: { onEvent(Event($0)) }))
  }

  /// Creates the subscription and connects the chain.
  @inlinable
  func start(_ site: SubscriptionSite, _ observer: consuming Observer<Value>) -> Subscription {
    let subscription = Subscription(at: site)
    start(site, observer, subscription)
    return subscription
  }

  @inlinable
  func start(
    _ site: SubscriptionSite, _ observer: consuming Observer<Value>, owner: SubscriptionOwner? = nil,
    _ subscription: Subscription
  ) {
    if Recorder.isAnyOn {
      startRecorded(Site(site), observer, owner: owner, subscription)
    } else {
      // `Signal.attach` calls the operator's closure, which wraps the observer and connects its upstream; at the top,
      // `EmitterCore.add` puts it into the table. The table owns the closures of the chain. The subscription retains its
      // source; the source retains the subscription only after `retained()`.
      attach(observer, subscription)
    }
  }
}
