extension Signal {
  /// Maps each value to a signal, and delivers the values of the newest one only; the previous one is unsubscribed.
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
  /// - **Errors:** fails with the first failure of this signal or of the newest inner one, and if the closure throws.
  /// - **Ends:** when this signal and the newest inner one have finished.
  /// - **Order and threads:** a value is delivered where the inner signal delivers it, one at a time. After a newer
  ///   value has come, no value of an older inner signal is delivered, whatever its thread.
  /// - **Allocations:** none for a value whose signal is a ``just(_:fileID:line:function:)``. Any other inner signal
  ///   takes one heap allocation for its subscription, plus its own.
  /// - Parameter transform: Returns the inner signal for a value. The previous inner signal is unsubscribed only after
  ///   it has returned.
  ///
  /// See also ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)`` and ``debounce(for:on:fileID:line:function:)``.
  @inlinable
  public func flatMapLatest<Output: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Signal<Output>
  ) -> Signal<Output> {
    let upstream = self
    let site = Site(
      "flatMapLatest", behavior: [.runsInner, .replacesInner], fileID: fileID, line: line, function: function)
    return Signal<Output>(site, derivedFrom: self) { downstream, subscription in
      let junction = LatestJunction(downstream, subscription)
      junction.connect(upstream) { value in
        try junction.take(transform(value))
      } end: { completion in
        junction.outerEnded(completion)
      }
    }
  }
}

// Safe: touched only inside the gate. Unchecked exclusivity: nothing is called while one of the two is changed.
@usableFromInline
final class LatestJunction<Output: Sendable>: Flattening<Output>, @unchecked Sendable {
  /// The key of the newest inner signal; 0 when it has ended, and when there has been none.
  @exclusivity(unchecked) @usableFromInline var newest = 0
  @exclusivity(unchecked) @usableFromInline var isOuterFinished = false

  @inlinable
  init(_ observer: Observer<Output>, _ subscription: Subscription) {
    super.init(observer, subscription) { junction, _, completion in
      // Safe: each junction creates this closure for itself.
      unsafeDowncast(junction, to: LatestJunction<Output>.self).innerEnded(completion)
    }
  }

  @inlinable
  @inline(__always)
  func take(_ inner: Signal<Output>) throws {
    let old = newest
    if let output = onlyValue(of: inner) {
      newest = 0
      if old != 0 { drop(old) }
      return try emit(output)
    }
    let key = reserveInnerKey()
    newest = key
    // A dropped inner signal delivers nothing more, and does not end here either.
    connectInner(inner, key: key, dropping: old)
  }

  @inlinable
  func innerEnded(_ completion: Completion) {
    newest = 0
    if case .failed = completion { return end(completion) }
    if isOuterFinished { end(.finished) }
  }

  @inlinable
  func outerEnded(_ completion: Completion) {
    isOuterFinished = true
    if case .failed = completion { return end(completion) }
    if newest == 0 { end(.finished) }
  }
}
