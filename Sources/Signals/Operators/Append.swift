extension Signal {
  /// Delivers all events of this signal, with further values before its regular end.
  ///
  /// ![append, as a marble diagram](append)
  ///
  /// ```text
  /// source   -1-2-|
  ///          source.append(8, 9)
  /// result   -1-2-(89|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let progress = Signal.sequence(["10 %", "60 %"])
  /// progress
  ///   .append("done")
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own. After a failure the values are not delivered.
  /// - **Ends:** after the last of the values.
  /// - **Order and threads:** the values are delivered where this signal finishes.
  /// - **Allocations:** none for a value.
  /// - Parameter values: The values to deliver last, in this order.
  ///
  /// See also ``append(contentsOf:fileID:line:function:)``, ``prepend(_:fileID:line:function:)-(Value...,_,_,_)``, and
  /// ``concat(_:fileID:line:function:)-method``, which continues with other signals.
  @inlinable
  public func append(
    _ values: Value...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    append(contentsOf: values, fileID: fileID, line: line, function: function)
  }

  /// Delivers all events of this signal, with the elements of a sequence before its regular end.
  ///
  /// Same as ``append(contentsOf:fileID:line:function:)`` without the label, unless the sequence is itself a value of
  /// this signal: then that one value is delivered.
  ///
  /// - Parameter values: The values to deliver last.
  @inlinable
  @_disfavoredOverload
  public func append<Values: Sequence & Sendable>(
    _ values: Values,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Values.Element == Value {
    append(contentsOf: values, fileID: fileID, line: line, function: function)
  }

  /// Delivers all events of this signal, with the elements of a sequence before its regular end.
  ///
  /// Each subscription reads the sequence from the beginning, and only as far as the subscriber takes values.
  /// `a.append(1).append(2)` is one operator, at the location of the last call; so a long chain may be built one call
  /// at a time.
  ///
  /// ![append, as a marble diagram](append-contentsOf)
  ///
  /// ```text
  /// source   -1-2-|
  ///          source.append(contentsOf: 7...9)
  /// result   -1-2-(789|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let results = Signal.sequence(["tea", "milk"])
  /// let suggestions = ["coffee", "water"]
  /// results
  ///   .append(contentsOf: suggestions)
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own. After a failure the elements are not delivered.
  /// - **Ends:** after the last element.
  /// - **Order and threads:** the elements are delivered where this signal finishes.
  /// - **Allocations:** none for a value.
  /// - Parameter values: The values to deliver last, in this order.
  ///
  /// See also ``append(_:fileID:line:function:)-(Value...,_,_,_)`` and ``prepend(contentsOf:fileID:line:function:)``.
  @inlinable
  public func append<Values: Sequence & Sendable>(
    contentsOf values: Values,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Values.Element == Value {
    let last = Signal.sequence(values, fileID: fileID, line: line, function: function)
    return Signal.row(Site("append", fileID: fileID, line: line, function: function), [self, last])
  }
}
