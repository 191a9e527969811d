public import Synchronization

extension Signal {
  /// Delivers a value and then pauses until a signal created for it delivers; of the values of a pause, the first, the
  /// last, both or none.
  ///
  /// A value outside a pause starts one: the closure maps the value to a signal, whose first value ends the pause. At
  /// the leading edge, the value is delivered at once; at the trailing edge, the newest undelivered value is delivered,
  /// and starts another pause.
  ///
  /// ![throttle, as a marble diagram](throttle-edges-by)
  ///
  /// ```text
  /// source            -ab------c---|
  /// other             ---x
  ///                   source.throttle(by: { _ in other })
  /// result            -a-------c---|
  /// other subscribed  -^--!
  /// other subscribed  ---------^--!
  ///
  ///                   source.throttle(edges: [.leading, .trailing], by: { _ in other })
  /// result            -a--b----c---|
  /// other subscribed  -^--!
  /// other subscribed  ----^--!
  /// other subscribed  ---------^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let positions = Emitter<Double>()
  /// let frames = Emitter<Void>()
  /// positions.signal
  ///   .throttle(edges: [.leading, .trailing], by: { _ in frames.signal })
  ///   .subscribe { position in print("drawing at \(position)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result, and so does a failure of a signal that it
  ///   created. The waiting value is dropped with every failure.
  /// - **Ends:** with this signal. If a value is waiting, both are delivered together at the end of the pause. When a
  ///   signal that the closure created finishes without a value, the pause is over, the waiting value is dropped, and
  ///   the next value starts another pause.
  /// - **Order and threads:** a value of a leading edge is delivered where this signal delivers, one of a trailing edge
  ///   where the awaited signal delivers. Calls never overlap.
  /// - **Allocations:** each pause is a new subscription to its signal; other values allocate nothing.
  /// - Parameters:
  ///   - edges: The values of a pause to deliver. With none of them, only the end is delivered.
  ///   - trigger: Creates, from the value that starts a pause, the signal whose first value ends it.
  ///
  /// See also ``throttle(for:on:edges:fileID:line:function:)``, ``audit(fileID:line:function:by:)`` and
  /// ``debounce(fileID:line:function:by:)``.
  @inlinable
  public func throttle<Trigger>(
    edges: ThrottleEdges = .leading,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by trigger: @escaping @Sendable (Value) throws -> Signal<Trigger>
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("throttle(by:)", behavior: .settles, fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let throttling = TriggeredThrottling(junction, edges, trigger)
      junction.connect(upstream) { value in
        try throttling.take(value)
      } end: { completion in
        throttling.inputEnded(completion)
      }
    }
  }
}

/// One subscription to a signal that another one throttles. Everything runs inside the junction's gate.
@usableFromInline
final class TriggeredThrottling<Value: Sendable, Trigger: Sendable>: Sendable {
  @usableFromInline let junction: Junction<Value>
  @usableFromInline let isLeading: Bool
  @usableFromInline let isTrailing: Bool
  @usableFromInline let trigger: @Sendable (Value) throws -> Signal<Trigger>
  /// The key is that of the signal that ends the pause, while there is one.
  @usableFromInline let state = SerialState(TriggeredValue<Value>())

  @inlinable
  init(
    _ junction: Junction<Value>, _ edges: ThrottleEdges,
    _ trigger: @escaping @Sendable (Value) throws -> Signal<Trigger>
  ) {
    self.junction = junction
    isLeading = edges.contains(.leading)
    isTrailing = edges.contains(.trailing)
    self.trigger = trigger
  }

  @inlinable
  func take(_ value: Value) throws {
    if state.value.key != nil {
      if isTrailing { state.value.waiting = value }
      return
    }
    // Before the value is delivered: an error that the closure throws takes its place.
    let signal = try trigger(value)
    if isLeading {
      try junction.emit(value)
      // The handler may have unsubscribed.
      if junction.isClosed.load(ordering: .relaxed) { return }
    } else if isTrailing {
      state.value.waiting = value
    }
    rest(until: signal)
  }

  @inlinable
  func rest(until signal: Signal<Trigger>) {
    let key = junction.reserveKey()
    state.value.key = key
    junction.connectTrigger(signal, key: key) { [self] in
      state.value.key = nil
      guard let value = state.value.takeWaiting() else { return }
      if state.value.isFinished {
        try junction.emit(value)
        return junction.end(.finished)
      }
      let signal = try trigger(value)
      try junction.emit(value)
      if !junction.isClosed.load(ordering: .relaxed) { rest(until: signal) }
    } end: { [self] completion in
      state.value.key = nil
      state.value.waiting = nil
      if case .failed = completion { return junction.end(completion) }
      if state.value.isFinished { junction.end(.finished) }
    }
  }

  @usableFromInline
  func inputEnded(_ completion: Completion) {
    state.value.isFinished = true
    if case .finished = completion, state.value.waiting != nil { return }
    junction.end(completion)
  }
}
