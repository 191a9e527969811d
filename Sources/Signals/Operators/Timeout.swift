/// The failure of a signal that was silent for too long; see ``Signal/timeout(after:on:fallback:fileID:line:function:)``
/// and ``Signal/timeout(first:between:on:fallback:fileID:line:function:)``.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
  /// How long nothing came: the limit that the operator was given.
  public let interval: Duration

  /// Makes the error.
  ///
  /// - Parameter interval: How long nothing came.
  public init(interval: Duration) { self.interval = interval }

  /// What happened, with the interval.
  public var description: String { "no value came for \(interval)" }
}

extension Signal {
  /// Fails, or continues with another signal, when no value comes for a while.
  ///
  /// The time is counted from the subscription, and then from each value. A value that comes exactly when the time is up is still in
  /// time.
  ///
  /// ![timeout, as a marble diagram](timeout-after-on-fallback)
  ///
  /// ```text
  /// source   -a-b----------c|
  ///          source.timeout(after: .milliseconds(4), on: scheduler)
  /// result   -a-b---#
  ///
  /// # = TimeoutError
  /// ```
  ///
  /// ![timeout, as a marble diagram](timeout-after-on-fallback-2)
  ///
  /// ```text
  /// source             -a-b----------c|
  /// other              -x-|
  ///                    source.timeout(after: .milliseconds(4), on: scheduler, fallback: other)
  /// result             -a-b----x-|
  /// source subscribed  ^------!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let heartbeat = Emitter<String>()
  /// heartbeat.signal
  ///   .timeout(after: .seconds(5), on: .main)
  ///   .subscribe(onValue: { print($0) }, onFailure: { error in print("the connection is lost: \(error)") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with ``TimeoutError``, unless there is a fallback. Failures of this signal and of the fallback are passed on.
  /// - **Ends:** with this signal, or with the fallback. This signal is left when the time is up.
  /// - **Order and threads:** values are delivered where this signal delivers them, but the failure and the fallback come from the
  ///   scheduler: this is an operator with two inputs, not a hop (law 14). Put ``receive(on:overflow:fileID:line:function:)`` below it where the
  ///   place matters.
  /// - **Allocations:** none for a value, beside those of the scheduler.
  /// - Parameters:
  ///   - interval: How long it may be silent. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers the failure.
  ///   - fallback: What to continue with; `nil` fails with ``TimeoutError``.
  ///
  /// See also ``timeout(first:between:on:fallback:fileID:line:function:)``, which has a limit of its own for the first value, and
  /// ``catch(fileID:line:function:_:)``.
  @inlinable
  public func timeout(
    after interval: Duration, on scheduler: any Scheduler, fallback: Signal<Value>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    limited(
      Site("timeout", behavior: [.endsByItself, .timesOut], fileID: fileID, line: line, function: function),
      first: interval, between: interval,
      on: scheduler, fallback: fallback)
  }

  @inlinable
  func limited(
    _ site: Site, first: Duration?, between: Duration?, on scheduler: any Scheduler, fallback: Signal<Value>?
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let state = SerialState(TimeoutState())
      let source = junction.reserveKey()
      let limit = first ?? between ?? .zero
      state.value.limit = limit
      state.value.earliest = scheduler.now.advanced(by: limit)
      let timer = junction.timer(on: scheduler, interval: first ?? between) { timer in
        // Once more at the same moment: what was scheduled for it after this timer is in time too.
        guard state.value.isLastCall else {
          state.value.isLastCall = true
          return timer.set(after: .zero)
        }
        // A scheduler that lets no time pass: the source is still to be asked.
        if state.value.isConnecting, scheduler.now < state.value.earliest {
          state.value.isDue = true
          return
        }
        state.value.isOver = true
        junction.drop(source)
        guard let fallback else { return junction.end(.failed(TimeoutError(interval: state.value.limit))) }
        junction.connectInside(fallback) { value in
          try junction.emit(value)
        } end: { completion in
          junction.end(completion)
        }
      }
      if first != nil { junction.run { timer.set(after: limit) } }
      // Not inside the gate: the time may be over while the source is being connected.
      junction.connect(upstream, key: source) { value in
        // It was on its way when the time was over, or the time was over before there was a source to drop, which may be endless.
        if state.value.isOver { return junction.drop(source) }
        state.value.isLastCall = false
        state.value.isDue = false
        if let between {
          if state.value.isConnecting { state.value.earliest = scheduler.now.advanced(by: between) }
          state.value.limit = between
          timer.set(after: between)
        } else {
          timer.dispose()
        }
        try junction.emit(value)
      } end: { completion in
        if !state.value.isOver { junction.end(completion) }
      }
      junction.run {
        state.value.isConnecting = false
        // As above; or the timer was early.
        if state.value.isOver { junction.drop(source) } else if state.value.isDue { timer.set(after: .zero) }
      }
    }
  }
}

/// What one subscription to a signal with a time-out remembers.
@usableFromInline
struct TimeoutState: Sendable {
  @usableFromInline var isConnecting = true
  /// Whether the timer is set to the end of the moment at which the time is over.
  @usableFromInline var isLastCall = false
  /// Whether the timer was early, while the source was being connected.
  @usableFromInline var isDue = false
  @usableFromInline var isOver = false
  /// The limit that the timer is set to.
  @usableFromInline var limit = Duration.zero
  /// When it can be over, while the source is being connected.
  @usableFromInline var earliest = SchedulerInstant(sinceOrigin: .zero)

  @inlinable
  init() {}
}
