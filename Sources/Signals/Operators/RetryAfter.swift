extension Signal {
  /// Subscribes again some time after this signal failed, up to a limit, and then passes the failure on.
  ///
  /// A ``Backoff`` determines the delay before each attempt. Its jitter comes from a generator that is passed in: so a
  /// test with its own generator, under virtual time, sees the same delays each time.
  ///
  /// ![retry, as a marble diagram](retry-after-on-resettingOnValue-using)
  ///
  /// ```text
  /// source             -a-#
  ///                    source.retry(2, after: .exponential(first: .milliseconds(2), factor: 2), on: scheduler)
  /// result             -a----a------a-#
  /// source subscribed  ^--!
  /// source subscribed  -----^--!
  /// source subscribed  ------------^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// func news() -> Signal<String> { .just("all is well") }
  /// Signal.deferred { news() }
  ///   .retry(after: .exponential(first: .milliseconds(200), limit: .seconds(30), jitter: 0.5), on: .main, resettingOnValue: true)
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** the failure of the last attempt.
  /// - **Ends:** when this signal finishes.
  /// - **Order and threads:** this signal is subscribed to again on the scheduler. Values and the end are delivered
  ///   where it delivers them: this is no hop.
  /// - **Allocations:** none for a value; an attempt is a new subscription to this signal, and a work item on the scheduler.
  /// - Parameters:
  ///   - limit: The number of retries. `nil` sets no limit. 0 or less passes the first failure on.
  ///   - backoff: The delay before each attempt: `.constant(.seconds(1))`, or a growing one.
  ///   - scheduler: Measures the time, and subscribes again.
  ///   - resets: Whether a value resets the limit and the delay. A source that delivers a value before each failure,
  ///     such as one that replays, is then retried without end.
  ///   - generator: Determines the jitter. Each subscription has a copy.
  ///
  /// See also ``retry(_:fileID:line:function:)``, which does not wait, and ``retry(fileID:line:function:when:)``.
  @inlinable
  public func retry(
    _ limit: Int? = nil, after backoff: Backoff, on scheduler: any Scheduler, resettingOnValue resets: Bool = false,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("retry(after:)", behavior: .repeatsAfterFailure, fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let state = SerialState(RetryState(backoff, generator, limit: limit, resets: resets))
      let attempts = PatientAttempts(upstream: upstream, junction: junction, state: state)
      let timer = junction.timer(on: scheduler) { timer in attempts.connect(again: timer) }
      junction.run { attempts.connect(again: timer) }
    }
  }
}

/// The attempts of one subscription.
@usableFromInline
struct PatientAttempts<Value: Sendable>: Sendable {
  @usableFromInline let upstream: Signal<Value>
  @usableFromInline let junction: Junction<Value>
  @usableFromInline let state: SerialState<RetryState>

  @inlinable
  init(upstream: Signal<Value>, junction: Junction<Value>, state: SerialState<RetryState>) {
    self.upstream = upstream
    self.junction = junction
    self.state = state
  }

  @inlinable
  func connect(again timer: OperatorTimer) {
    junction.tries()
    junction.connectInside(upstream, as: .values) { value in
      if state.value.resets { state.value.used = 0 }
      try junction.emit(value)
    } end: { completion in
      guard case .failed(let error) = completion, let delay = state.value.nextDelay() else {
        return junction.end(completion)
      }
      junction.triedInVain(error, waiting: delay)
      timer.set(after: delay)
    }
  }
}

/// The retry state of one subscription.
@usableFromInline
struct RetryState: Sendable {
  private let backoff: Backoff
  private var generator: any RandomNumberGenerator & Sendable
  private let limit: Int?
  @usableFromInline let resets: Bool
  @usableFromInline var used = 0

  @usableFromInline
  init(_ backoff: Backoff, _ generator: any RandomNumberGenerator & Sendable, limit: Int?, resets: Bool) {
    self.backoff = backoff
    self.generator = generator
    self.limit = limit
    self.resets = resets
  }

  /// The delay before the next attempt; nil if there is none.
  @usableFromInline
  mutating func nextDelay() -> Duration? {
    guard used < limit ?? .max else { return nil }
    used += 1
    return backoff.delay(before: used, using: &generator)
  }
}
