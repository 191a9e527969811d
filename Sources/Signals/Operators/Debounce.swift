extension Signal {
  /// Delivers a value once nothing has come for a while after it.
  ///
  /// When this signal finishes, the value that is waiting is delivered without further delay, and then the end (law 16); when it fails, that
  /// value is dropped. Everything is delivered on the scheduler, the end and a failure too (law 14).
  ///
  /// - Parameters:
  ///   - interval: How long it has to be quiet.
  ///   - scheduler: Measures the time, and delivers everything.
  @inlinable
  public func debounce(
    for interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("debounce", fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let hop = Hop(to: junction, on: scheduler)
      let waiting = SerialState(Value?.none)
      let timer = hop.timer { timer in
        guard let value = waiting.value else { return }
        waiting.value = nil
        hop.put(.value(value), by: timer)
      }
      junction.connect(upstream, through: hop) { value in
        waiting.value = value
        timer.set(after: interval)
      } end: { completion in
        timer.dispose()
        let value = waiting.value
        waiting.value = nil
        if case .finished = completion, let value { hop.send(.value(value)) }
        hop.send(Event(completion))
      }
    }
  }
}
