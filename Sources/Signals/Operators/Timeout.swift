import SignalGraph

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
  /// A value that comes at the very moment is in time.
  ///
  /// - Parameters:
  ///   - interval: How long it may be silent.
  ///   - scheduler: Whose time counts, and where the failure is delivered.
  ///   - fallback: What to continue with; nil fails with ``TimeoutError``.
  public func timeout(
    after interval: Duration, on scheduler: any Scheduler, fallback: Signal<Value>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site: Site("timeout", fileID, line, function), recorder: recorder) { downstream, subscription in
      let timeout = Timeout(
        interval: interval, scheduler: scheduler, fallback: fallback, junction: Junction(downstream, subscription))
      timeout.begin(upstream)
    }
  }
}

private struct Timeout<Value: Sendable>: Sendable {
  let interval: Duration
  let scheduler: any Scheduler
  let fallback: Signal<Value>?
  let junction: Junction<Value>
  private let state = SerialState((source: Int?.none, timer: Int?.none))

  init(interval: Duration, scheduler: any Scheduler, fallback: Signal<Value>?, junction: Junction<Value>) {
    self.interval = interval
    self.scheduler = scheduler
    self.fallback = fallback
    self.junction = junction
  }

  func begin(_ upstream: Signal<Value>) {
    junction.run {
      arm()
      state.value.source = junction.connectInside(upstream, as: .data) { value in
        arm()
        try junction.emit(value)
      } end: { completion in
        junction.end(completion)
      }
    }
  }

  private func arm() {
    if let timer = state.value.timer { junction.drop(timer) }
    state.value.timer = junction.schedule(after: interval, on: scheduler) {
      // Once more at the same moment: what was scheduled for it after this timer is in time too.
      state.value.timer = junction.schedule(after: .zero, on: scheduler) { expire() }
    }
  }

  private func expire() {
    state.value.timer = nil
    if let source = state.value.source { junction.drop(source) }
    guard let fallback else { return junction.end(.failed(TimeoutError(interval: interval))) }
    junction.connectInside(fallback) { value in
      try junction.emit(value)
    } end: { completion in
      junction.end(completion)
    }
  }
}
