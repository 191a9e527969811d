public import SignalGraph

extension Signal {
  /// Delivers a value once nothing has come for a while after it.
  ///
  /// When this signal finishes, the value that is waiting is delivered at once (law 16); when it fails, it is dropped.
  ///
  /// - Parameters:
  ///   - interval: How long it has to be quiet.
  ///   - scheduler: Whose time counts, and where delayed values are delivered.
  @inlinable
  public func debounce(
    for interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("debounce", fileID, line, function)
    return Signal(site: site, recorder: recorder) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let waiting = SerialState(Value?.none)
      let timer = junction.timer(on: scheduler) { _ in
        guard let value = waiting.value else { return }
        waiting.value = nil
        try junction.emit(value)
      }
      junction.connect(upstream, as: .hop) { value in
        waiting.value = value
        timer.set(after: interval)
      } end: { completion in
        if case .finished = completion, let value = waiting.value {
          junction.attempt { try junction.emit(value) }
        }
        junction.end(completion)
      }
    }
  }
}
