extension Signal {
  /// Delivers a value once a signal that was made for it says so, unless another value comes before that.
  ///
  /// The closure makes a signal of each value. Its first value lets the value pass that it was made for. A newer value leaves the signal of the
  /// one before, and that value is dropped.
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
  /// - **Errors:** an error that the closure throws fails the result, and so does a failure of a signal that it made. The value that is
  ///   waiting is dropped with every failure.
  /// - **Ends:** with this signal. The value that is waiting is delivered first (law 16). When a signal that the closure made finishes without a
  ///   value, nothing happens: the value goes on waiting, for the end or for the next value.
  /// - **Order and threads:** a value comes where its signal delivers, and at the end where this signal finishes. Calls never overlap.
  /// - **Allocations:** each value is a new subscription to the signal that is made for it.
  /// - Parameter trigger: Makes the signal whose first value lets a value pass.
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

/// What one subscription remembers to a signal whose values wait for others.
@usableFromInline
struct TriggeredValue<Value: Sendable>: Sendable {
  @usableFromInline var waiting: Value?
  /// The signal that is waited for.
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
