extension Signal {
  /// Calls a closure with a living owner and each value; the owner is held weakly, and the subscription ends with it.
  ///
  /// ```swift
  /// final class Label: Sendable {
  ///   func show(_ text: String) { print(text) }
  /// }
  /// let label = Label()
  /// let title = Property("Welcome")
  /// title.signal.subscribe(with: label) { label, text in label.show(text) }
  /// ```
  ///
  /// The source keeps the subscription while the owner lives, so the result need not be kept. Once the owner is gone, the closure is not called
  /// any more, and the subscription and its chain are freed: on Apple platforms at once, elsewhere
  /// - with the next value that reaches the closure;
  /// - when a count of subscribers, a snapshot or a check for leaks is asked for;
  /// - two at a time with every further call of this function.
  ///
  /// They are freed on the thread where that happens. With an owner that keeps a ``DisposeBag`` everything is freed at once on every platform,
  /// on the thread where the owner goes: see ``subscribe(with:in:fileID:line:function:_:)`` and ``DisposeBagOwner``.
  ///
  /// A failure goes to ``UnhandledFailure/handler`` while the owner lives.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription ends with.
  ///   - onValue: Called with the owner and each value, on whichever thread the value comes from, one call at a time.
  /// - Returns: The subscription, to end it earlier.
  /// - Complexity: O(1), beside what the source needs.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    with owner: Owner,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    start(SubscriptionSite(fileID, line, function), boundTo: owner, onValue).retained()
  }

  /// Calls a closure with a living owner and each value; the subscription is put into a bag that the owner keeps, and ends with it.
  ///
  /// ```swift
  /// final class Label: Sendable {
  ///   private let bag = DisposeBag()
  ///
  ///   init(_ title: Signal<String>) {
  ///     title.subscribe(with: self, in: bag) { label, text in label.show(text) }
  ///   }
  ///
  ///   func show(_ text: String) { print(text) }
  /// }
  /// ```
  ///
  /// The owner is held weakly. When it goes, its bag goes, and everything is freed at once, on that thread. So nothing but the owner should keep
  /// the bag, see ``DisposeBagOwner``. A failure goes to ``UnhandledFailure/handler`` while the owner lives.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription ends with.
  ///   - bag: The owner's bag. If it is closed, the subscription is disposed.
  ///   - onValue: Called with the owner and each value, on whichever thread the value comes from, one call at a time.
  /// - Returns: The subscription, to end it earlier.
  /// - Complexity: O(1) amortised, beside what the source needs.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    with owner: Owner, in bag: DisposeBag,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    let subscription = start(SubscriptionSite(fileID, line, function), OwnerBond(owner), to: owner, onValue)
    if !subscription.isDisposed { bag.insert(subscription) }
    return subscription
  }

  /// Calls a closure with a living owner and each value; the same as ``subscribe(with:in:fileID:line:function:_:)`` with the owner's own bag.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription ends with, see ``DisposeBagOwner``.
  ///   - onValue: Called with the owner and each value, on whichever thread the value comes from, one call at a time.
  /// - Returns: The subscription, to end it earlier.
  /// - Complexity: O(1) amortised, beside what the source needs.
  @inlinable
  @discardableResult
  public func subscribe<Owner: DisposeBagOwner>(
    with owner: Owner,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    subscribe(with: owner, in: owner.disposeBag, fileID: fileID, line: line, function: function, onValue)
  }

  /// Makes a subscription that ends with an owner.
  ///
  /// - Parameters:
  ///   - isBinding: Whether each value is written into the owner.
  ///   - onEnd: Called with the owner and the end. Without it a failure counts as unhandled.
  @inlinable
  func start<Owner: AnyObject & Sendable>(
    _ site: SubscriptionSite, boundTo owner: Owner, isBinding: Bool = false,
    _ onValue: @escaping @Sendable (Owner, Value) throws -> Void,
    onEnd: (@Sendable (Owner, Completion) -> Void)? = nil
  ) -> Subscription {
    let bond = OwnerBond(owner, isBinding: isBinding)
    let subscription = start(site, bond, to: owner, onValue, onEnd: onEnd)
    bond.endWithOwner()
    return subscription
  }

  @inlinable
  func start<Owner: AnyObject & Sendable>(
    _ site: SubscriptionSite, _ bond: OwnerBond, to owner: Owner,
    _ onValue: @escaping @Sendable (Owner, Value) throws -> Void,
    onEnd: (@Sendable (Owner, Completion) -> Void)? = nil
  ) -> Subscription {
    let subscription = Subscription(at: site, tag: bond)
    bond.bind(subscription)
    let unhandled = onEnd == nil ? UnhandledFailure.endHandler(at: site, recorder) : nil
    start(
      site,
      Observer(
        receive: { value in
          // Safe: the bond was made of an `Owner`.
          guard let owner = bond.owner.map({ unsafeDowncast($0, to: Owner.self) }) else { throw bond.stopDelivery() }
          try onValue(owner, value)
        },
        end: { completion in
          // Safe: as above.
          guard let owner = bond.owner.map({ unsafeDowncast($0, to: Owner.self) }) else { return }
          if let onEnd { onEnd(owner, completion) } else { unhandled?(completion) }
        }),
      owner: Recorder.isAnyOn ? SubscriptionOwner(owner, bond) : nil, subscription)
    return subscription
  }
}
