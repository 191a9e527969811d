extension Signal {
  /// The values as an asynchronous sequence, for a `for try await` loop.
  ///
  /// ```swift
  /// let downloads = Emitter<Int>()
  /// let loop = Task {
  ///   for try await percent in downloads.signal.values() { print("\(percent) %") }
  ///   print("done")
  /// }
  /// loop.cancel()
  /// ```
  ///
  /// Each loop subscribes again when it begins. A signal does not wait for a loop: while the loop is busy, values are
  /// buffered as the policy allows. If a loop may fall behind for ever, choose another policy than
  /// ``OverflowPolicy/keepAll``. An endless source that delivers inside subscribe, such as `sequence(1...)`, needs
  /// ``OverflowPolicy/fail(_:)`` or a ``prefix(_:fileID:line:function:)``: without one, the loop never begins.
  ///
  /// The graph shows, at the subscriber, how many values are buffered for the loop, and how many were dropped.
  ///
  /// - **Errors:** the failure is thrown, after the values that preceded it. ``OverflowPolicy/fail(_:)`` throws
  ///   ``OverflowError``.
  /// - **Ends:** the loop ends with the signal, once the buffered values have been taken. The subscription ends when
  ///   the loop is left. When its task is cancelled, it ends at once if the loop waits for a value, and otherwise when
  ///   the loop asks for the next one. Then the loop ends too, without the buffered values.
  ///   The loop ends after the buffered values if an emitter or a property ends the subscription without an event. With
  ///   several inputs it ends when that has happened to each that has not finished; values that operators still hold
  ///   are dropped. But if the last of them finishes instead, the loop may wait for ever: below operators that can hold
  ///   values, such as `debounce`, `receive(on:)` and `mapAsync`, below `share`, and for inner signals of `flatMap`.
  ///   Limit such a wait, with `timeout` or ``firstValue(timeout:on:isolation:fileID:line:function:)``.
  /// - **Order and threads:** in order. Values are taken where the loop runs, whichever thread sends them.
  /// - **Allocations:** none for a value that is buffered.
  /// - Parameter policy: What happens to a value when the buffer is full.
  ///
  /// See also ``firstValue(isolation:fileID:line:function:)`` for one value, and
  /// ``mapAsync(maxConcurrent:keepsOrder:overflow:executor:fileID:line:function:_:)`` for an asynchronous closure in a chain.
  public func values(
    buffering policy: OverflowPolicy = .keepAll,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> SignalValues<Value> {
    SignalValues(
      signal: self, policy: policy, site: SubscriptionSite(loop: fileID, line, function))
  }
}

/// The values of a signal as an asynchronous sequence; see ``Signal/values(buffering:fileID:line:function:)``.
public struct SignalValues<Value: Sendable>: AsyncSequence, Sendable {
  let signal: Signal<Value>
  let policy: OverflowPolicy
  let site: SubscriptionSite

  /// Subscribes to the signal: later values are buffered until they are taken.
  public func makeAsyncIterator() -> Iterator {
    let waiting = AwaitedValues<Value>(policy)
    let subscription = Subscription(at: site)
    // Freed with the closure that captures it, so also when the source ends its subscriptions without an event: then
    // the loop must not wait any longer.
    let watch = DisposalEnd(of: subscription) { waiting.end(.finished) }
    subscription.tag = WaitTag(of: subscription, isTask: true) { waiting.end(.finished) }
    watched(by: waiting).start(
      site,
      Observer(
        receive: { try waiting.add($0) },
        end: { completion in withExtendedLifetime(watch) { waiting.end(completion) } }),
      subscription)
    return Iterator(waiting, subscription)
  }

  /// The signal. While the graph is on, it records where to count the buffered values: at the subscriber.
  private func watched(by waiting: AwaitedValues<Value>) -> Signal<Value> {
    guard Recorder.isAnyOn else { return signal }
    return Signal(.hidden, derivedFrom: signal) { [signal] downstream, subscription in
      waiting.recording = QueueRecording(of: OperatorNode(newestOf: subscription.recording))
      signal.connect(downstream, subscription)
    }
  }

  /// Takes the values of one subscription, which ends when this is released.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let waiting: AwaitedValues<Value>
    @usableFromInline let subscription: Subscription

    init(_ waiting: AwaitedValues<Value>, _ subscription: Subscription) {
      self.waiting = waiting
      self.subscription = subscription
    }

    /// Waits for the next value; `nil` after the end, and once the task is cancelled.
    ///
    /// - Throws: The failure of the signal, once.
    @inlinable
    public mutating func next() async throws -> Value? { try await next(isolation: #isolation) }

    /// Waits for the next value; `nil` after the end, and once the task is cancelled.
    ///
    /// - Parameter actor: The caller's isolation, which is preserved.
    /// - Throws: The failure of the signal, once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Value? {
      if Task.isCancelled {
        cancel()
        return nil
      }
      switch waiting.take() {
      case .value(let value): return value
      case .ended(let completion):
        if let failure = completion.failure { throw failure }
        return nil
      case .nothing: break
      }
      let (waiting, subscription) = (waiting, subscription)
      return try await withTaskCancellationHandler {
        try await withUnsafeThrowingContinuation { waiting.wait($0) }
      } onCancel: {
        waiting.cancel()
        subscription.dispose()
      }
    }

    @usableFromInline
    func cancel() {
      waiting.cancel()
      subscription.dispose()
    }
  }
}

/// Calls a closure on release if a subscription was disposed.
private final class DisposalEnd: Sendable {
  private let action: @Sendable () -> Void
  private let isDisposed: @Sendable () -> Bool

  init(of subscription: Subscription, _ action: @escaping @Sendable () -> Void) {
    self.action = action
    isDisposed = { [weak subscription] in subscription?.isDisposed ?? false }
  }

  deinit {
    if isDisposed() { action() }
  }
}

@available(*, unavailable)
extension SignalValues.Iterator: Sendable {}
