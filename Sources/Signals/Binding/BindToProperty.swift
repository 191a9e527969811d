extension Signal {
  /// Writes each value into a property, as long as the property lives.
  ///
  /// ```text
  /// source    -a-b-c-|
  ///           source.bind(to: property)
  /// property  {x}a-b-c-
  /// ```
  ///
  /// ```swift
  /// let celsius = Property(21.5)
  /// let label = Property("")
  /// celsius.signal.map { "\($0) °C" }.bind(to: label)
  /// print(label.value)  // 21.5 °C
  /// ```
  ///
  /// The property is referenced weakly: the binding ends with it, as ``subscribe(with:fileID:line:function:_:)-67s1a``
  /// does with its owner. So the result need not be stored.
  ///
  /// A property that is bound to its own ``Property/signal`` ignores the binding: the result is disposed. Two or more
  /// properties bound to each other in a ring would write for ever: a debug build does not create the binding that
  /// closes such a ring, and reports it to ``UnhandledFailure/handler``. Other builds do not check for rings, and no
  /// build detects one with an operator in it. Use ``Property/bindTwoWay(with:fileID:line:function:)``, or a property
  /// in the ring that is created with ``Property/init(removingDuplicates:fileID:line:function:)``.
  ///
  /// - **Errors:** a failure goes to ``UnhandledFailure/handler``; the property keeps its value.
  /// - **Ends:** with this signal, or with the property.
  /// - **Order and threads:** values are written in the order of this signal, on the thread that delivers them.
  /// - **Allocations:** none for a value.
  /// - Parameter property: The property to write into.
  /// - Returns: The binding, to end it earlier.
  ///
  /// See also ``Property/follow(_:fileID:line:function:)-(Signal<Value>,_,_,_)``, the same as a method of the property.
  @inlinable
  @discardableResult
  public func bind(
    to property: Property<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    let site = SubscriptionSite(fileID, line, function)
    if closesRing(with: property, at: site) { return disposedSubscription() }
    return start(site, boundTo: property, isBinding: true, { $0.value = $1 }).retained()
  }

  /// Writes each value into a property of optional values; see ``bind(to:fileID:line:function:)-(Property<Value>,_,_,_)``.
  ///
  /// - Parameter property: The property to write into.
  /// - Returns: The binding, to end it earlier.
  @inlinable
  @discardableResult
  public func bind(
    to property: Property<Value?>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    start(SubscriptionSite(fileID, line, function), boundTo: property, isBinding: true, { $0.value = $1 })
      .retained()
  }
}
