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
  /// Each loop subscribes anew, when it begins. A signal does not wait for a loop: values that come while the loop is busy wait for it, as many as
  /// the policy says. Where a loop may stay behind for ever, choose another policy than ``OverflowPolicy/keepAll``. A source that is endless and
  /// delivers inside subscribe, such as `sequence(1...)`, needs ``OverflowPolicy/fail(_:)`` or a ``prefix(_:fileID:line:function:)``: without one,
  /// the loop never begins.
  ///
  /// The graph shows, at the subscriber, how many values wait for the loop, and how many were dropped.
  ///
  /// - **Errors:** the failure is thrown, behind the values that came before it. With ``OverflowPolicy/fail(_:)``, ``OverflowError`` is.
  /// - **Ends:** the loop ends with the signal, once the values that wait have been taken. The subscription ends when the loop is left, and
  ///   at once when its task is cancelled: then the loop ends too, without the values that wait. It ends with them when an emitter or a property
  ///   ends the subscription without an event; where an operator has several inputs, when that has happened to all that are left.
  /// - **Order and threads:** in order. Values are taken where the loop runs, whichever thread sends them.
  /// - **Allocations:** none for a value that finds the loop busy.
  /// - Parameter policy: What becomes of a value when too many wait for the loop.
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

  /// Subscribes to the signal: what comes from here on waits to be taken.
  public func makeAsyncIterator() -> Iterator {
    let waiting = AwaitedValues<Value>(policy)
    let subscription = Subscription(at: site)
    // Freed with the closure that captures it, so also when the source ends its subscriptions without an event: then nobody may wait on.
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

  /// The signal; while the graph is on, it says where to count the values that wait: at the subscriber.
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
    /// - Parameter actor: Where the caller is, and stays.
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

/// Calls a closure when it is released, if a subscription was disposed.
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
