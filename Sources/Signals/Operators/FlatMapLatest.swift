extension Signal {
  /// Makes a signal of each value, and delivers the values of the newest one only; the one before it is left.
  ///
  /// ![flatMapLatest, as a marble diagram](flatMapLatest)
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
  /// - **Allocations:** none for a value whose signal is a ``just(_:fileID:line:function:)``. Any other inner signal takes one heap
  ///   block for its subscription, beside what it takes itself.
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
      let state = LatestState(Junction(downstream, subscription))
      let junction = state.junction
      junction.connect(upstream) { value in
        let inner = try transform(value)
        if let key = state.value.key { junction.drop(key) }
        state.value.key = nil
        if let output = junction.onlyValue(of: inner) { return try junction.emit(output) }
        let key = junction.reserveKey()
        state.value.key = key
        // What has been dropped delivers nothing more, and does not end here either.
        junction.connectInside(inner, key: key) { value in
          try junction.emit(value)
        } end: { completion in
          state.innerEnded(completion)
        }
      } end: { completion in
        state.outerEnded(completion)
      }
    }
  }
}

/// The newest inner signal of one subscription.
@usableFromInline
struct LatestInner: Sendable {
  /// Nil when it has ended, and when there has been none.
  @usableFromInline var key: Int?
  @usableFromInline var isOuterFinished = false

  @inlinable
  init() {}
}

/// What one subscription keeps. One object, so that a closure of an inner signal needs no memory.
@usableFromInline
final class LatestState<Output: Sendable>: SerialState<LatestInner>, @unchecked Sendable {
  // Safe: as in the superclass; the junction is constant.
  @usableFromInline let junction: Junction<Output>

  @inlinable
  init(_ junction: Junction<Output>) {
    self.junction = junction
    super.init(LatestInner())
  }

  @usableFromInline
  func innerEnded(_ completion: Completion) {
    value.key = nil
    if case .failed = completion { return junction.end(completion) }
    if value.isOuterFinished { junction.end(.finished) }
  }

  @usableFromInline
  func outerEnded(_ completion: Completion) {
    value.isOuterFinished = true
    if case .failed = completion { return junction.end(completion) }
    if value.key == nil { junction.end(.finished) }
  }
}
