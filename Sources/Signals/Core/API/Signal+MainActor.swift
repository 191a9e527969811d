extension Signal {
  /// Calls main actor closures with each value, with the failure and at the regular end, for as long as the
  /// subscription lives.
  ///
  /// The closures run on the main actor, so they may use everything isolated to it, including objects that are not
  /// `Sendable`:
  ///
  /// ```swift
  /// @MainActor final class TitleBar {
  ///   var title = ""
  ///   private let bag = DisposeBag()
  ///
  ///   init(_ titles: Signal<String>) {
  ///     titles.subscribeOnMain { [weak self] in self?.title = $0 }.store(in: bag)
  ///   }
  /// }
  /// ```
  ///
  /// It is the same as ``receive(on:overflow:fileID:line:function:)`` with ``Scheduler/mainImmediate`` and a
  /// subscription below. A value that is sent on the main actor is delivered before `send` returns, unless earlier ones
  /// are still pending; a value from elsewhere is delivered later, in order. Once `dispose()` has returned on the main
  /// actor, no closure is called again, even for pending values (law 7).
  ///
  /// The program has to run the main queue, see ``MainScheduler``. The closures are freed with the subscription, on the
  /// thread that ends it.
  ///
  /// - Parameters:
  ///   - onValue: Called with each value, on the main actor.
  ///   - onFailure: Called with the failure, on the main actor. Without it, a failure goes to ``UnhandledFailure/handler``.
  ///   - onFinish: Called at the regular end, on the main actor. Without it, the regular end is ignored.
  /// - Returns: The subscription, which ends when it is released: store it in a ``DisposeBag`` or a property, or call
  ///   ``Subscription/retained()``.
  ///
  /// See also ``subscribe(onMainWith:in:fileID:line:function:_:)``, which ends with an object, and
  /// ``subscribe(onActor:fileID:line:function:_:)``.
  @inlinable
  public func subscribeOnMain(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    onValue: @escaping @MainActor (Value) -> Void = { _ in },
    onFailure: (@MainActor (any Error) -> Void)? = nil,
    onFinish: (@MainActor () -> Void)? = nil
  ) -> Subscription {
    var fail: (@Sendable (any Error) -> Void)?
    if let onFailure { fail = { error in MainActor.assumeIsolated { onFailure(error) } } }
    var finish: (@Sendable () -> Void)?
    if let onFinish { finish = { MainActor.assumeIsolated { onFinish() } } }
    return receive(on: .mainImmediate, fileID: fileID, line: line, function: function).subscribe(
      fileID: fileID, line: line, function: function,
      onValue: { value in MainActor.assumeIsolated { onValue(value) } }, onFailure: fail, onFinish: finish)
  }

  /// Calls a main actor closure with a living owner and each value; the owner is referenced weakly, and the
  /// subscription ends with it.
  ///
  /// The owner may be any object that belongs to the main actor; it need not be `Sendable`:
  ///
  /// ```swift
  /// final class Label {
  ///   var text = ""
  /// }
  ///
  /// @MainActor func show(_ titles: Signal<String>, in label: Label) {
  ///   titles.subscribe(onMainWith: label) { label, title in label.text = title }
  /// }
  /// ```
  ///
  /// Values are delivered as with ``subscribeOnMain(fileID:line:function:onValue:onFailure:onFinish:)``. The
  /// subscription is retained and freed as with ``subscribe(with:fileID:line:function:_:)-99w5``: at once if the owner
  /// is a ``DisposeBagOwner`` or its bag is passed, else at the latest with the next value. A failure goes to
  /// ``UnhandledFailure/handler`` while the owner lives.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription ends with.
  ///   - bag: A bag that only the owner retains. If it is closed, the subscription is disposed.
  ///   - onValue: Called with the owner and each value, on the main actor.
  /// - Returns: The subscription, to end it earlier.
  @MainActor
  @discardableResult
  public func subscribe<Owner: AnyObject>(
    onMainWith owner: Owner, in bag: DisposeBag? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @MainActor (Owner, Value) -> Void
  ) -> Subscription {
    receive(on: .mainImmediate, fileID: fileID, line: line, function: function)
      .start(onMainWith: owner, in: bag, SubscriptionSite(fileID, line, function), onValue)
  }

  /// Like ``subscribe(onMainWith:in:fileID:line:function:_:)`` for a signal that delivers on the main queue. An error
  /// that the closure throws ends the subscription as a failure.
  @MainActor
  func start<Owner: AnyObject>(
    onMainWith owner: Owner, in bag: DisposeBag? = nil, _ site: SubscriptionSite,
    _ onValue: @escaping @MainActor (Owner, Value) throws -> Void
  ) -> Subscription {
    let bond = OwnerBond(owner, isOnMain: true)
    let subscription = Subscription(at: site, tag: bond)
    bond.bind(subscription)
    let unhandled = UnhandledFailure.endHandler(at: site, recorder)
    start(
      site,
      Observer(
        receive: { value in
          let isOver = try MainActor.assumeIsolated {
            // Safe: the bond was made of an `Owner`.
            guard let owner = bond.owner.map({ unsafeDowncast($0, to: Owner.self) }) else { return true }
            try onValue(owner, value)
            return false
          }
          if isOver { throw StopDelivery() }
        },
        end: { completion in
          if bond.owner != nil { unhandled(completion) }
        }),
      owner: Recorder.isAnyOn ? SubscriptionOwner(owner) : nil, subscription)
    if let bag = bag ?? (owner as? any DisposeBagOwner)?.disposeBag {
      if !subscription.isDisposed { bag.insert(subscription) }
      return subscription
    }
    bond.endWithOwner()
    return subscription.retained()
  }
}
