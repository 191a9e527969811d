extension Signal {
  /// Delivers values on subscription, followed by all events of this signal.
  ///
  /// ![prepend, as a marble diagram](prepend)
  ///
  /// ```text
  /// source        -1-2-|
  ///               source.prepend(8, 9)
  /// result    {89}-1-2-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let status = Emitter<String>()
  /// status.signal
  ///   .prepend("starting")
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** the values are delivered inside subscribe, on the subscribing thread, before this signal
  ///   is subscribed to.
  /// - **Allocations:** none for a value.
  /// - Parameter values: The values to deliver first, in this order.
  ///
  /// See also ``prepend(contentsOf:fileID:line:function:)`` and ``concat(_:fileID:line:function:)-method``.
  @inlinable
  public func prepend(
    _ values: Value...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    prepend(contentsOf: values, fileID: fileID, line: line, function: function)
  }

  /// Delivers the elements of a sequence on subscription, followed by all events of this signal.
  ///
  /// Same as ``prepend(contentsOf:fileID:line:function:)`` without the label, unless the sequence is itself a value of
  /// this signal: then that one value is delivered.
  ///
  /// - Parameter values: The values to deliver first.
  @inlinable
  @_disfavoredOverload
  public func prepend<Values: Sequence & Sendable>(
    _ values: Values,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Values.Element == Value {
    prepend(contentsOf: values, fileID: fileID, line: line, function: function)
  }

  /// Delivers the elements of a sequence on subscription, followed by all events of this signal.
  ///
  /// Each subscription reads the sequence from the beginning, and only as far as the subscriber takes values.
  /// `a.prepend(2).prepend(1)` is one operator, at the location of the last call; so a long chain may be built one call
  /// at a time.
  ///
  /// ![prepend, as a marble diagram](prepend-contentsOf)
  ///
  /// ```text
  /// source         -1-2-|
  ///                source.prepend(contentsOf: 7...9)
  /// result    {789}-1-2-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let saved = ["draft 1", "draft 2"]
  /// let edits = Emitter<String>()
  /// edits.signal
  ///   .prepend(contentsOf: saved)
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** the values are delivered inside subscribe, on the subscribing thread, before this signal
  ///   is subscribed to.
  /// - **Allocations:** none for a value.
  /// - Parameter values: The values to deliver first, in this order.
  ///
  /// See also ``prepend(_:fileID:line:function:)-(Value...,_,_,_)`` and ``sequence(_:fileID:line:function:)``.
  @inlinable
  public func prepend<Values: Sequence & Sendable>(
    contentsOf values: Values,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Values.Element == Value {
    // Another sequence may run any code when it is read.
    let isArray = Values.self == [Value].self
    let site = Site(
      "prepend", behavior: isArray ? [.passesOn, .runsNoClosure] : .passesOn,
      fileID: fileID, line: line, function: function)
    // Not a signal to connect alone: it delivers, but never ends.
    let first = Signal(.hidden, derivedFrom: self) { downstream, subscription in
      if subscription.isDisposed { return }
      for value in values {
        do { try downstream.receive(value) } catch {
          return subscription.end(downstream, after: error)
        }
        // Before the next value is read, which may take for ever.
        if subscription.isDisposed { return }
      }
    }
    let row = SignalParts(.prepend, [first, self]) { row, downstream, subscription in
      let signals = row.flattened
      for first in signals.dropLast() {
        first.attach(downstream, subscription)
        if subscription.isDisposed { return }
      }
      signals.last?.connect(downstream, subscription)
    }
    return Signal(site, parts: row)
  }
}
