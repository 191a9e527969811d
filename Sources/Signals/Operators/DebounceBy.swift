extension Signal {
  /// Delivers a value once a signal created for it delivers, unless another value comes before that.
  ///
  /// The closure maps each value to a signal, whose first value releases the value. A newer value unsubscribes from the
  /// previous signal and drops the previous value.
  ///
  /// ![debounce, as a marble diagram](debounce-by)
  ///
  /// ```text
  /// source            -a----bc----d-ef----|
  /// other             ---x
  ///                   source.debounce(by: { _ in other })
  /// result            ----a-----c-------f-|
  /// other subscribed  -^--!
  /// other subscribed  ------^!
  /// other subscribed  -------^--!
  /// other subscribed  ------------^-!
  /// other subscribed  --------------^!
  /// other subscribed  ---------------^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let keystrokes = Emitter<String>()
  /// keystrokes.signal
  ///   .debounce(by: { text in .timer(after: text.count < 3 ? .seconds(1) : .milliseconds(200), on: .main) })
  ///   .subscribe { text in print("searching for \(text)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result, and so does a failure of a signal that it
  ///   created. The waiting value is dropped with every failure.
  /// - **Ends:** with this signal. The waiting value is delivered first (law 16). When a signal that the closure
  ///   created finishes without a value, nothing happens: the value waits for the end or for the next value.
  /// - **Order and threads:** a value is delivered where its signal delivers, and at the end where this signal
  ///   finishes. Calls never overlap.
  /// - **Allocations:** each value is a new subscription to the signal created for it.
  /// - Parameter trigger: Creates the signal whose first value releases a value.
  ///
  /// See also ``debounce(for:on:fileID:line:function:)`` and ``audit(fileID:line:function:by:)``.
  @inlinable
  public func debounce<Trigger>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by trigger: @escaping @Sendable (Value) throws -> Signal<Trigger>
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "debounce(by:)", behavior: [.waitsForPause, .settles], fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let state = SerialState(TriggeredValue<Value>())
      junction.connect(upstream) { value in
        if let key = state.value.takeKey() { junction.drop(key) }
        state.value.waiting = value
        let signal = try trigger(value)
        let key = junction.reserveKey()
        state.value.key = key
        junction.connectTrigger(signal, key: key) {
          state.value.key = nil
          if let value = state.value.takeWaiting() { try junction.emit(value) }
        } end: { completion in
          state.value.key = nil
          if case .failed = completion { junction.end(completion) }
        }
      } end: { completion in
        if case .finished = completion, let value = state.value.takeWaiting() {
          junction.attempt { try junction.emit(value) }
        }
        junction.end(completion)
      }
    }
  }
}

/// The state of one subscription to a signal debounced by others.
@usableFromInline
struct TriggeredValue<Value: Sendable>: Sendable {
  @usableFromInline var waiting: Value?
  /// The awaited signal.
  @usableFromInline var key: Int?
  @usableFromInline var isFinished = false

  @inlinable
  init() {}

  @inlinable
  mutating func takeWaiting() -> Value? {
    defer { waiting = nil }
    return waiting
  }

  @inlinable
  mutating func takeKey() -> Int? {
    defer { key = nil }
    return key
  }
}
