public import Synchronization

extension Signal {
  /// Subscribes again when this signal fails, up to a limit, and then passes the failure on.
  ///
  /// Useful for signals that restart their work for each subscription. An ``Emitter`` that has failed fails again at
  /// once.
  ///
  /// ![retry, as a marble diagram](retry)
  ///
  /// ```text
  /// source             -a-#
  ///                    source.retry(1)
  /// result             -a--a-#
  /// source subscribed  ^--!
  /// source subscribed  ---^--!
  /// ```
  ///
  /// ```swift
  /// struct Unreachable: Error {}
  /// let bag = DisposeBag()
  /// let answer = Signal<String> { producer in
  ///   if Bool.random() { producer.fail(Unreachable()) }
  ///   producer.send("hello")
  ///   producer.finish()
  /// }
  /// answer
  ///   .retry(3)
  ///   .subscribe(onValue: { print($0) }, onFailure: { print("four times: \($0)") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** the failure of the last attempt.
  /// - **Ends:** when this signal finishes.
  /// - **Order and threads:** this signal is subscribed to again where its failure is delivered, without delay.
  /// - **Allocations:** none for a value; an attempt is a new subscription to this signal.
  /// - Parameter limit: The number of retries. `nil` sets no limit: with a source that always fails at once,
  ///   `subscribe` then never returns. 0 or less passes the first failure on.
  ///
  /// See also ``retry(_:after:on:resettingOnValue:using:fileID:line:function:)``, which waits before each attempt,
  /// ``retry(fileID:line:function:when:)`` and ``catch(fileID:line:function:_:)``.
  @inlinable
  public func retry(
    _ limit: Int? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(
      Site("retry", behavior: [.runsNoClosure, .repeatsAfterFailure], fileID: fileID, line: line, function: function),
      derivedFrom: self
    ) {
      downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let attempts = RetryAttempts(upstream: upstream, limit: limit, junction: junction)
      attempts.start()
    }
  }
}

/// The attempts of one subscription. One object, so that its closures need no memory.
///
/// A source that fails while it is being subscribed to is retried after that, by the gate: so a million failures in a
/// row need no stack.
// Safe: as in the superclass, whose state is the number of retries; everything else is constant.
@usableFromInline
final class RetryAttempts<Value: Sendable>: SerialState<Int>, @unchecked Sendable {
  @usableFromInline let upstream: Signal<Value>
  @usableFromInline let limit: Int?
  @usableFromInline let junction: Junction<Value>

  @inlinable
  init(upstream: Signal<Value>, limit: Int?, junction: Junction<Value>) {
    self.upstream = upstream
    self.limit = limit
    self.junction = junction
    super.init(0)
  }

  @inlinable
  func start() {
    // No other code has the gate yet.
    guard junction.enter() else { return junction.run { self.connect() } }
    if !junction.isClosed.load(ordering: .relaxed) { connect() }
    junction.leave()
  }

  @inlinable
  func connect() {
    junction.connectInside(upstream, as: .values) { [junction] value in
      try junction.emit(value)
    } end: { completion in
      self.attemptEnded(completion)
    }
  }

  @inlinable
  func attemptEnded(_ completion: Completion) {
    guard case .failed(let error) = completion, limit.map({ value < $0 }) ?? true else {
      return junction.end(completion)
    }
    value += 1
    junction.triedInVain(error)
    junction.run { self.connect() }
  }
}
