import SignalGraph

extension Signal {
  /// Delivers a value once nothing has come for a while after it.
  ///
  /// When this signal finishes, the value that is waiting is delivered at once (law 16); when it fails, it is dropped.
  ///
  /// - Parameters:
  ///   - interval: How long it has to be quiet.
  ///   - scheduler: Whose time counts, and where delayed values are delivered.
  public func debounce(
    for interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site: Site("debounce", fileID, line, function), recorder: recorder) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let pending = SerialState((value: Value?.none, timer: Int?.none))
      junction.connect(upstream, as: .hop) { value in
        if let timer = pending.value.timer { junction.drop(timer) }
        pending.value.value = value
        pending.value.timer = junction.schedule(after: interval, on: scheduler) {
          guard let value = pending.value.value else { return }
          pending.value = (nil, nil)
          try junction.emit(value)
        }
      } end: { completion in
        if case .finished = completion, let value = pending.value.value {
          junction.attempt { try junction.emit(value) }
        }
        junction.end(completion)
      }
    }
  }
}
