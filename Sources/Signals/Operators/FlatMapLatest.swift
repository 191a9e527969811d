extension Signal {
  /// Makes a signal of each value, and delivers the values of the newest one only; the one before it is left.
  ///
  /// ```text
  /// source        -a---b----|
  /// a             -1-2-3|
  /// b             -8-9|
  ///               source.flatMapLatest { $0 == "a" ? a : b }
  /// result        --1-2-8-9-|
  /// a subscribed  -^---!
  /// b subscribed  -----^---!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let query = Property("marble")
  /// query.signal
  ///   .flatMapLatest { text in
  ///     Signal.timer(after: .seconds(1), on: .main).map { "results for \(text)" }
  ///   }
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// query.value = "marbles"
  /// ```
  ///
  /// - **Errors:** fails with the first failure of this signal or of the newest inner one, and when the closure throws.
  /// - **Ends:** when this signal and the newest inner one have finished.
  /// - **Order and threads:** a value comes where the inner signal delivers it, one at a time. After a newer value has come, none of an
  ///   older inner signal is delivered, whatever its thread.
  /// - **Allocations:** none for a value whose signal is a ``just(_:fileID:line:function:)``. Any other inner signal is a subscription of
  ///   its own.
  /// - Parameter transform: Makes the inner signal of a value. Only when it has returned is the inner signal before it left.
  ///
  /// See also ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)`` and ``debounce(for:on:fileID:line:function:)``.
  @inlinable
  public func flatMapLatest<Output: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Signal<Output>
  ) -> Signal<Output> {
    let upstream = self
    let site = Site("flatMapLatest", fileID: fileID, line: line, function: function)
    return Signal<Output>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let state = SerialState(LatestInner())
      junction.connect(upstream) { value in
        let inner = try transform(value)
        if let key = state.value.key { junction.drop(key) }
        state.value.number += 1
        if let output = junction.onlyValue(of: inner) {
          state.value.isActive = false
          state.value.key = nil
          return try junction.emit(output)
        }
        let number = state.value.number
        state.value.isActive = true
        let key = junction.connectInside(inner) { value in
          // A superseded signal may be in the middle of a value on another thread.
          if state.value.number == number { try junction.emit(value) }
        } end: { completion in
          guard state.value.number == number else { return }
          state.value.isActive = false
          state.value.key = nil
          if case .failed = completion { return junction.end(completion) }
          if state.value.isOuterFinished { junction.end(.finished) }
        }
        if state.value.isActive, state.value.number == number { state.value.key = key }
      } end: { completion in
        state.value.isOuterFinished = true
        if case .failed = completion { return junction.end(completion) }
        if !state.value.isActive { junction.end(.finished) }
      }
    }
  }
}

/// The newest inner signal of one subscription.
@usableFromInline
struct LatestInner: Sendable {
  @usableFromInline var number = 0
  @usableFromInline var key: Int?
  @usableFromInline var isActive = false
  @usableFromInline var isOuterFinished = false

  @inlinable
  init() {}
}
