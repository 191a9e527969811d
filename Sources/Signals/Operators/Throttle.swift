extension Signal {
  /// Delivers a value and then pauses; with `latest`, the newest value of the pause is delivered at its end.
  ///
  /// Without `latest`, values during a pause are dropped. With it, the value delivered at the end of a pause starts
  /// another one.
  ///
  /// ![throttle, as a marble diagram](throttle-for-on-latest)
  ///
  /// ```text
  /// source   -ab--c---|
  ///          source.throttle(for: .milliseconds(3), on: scheduler, latest: false)
  /// result   -a---c---|
  ///
  ///          source.throttle(for: .milliseconds(3), on: scheduler, latest: true)
  /// result   -a--b--c-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let progress = Property(0.0)
  /// progress.signal
  ///   .throttle(for: .milliseconds(100), on: .main, latest: true)
  ///   .subscribe { fraction in print("\(Int(fraction * 100)) %") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on without delay; the waiting value is dropped.
  /// - **Ends:** with this signal. If a value is waiting, both are delivered together at the end of the pause.
  /// - **Order and threads:** everything is delivered on the scheduler, the first value, the end and a failure too (law 14).
  /// - **Allocations:** none for a value, except those of the scheduler.
  /// - Parameters:
  ///   - interval: The length of a pause. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  ///   - latest: Whether the newest value of a pause is delivered at its end.
  ///
  /// See also ``throttle(for:on:edges:fileID:line:function:)``, which can drop the first value too, and
  /// ``debounce(for:on:fileID:line:function:)``, which waits until no more values come.
  @inlinable
  public func throttle(
    for interval: Duration, on scheduler: any Scheduler, latest: Bool,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    throttled(
      Site(
        "throttle", behavior: [.runsNoClosure, .settles, .limitsRate], fileID: fileID, line: line, function: function),
      for: interval, on: scheduler,
      edges: latest ? [.leading, .trailing] : .leading)
  }

  @inlinable
  func throttled(
    _ site: Site, for interval: Duration, on scheduler: any Scheduler, edges: ThrottleEdges
  ) -> Signal<Value> {
    let upstream = self
    let (isLeading, isTrailing) = (edges.contains(.leading), edges.contains(.trailing))
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let hop = Hop(to: junction, on: scheduler, interval: interval)
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
          if isTrailing { state.value.waiting = value }
          return
        }
        state.value.isResting = true
        timer.set(after: interval)
        if isLeading { hop.send(.value(value)) } else if isTrailing { state.value.waiting = value }
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

/// The state of one subscription to a throttled signal.
@usableFromInline
struct Throttling<Value: Sendable>: Sendable {
  @usableFromInline var isResting = false
  /// The newest value of the pause.
  @usableFromInline var waiting: Value?
  @usableFromInline var isFinished = false

  @inlinable
  init() {}
}
