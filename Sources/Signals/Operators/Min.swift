extension Signal {
  /// Delivers the smallest value at the end, by a custom order.
  ///
  /// Of several equally small values, the first one is delivered. Without a value, nothing is.
  ///
  /// ![min, as a marble diagram](min-by)
  ///
  /// ```text
  /// source   -4-1-3-|
  ///          source.min { abs($0 - 3) < abs($1 - 3) }
  /// result   -------(3|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let offers = Signal.sequence([(shop: "North", price: 12), (shop: "South", price: 9)])
  /// offers
  ///   .min { $0.price < $1.price }
  ///   .subscribe { offer in print("buy it at \(offer.shop)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result. After a failure no value is delivered.
  /// - **Ends:** with this signal, after the value.
  /// - **Order and threads:** the closure is called where this signal delivers a value; the result is delivered where
  ///   this signal finishes.
  /// - **Allocations:** none for a value. Each subscription stores the smallest one.
  /// - Parameter areInIncreasingOrder: Whether the first argument, the new value, is smaller than the second, the
  ///   smallest value so far.
  ///
  /// See also ``min(fileID:line:function:)`` for values that are `Comparable`, and ``max(fileID:line:function:by:)``.
  @inlinable
  public func min(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    best(Site("min", behavior: .emitsAtEnd, fileID: fileID, line: line, function: function)) {
      try areInIncreasingOrder($1, $0)
    }
  }

  /// Delivers at the regular end the value to which no later one is preferred.
  @inlinable
  func best(
    _ site: Site, isBetter: @escaping @Sendable (_ old: Value, _ new: Value) throws -> Bool
  ) -> Signal<Value> {
    lift(site, state: Value?.none) { best, value, _ in
      if let old = best, try !isBetter(old, value) { return }
      best = value
    } end: { best, completion, downstream in
      if case .finished = completion, let best { try downstream.send(best) }
    }
  }
}

extension Signal where Value: Comparable {
  /// Delivers the smallest value at the end.
  ///
  /// Of several equally small values, the first one is delivered. Without a value, nothing is.
  ///
  /// ![min, as a marble diagram](min)
  ///
  /// ```text
  /// source   -4-1-3-|
  ///          source.min()
  /// result   -------(1|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let temperatures = Signal.sequence([18.5, 21, 17])
  /// temperatures
  ///   .min()
  ///   .subscribe { coldest in print("at least \(coldest) degrees") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own. After a failure no value is delivered.
  /// - **Ends:** with this signal, after the value.
  /// - **Order and threads:** the value is delivered where this signal finishes.
  /// - **Allocations:** none for a value. Each subscription stores the smallest one.
  ///
  /// See also ``min(fileID:line:function:by:)``, ``max(fileID:line:function:)``, and ``scan(fileID:line:function:_:)``:
  /// `scan(min)` delivers the smallest value so far.
  @inlinable
  public func min(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    best(Site("min", behavior: [.runsNoClosure, .emitsAtEnd], fileID: fileID, line: line, function: function)) {
      old, new in new < old
    }
  }
}
