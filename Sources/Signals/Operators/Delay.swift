import DequeModule
import SignalGraph

extension Signal {
  /// Delivers each value, and the regular end, so much later; a failure at once.
  ///
  /// - Parameters:
  ///   - interval: How much later.
  ///   - scheduler: Whose time counts, and where values are delivered.
  public func delay(
    for interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site: Site("delay", fileID, line, function), recorder: recorder) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      // A queue beside the timers: they say when, it says what, so the order holds even if a scheduler's timers overtake each other.
      let waiting = SerialState(Deque<Value>())
      junction.connect(upstream, as: .hop) { value in
        waiting.value.append(value)
        junction.schedule(after: interval, on: scheduler) {
          if let value = waiting.value.popFirst() { try junction.emit(value) }
        }
      } end: { completion in
        if case .failed = completion { return junction.end(completion) }
        junction.schedule(after: interval, on: scheduler) {
          while let value = waiting.value.popFirst() { try junction.emit(value) }
          junction.end(.finished)
        }
      }
    }
  }
}
