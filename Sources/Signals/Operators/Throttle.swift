extension Signal {
  /// Delivers a value and then nothing for a while; with `latest`, the newest value that came meanwhile follows at the end of that time.
  ///
  /// Without `latest`, values that come too early are dropped. With it, a value that follows begins a new time of rest, and a signal that
  /// finishes while a value is waiting finishes together with that value, at the end of the time of rest. A failure drops a value that is waiting,
  /// and is delivered without delay. Everything is delivered on the scheduler, the first value, the end and a failure too (law 14).
  ///
  /// - Parameters:
  ///   - interval: The time of rest.
  ///   - latest: Whether the newest value of a time of rest is delivered at its end.
  ///   - scheduler: Measures the time, and delivers everything.
  @inlinable
  public func throttle(
    for interval: Duration, latest: Bool, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("throttle", fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let hop = Hop(to: junction, on: scheduler)
      let state = SerialState(Throttling<Value>())
      let timer = hop.timer { timer in
        state.value.isResting = false
        guard let value = state.value.waiting else { return }
        state.value.waiting = nil
        if !state.value.isFinished {
          state.value.isResting = true
          timer.set(after: interval)
        }
        hop.put(.value(value), by: timer)
        if state.value.isFinished { hop.put(.finished, by: timer) }
      }
      junction.connect(upstream, through: hop) { value in
        if state.value.isResting {
          if latest { state.value.waiting = value }
          return
        }
        state.value.isResting = true
        timer.set(after: interval)
        hop.send(.value(value))
      } end: { completion in
        state.value.isFinished = true
        if case .finished = completion, state.value.waiting != nil { return }
        state.value.waiting = nil
        timer.dispose()
        hop.send(Event(completion))
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
