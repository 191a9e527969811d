extension Signal {
  /// Calls a closure with a living owner and each value; the owner is held weakly, and the subscription ends with it.
  ///
  /// The source keeps the subscription while the owner lives, so the result need not be kept. Once the owner is gone, the closure is not called
  /// any more. When the subscription and its chain are freed depends:
  /// - at once, on the thread where the owner goes, if the owner keeps a bag: make it a ``DisposeBagOwner``, or store the result in a
  ///   ``DisposeBag`` of its own; on Apple platforms without that, too;
  /// - elsewhere with the next value that reaches the closure, when a count of subscribers, a snapshot or a check for leaks is asked for, and a
  ///   few at a time with every further call of this function. Closures are then freed on the thread where that happens.
  ///
  /// A failure goes to ``UnhandledFailure/handler`` while the owner lives.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    with owner: Owner,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    start(SubscriptionPlace(fileID, line, function), boundTo: owner, onValue).retained()
  }

  /// Calls a closure with a living owner and each value; the subscription is put into the owner's bag, and ends with it.
  ///
  /// The owner is held weakly. When it goes, its bag goes, and everything is freed at once, on that thread. A failure goes to
  /// ``UnhandledFailure/handler`` while the owner lives.
  @inlinable
  @discardableResult
  public func subscribe<Owner: DisposeBagOwner>(
    with owner: Owner,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    let subscription = start(SubscriptionPlace(fileID, line, function), boundTo: owner, onValue)
    if !subscription.isDisposed { owner.disposeBag.insert(subscription) }
    return subscription
  }

  @inlinable
  func start<Owner: AnyObject & Sendable>(
    _ place: SubscriptionPlace, boundTo owner: Owner, _ onValue: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    let bond = OwnerBond(owner)
    let unhandled = UnhandledFailure.end(at: place)
    let subscription = start(
      place.site,
      Observer(
        receive: { value in
          // Safe: the bond was made of an `Owner`.
          guard let owner = bond.owner.map({ unsafeDowncast($0, to: Owner.self) }) else { throw StopDelivery() }
          onValue(owner, value)
        },
        end: { completion in
          if bond.owner != nil { unhandled(completion) }
        }),
      owner: Introspection.isOn ? String(describing: type(of: owner)) : nil
    )
    bond.end(subscription)
    return subscription
  }
}
