public import Synchronization

extension Signal {
  /// Delivers a value and then rests until a signal that was made for it says so; of the values of a rest the first, the last, both or none.
  ///
  /// A value that comes while nothing rests begins a rest: the closure makes a signal of it, whose first value ends the rest. At its leading edge, the
  /// value is delivered at once; at its trailing edge, the newest value that has not been delivered comes at the end, and begins a rest of its own.
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
  /// - **Errors:** an error that the closure throws fails the result, and so does a failure of a signal that it made. The value that is
  ///   waiting is dropped with every failure.
  /// - **Ends:** with this signal. If a value is waiting, both come together at the end of the rest. When a signal that the closure made finishes
  ///   without a value, the rest is over, the value that is waiting is dropped, and the next value begins anew.
  /// - **Order and threads:** a value of a leading edge comes where this signal delivers, one of a trailing edge where the signal delivers that was
  ///   waited for. Calls never overlap.
  /// - **Allocations:** each rest is a new subscription to the signal that is made for it; other values allocate nothing.
  /// - Parameters:
  ///   - edges: Which values of a rest are delivered. With none of them, only the end is.
  ///   - trigger: Makes the signal whose first value ends a rest, of the value that begins the rest.
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
  /// The key is that of the signal that ends the rest, while there is a rest.
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
    // Before the value is delivered: what the closure throws takes its place.
    let signal = try trigger(value)
    if isLeading {
      try junction.emit(value)
      // The handler may have left.
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
