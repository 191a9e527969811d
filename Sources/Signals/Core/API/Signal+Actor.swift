extension Signal {
  /// Calls an actor-isolated closure with each value; the actor is referenced weakly, and the subscription ends with
  /// it.
  ///
  /// The closure can use all members of the actor without `await`:
  ///
  /// ```swift
  /// actor Total {
  ///   private(set) var sum = 0
  ///
  ///   func add(_ numbers: Signal<Int>) {
  ///     numbers.subscribe(onActor: self) { total, number in total.sum += number }
  ///   }
  /// }
  /// ```
  ///
  /// Values wait in one queue and are delivered on the actor, in order, always after `send` has returned (law 14).
  /// Values that are waiting when the actor runs are delivered in one batch. Once `dispose()` has returned on the
  /// actor, the closure is not called again.
  ///
  /// The subscription is retained and freed as with ``subscribe(with:fileID:line:function:_:)-99w5``: at once if the
  /// actor is a ``DisposeBagOwner``. A failure goes to ``UnhandledFailure/handler`` while the actor lives. For the main
  /// actor, ``subscribeOnMain(fileID:line:function:onValue:onFailure:onFinish:)`` delivers synchronously where it can.
  ///
  /// - Parameters:
  ///   - actor: The actor that the closure is isolated to and the subscription ends with.
  ///   - onValue: Called with the actor and each value, on the actor.
  /// - Returns: The subscription, to end it earlier.
  @discardableResult
  public func subscribe<Isolation: Actor>(
    onActor actor: Isolation,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (isolated Isolation, Value) -> Void
  ) -> Subscription {
    let onActor = receive(on: .actor(actor), fileID: fileID, line: line, function: function)
    let handle: @Sendable (Isolation, Value) -> Void = { actor, value in
      actor.assumeIsolated { onValue($0, value) }
    }
    if let bag = (actor as? any DisposeBagOwner)?.disposeBag {
      return onActor.subscribe(with: actor, in: bag, fileID: fileID, line: line, function: function, handle)
    }
    return onActor.subscribe(with: actor, fileID: fileID, line: line, function: function, handle)
  }
}
