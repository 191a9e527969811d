extension Signal {
  /// Calls a closure with a living owner and each value; the owner is referenced weakly, and the subscription ends with
  /// it.
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
  /// The source retains the subscription while the owner lives, so the result need not be stored. Once the owner is
  /// deallocated, the closure is not called any more, and the subscription and its chain are freed: on Apple platforms
  /// at once, elsewhere
  /// - with the next value that reaches the closure;
  /// - when a count of subscribers, a snapshot or a check for leaks is requested;
  /// - two at a time with every further call of this function.
  ///
  /// They are freed on the thread where that happens. If the owner has a ``DisposeBag``, everything is freed at once on
  /// every platform, on the thread that deallocates the owner: see ``subscribe(with:in:fileID:line:function:_:)`` and
  /// ``DisposeBagOwner``.
  ///
  /// A failure goes to ``UnhandledFailure/handler`` while the owner lives.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription ends with.
  ///   - onValue: Called with the owner and each value, on the thread that delivers the value, one call at a time.
  /// - Returns: The subscription, to end it earlier.
  /// - Complexity: O(1), plus the cost of the source.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    with owner: Owner,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    start(SubscriptionSite(fileID, line, function), boundTo: owner, onValue).retained()
  }

  /// Calls a closure with a living owner and each value; the subscription is stored in the owner's bag, and ends with
  /// it.
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
  /// The owner is referenced weakly. Deallocating it releases its bag, and everything is freed at once, on that thread.
  /// So only the owner should retain the bag, see ``DisposeBagOwner``. A failure goes to ``UnhandledFailure/handler``
  /// while the owner lives.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription ends with.
  ///   - bag: The owner's bag. If it is closed, the subscription is disposed.
  ///   - onValue: Called with the owner and each value, on the thread that delivers the value, one call at a time.
  /// - Returns: The subscription, to end it earlier.
  /// - Complexity: O(1) amortised, plus the cost of the source.
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
  ///   - onValue: Called with the owner and each value, on the thread that delivers the value, one call at a time.
  /// - Returns: The subscription, to end it earlier.
  /// - Complexity: O(1) amortised, plus the cost of the source.
  @inlinable
  @discardableResult
  public func subscribe<Owner: DisposeBagOwner>(
    with owner: Owner,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    subscribe(with: owner, in: owner.disposeBag, fileID: fileID, line: line, function: function, onValue)
  }

  /// Creates a subscription that ends with an owner.
  ///
  /// - Parameters:
  ///   - isBinding: Whether each value is written into the owner.
  ///   - onEnd: Called with the owner and the end. Without it, a failure is unhandled.
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
