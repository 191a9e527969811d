/// The failure of a signal that delivered no value in time; see
/// ``Signal/timeout(after:on:fallback:fileID:line:function:)`` and
/// ``Signal/timeout(first:between:on:fallback:fileID:line:function:)``.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
  /// The time limit that was passed to the operator.
  public let interval: Duration

  /// Creates the error.
  ///
  /// - Parameter interval: The time limit.
  public init(interval: Duration) { self.interval = interval }

  /// A description with the interval.
  public var description: String { "no value came for \(interval)" }
}

extension Signal {
  /// Fails, or continues with another signal, when no value comes in time.
  ///
  /// The time is counted from the subscription, and then from each value. A value exactly at the deadline is in time.
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
  /// - **Ends:** with this signal, or with the fallback. This signal is unsubscribed at the deadline.
  /// - **Order and threads:** values are delivered where this signal delivers them, but the failure and the fallback
  ///   are delivered on the scheduler: this is an operator with two inputs, not a hop (law 14). Add
  ///   ``receive(on:overflow:fileID:line:function:)`` below it to choose the scheduler.
  /// - **Allocations:** none for a value, except those of the scheduler.
  /// - Parameters:
  ///   - interval: The maximum time without a value. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers the failure.
  ///   - fallback: The signal to continue with; `nil` fails with ``TimeoutError``.
  ///
  /// See also ``timeout(first:between:on:fallback:fileID:line:function:)``, which has a separate limit for the first
  /// value, and ``catch(fileID:line:function:_:)``.
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
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let state = SerialState(TimeoutState())
      let source = junction.reserveKey()
      let limit = first ?? between ?? .zero
      state.value.limit = limit
      state.value.earliest = scheduler.now.advanced(by: limit)
      let timer = junction.timer(on: scheduler, interval: first ?? between) { timer in
        // Once more at the same instant: values scheduled for it after this timer are in time too.
        guard state.value.isLastCall else {
          state.value.isLastCall = true
          return timer.set(after: .zero)
        }
        // On a scheduler that lets no time pass, the source must still be connected.
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
      // Not inside the gate: the deadline may pass while the source is being connected.
      junction.connect(upstream, key: source) { value in
        // It was being delivered at the deadline, or the deadline passed before there was a source to drop, which may
        // be endless.
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

/// The state of one subscription to a signal with a timeout.
@usableFromInline
struct TimeoutState: Sendable {
  @usableFromInline var isConnecting = true
  /// Whether the timer is set to the end of the deadline's instant.
  @usableFromInline var isLastCall = false
  /// Whether the timer was early, while the source was being connected.
  @usableFromInline var isDue = false
  @usableFromInline var isOver = false
  /// The limit that the timer is set to.
  @usableFromInline var limit = Duration.zero
  /// The earliest possible deadline, while the source is being connected.
  @usableFromInline var earliest = SchedulerInstant(sinceOrigin: .zero)

  @inlinable
  init() {}
}
