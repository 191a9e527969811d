import SignalGraph

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
  public func throttle(
    for interval: Duration, latest: Bool, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site: Site("throttle", fileID, line, function), recorder: recorder) { downstream, subscription in
      let throttle = Throttle(
        interval: interval, latest: latest, scheduler: scheduler, junction: Junction(downstream, subscription))
      throttle.junction.connect(upstream, as: latest ? .hop : .data) { value in
        try throttle.take(value)
      } end: { completion in
        throttle.upstreamEnded(completion)
      }
    }
  }
}

private struct Throttle<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var isResting = false
    var waiting: Value?
    var isFinished = false
  }

  let interval: Duration
  let latest: Bool
  let scheduler: any Scheduler
  let junction: Junction<Value>
  private let state = SerialState(State())

  init(interval: Duration, latest: Bool, scheduler: any Scheduler, junction: Junction<Value>) {
    self.interval = interval
    self.latest = latest
    self.scheduler = scheduler
    self.junction = junction
  }

  func take(_ value: Value) throws {
    if state.value.isResting {
      if latest { state.value.waiting = value }
    } else {
      rest()
      try junction.emit(value)
    }
  }

  private func rest() {
    state.value.isResting = true
    junction.schedule(after: interval, on: scheduler) {
      state.value.isResting = false
      guard let value = state.value.waiting else { return }
      state.value.waiting = nil
      if !state.value.isFinished { rest() }
      try junction.emit(value)
      if state.value.isFinished { junction.end(.finished) }
    }
  }

  func upstreamEnded(_ completion: Completion) {
    state.value.isFinished = true
    if case .finished = completion, state.value.waiting != nil { return }
    junction.end(completion)
  }
}
