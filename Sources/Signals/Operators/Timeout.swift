public import SignalGraph

/// The failure of a signal that was silent for too long.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
  /// How long nothing came.
  public let interval: Duration

  /// Makes the error.
  public init(interval: Duration) { self.interval = interval }

  /// What happened.
  public var description: String { "no value came for \(interval)" }
}

extension Signal {
  /// Fails, or continues with another signal, when no value comes for a while: after the subscription, or after the value before.
  ///
  /// A value that comes exactly when the time is up is still in time. Values are delivered where this signal delivers them, but the failure and
  /// the fallback come from the scheduler: this is an operator with two inputs, not a hop. Put ``receive(on:fileID:line:function:)`` below it
  /// where the place matters.
  ///
  /// - Parameters:
  ///   - interval: How long it may be silent.
  ///   - scheduler: Measures the time, and delivers the failure.
  ///   - fallback: What to continue with; nil fails with ``TimeoutError``.
  @inlinable
  public func timeout(
    after interval: Duration, on scheduler: any Scheduler, fallback: Signal<Value>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("timeout", fileID, line, function)
    return Signal(site: site, recorder: recorder) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let state = SerialState((source: Int?.none, isLastCall: false, isOver: false))
      let timer = junction.timer(on: scheduler) { timer in
        // Once more at the same moment: what was scheduled for it after this timer is in time too.
        guard state.value.isLastCall else {
          state.value.isLastCall = true
          return timer.set(after: .zero)
        }
        state.value.isOver = true
        if let source = state.value.source { junction.drop(source) }
        guard let fallback else { return junction.end(.failed(TimeoutError(interval: interval))) }
        junction.connectInside(fallback) { value in
          try junction.emit(value)
        } end: { completion in
          junction.end(completion)
        }
      }
      junction.run {
        timer.set(after: interval)
        state.value.source = junction.connectInside(upstream, as: .data) { value in
          // It was on its way when the time was over.
          if state.value.isOver { return }
          state.value.isLastCall = false
          timer.set(after: interval)
          try junction.emit(value)
        } end: { completion in
          junction.end(completion)
        }
      }
    }
  }
}
