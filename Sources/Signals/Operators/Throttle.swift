public import SignalGraph

extension Signal {
  /// Delivers a value and then nothing for a while; with `latest`, the newest value that came meanwhile follows at the end of that time.
  ///
  /// Without `latest`, values that come too early are dropped. With it, a value that follows begins a new time of rest, and a signal that
  /// finishes while a value is waiting finishes together with that value, at the end of the time of rest. A failure is delivered at once.
  ///
  /// - Parameters:
  ///   - interval: The time of rest.
  ///   - latest: Whether the newest value of a time of rest is delivered at its end.
  ///   - scheduler: Whose time counts, and where delayed values are delivered.
  @inlinable
  public func throttle(
    for interval: Duration, latest: Bool, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("throttle", fileID, line, function)
    return Signal(site: site, recorder: recorder) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let state = SerialState(Throttling<Value>())
      let timer = junction.timer(on: scheduler) { timer in
        state.value.isResting = false
        guard let value = state.value.waiting else { return }
        state.value.waiting = nil
        if !state.value.isFinished {
          state.value.isResting = true
          timer.set(after: interval)
        }
        try junction.emit(value)
        if state.value.isFinished { junction.end(.finished) }
      }
      junction.connect(upstream, as: latest ? .hop : .data) { value in
        if state.value.isResting {
          if latest { state.value.waiting = value }
          return
        }
        state.value.isResting = true
        timer.set(after: interval)
        try junction.emit(value)
      } end: { completion in
        state.value.isFinished = true
        if case .finished = completion, state.value.waiting != nil { return }
        junction.end(completion)
      }
    }
  }
}

/// What one subscription to a throttled signal remembers.
@usableFromInline
struct Throttling<Value: Sendable>: Sendable {
  @usableFromInline var isResting = false
  /// The newest value of the time of rest.
  @usableFromInline var waiting: Value?
  @usableFromInline var isFinished = false

  @inlinable
  init() {}
}
