extension Signal {
  /// Subscribes again some time after this signal failed, and passes the failure on when that has been done often enough.
  ///
  /// How long it waits before each attempt, a ``Backoff`` says. What is left to chance there comes from a generator that is passed in: so a test
  /// with a generator of its own, under virtual time, sees the same delays each time.
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
  /// - **Errors:** the failure that comes after the last attempt.
  /// - **Ends:** when this signal finishes.
  /// - **Order and threads:** this signal is subscribed to again on the scheduler. Values and the end come where it delivers them: this is no
  ///   hop.
  /// - **Allocations:** none for a value; an attempt is a new subscription to this signal, and a work item on the scheduler.
  /// - Parameters:
  ///   - limit: How many times it is subscribed to again. `nil` sets no limit. 0 or less passes the first failure on.
  ///   - backoff: How long to wait before each attempt: `.constant(.seconds(1))`, or a time that grows.
  ///   - scheduler: Measures the time, and subscribes again.
  ///   - resets: Whether a value shows that all is well: the next failure then counts as the first one again, for the limit and for the
  ///     time to wait. A source that delivers a value before each failure, as one that replays, is then begun anew without end.
  ///   - generator: Decides how much of a delay with jitter is left out. Each subscription has a copy.
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
      let junction = Junction(downstream, subscription)
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

/// What one subscription remembers of its attempts.
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

  /// How long to wait before the next attempt; nil if there is none.
  @usableFromInline
  mutating func nextDelay() -> Duration? {
    guard used < limit ?? .max else { return nil }
    used += 1
    return backoff.delay(before: used, using: &generator)
  }
}
