extension Signal {
  /// Makes a signal of each value and delivers the values of the newest one only; the one before it is disposed.
  ///
  /// Finishes when this signal and the newest inner one have finished; fails with the first failure of either, or when the closure throws.
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
