extension Signal {
  /// Sends each value to an emitter, as long as the emitter lives.
  ///
  /// ```text
  /// source   -a-b-c-|
  ///          source.bind(to: emitter)
  /// emitter  -a-b-c-
  /// ```
  ///
  /// ```swift
  /// let clicks = Emitter<Int>()
  /// let log = Emitter<String>()
  /// clicks.signal.map { "clicked \($0)" }.bind(to: log)
  /// clicks.send(1)
  /// ```
  ///
  /// Several signals may be bound to one emitter, so the end of one of them does not end it, unless requested. The
  /// emitter is referenced weakly: the binding ends with it, as ``subscribe(with:fileID:line:function:_:)-67s1a`` does
  /// with its owner. So the result need not be stored.
  ///
  /// An emitter that is bound to its own ``Emitter/signal`` ignores the binding: the result is disposed. Two or more
  /// emitters bound to each other in a ring would send for ever: a debug build does not create the binding that closes
  /// such a ring, and reports it to ``UnhandledFailure/handler``.
  ///
  /// - **Errors:** a failure goes to ``UnhandledFailure/handler``, or to the emitter with `includingEnd: true`.
  /// - **Ends:** with this signal, or with the emitter.
  /// - **Order and threads:** values are sent in the order of this signal, on the thread that delivers them.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - emitter: The emitter to send to.
  ///   - includingEnd: Whether the failure and the regular end are sent to the emitter too, which ends it.
  /// - Returns: The binding, to end it earlier.
  ///
  /// See also ``bind(to:fileID:line:function:)-(Property<Value>,_,_,_)``.
  @inlinable
  @discardableResult
  public func bind(
    to emitter: Emitter<Value>, includingEnd: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    let site = SubscriptionSite(fileID, line, function)
    if closesRing(with: emitter, at: site) { return disposedSubscription() }
    guard includingEnd else { return start(site, boundTo: emitter, isBinding: true) { $0.send($1) }.retained() }
    return start(site, boundTo: emitter, isBinding: true) { emitter, value in
      emitter.send(value)
    } onEnd: { emitter, completion in
      emitter.send(event: Event(completion))
    }.retained()
  }

  /// Sends each value to an emitter of optional values; see ``bind(to:includingEnd:fileID:line:function:)-(Emitter<Value>,_,_,_,_)``.
  ///
  /// - Parameters:
  ///   - emitter: The emitter to send to.
  ///   - includingEnd: Whether the failure and the regular end are sent to the emitter too, which ends it.
  /// - Returns: The binding, to end it earlier.
  @inlinable
  @discardableResult
  public func bind(
    to emitter: Emitter<Value?>, includingEnd: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    map(fileID: fileID, line: line, function: function) { Optional($0) }
      .bind(to: emitter, includingEnd: includingEnd, fileID: fileID, line: line, function: function)
  }
}

/// The result of binding a signal to its own source.
@usableFromInline
func disposedSubscription() -> Subscription {
  let subscription = Subscription()
  subscription.dispose()
  return subscription
}
