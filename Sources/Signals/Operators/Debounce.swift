extension Signal {
  /// Delivers a value once nothing has come for a while after it.
  ///
  /// ![debounce, as a marble diagram](debounce-for-on)
  ///
  /// ```text
  /// source   -a-b-----c-|
  ///          source.debounce(for: .milliseconds(3), on: scheduler)
  /// result   ------b----(c|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let keystrokes = Emitter<String>()
  /// keystrokes.signal
  ///   .debounce(for: .milliseconds(300), on: .main)
  ///   .subscribe { text in print("searching for \(text)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on without delay; the value that is waiting is dropped.
  /// - **Ends:** with this signal. The value that is waiting is delivered without further delay, and then the end (law 16).
  /// - **Order and threads:** everything is delivered on the scheduler, the end and a failure too (law 14). When a value comes at the very
  ///   moment at which the time is over, whichever comes first decides.
  /// - **Allocations:** none for a value, beside those of the scheduler.
  /// - Parameters:
  ///   - interval: How long it has to be quiet. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  ///
  /// See also ``debounce(fileID:line:function:by:)``, where a signal says how long, and
  /// ``throttle(for:on:latest:fileID:line:function:)``, which delivers also while values keep coming.
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
