extension Property {
  /// Takes each value of a signal, until this property is deallocated.
  ///
  /// ```swift
  /// let isLoading = Emitter<Bool>()
  /// let showsSpinner = Property(false)
  /// showsSpinner.follow(isLoading.signal)
  /// isLoading.send(true)
  /// print(showsSpinner.value)  // true
  /// ```
  ///
  /// Same as ``Signal/bind(to:fileID:line:function:)-(Property<Value>,_,_,_)``, as a method of the property.
  ///
  /// - Parameter signal: The signal to follow. A property may follow several.
  /// - Returns: The binding, to end it earlier.
  @inlinable
  @discardableResult
  public func follow(
    _ signal: Signal<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    signal.bind(to: self, fileID: fileID, line: line, function: function)
  }

  /// Takes the value of another property now, and each change of it, until one of the two is deallocated.
  ///
  /// ```swift
  /// let isLoading = Property(true)
  /// let showsSpinner = Property(false)
  /// showsSpinner.follow(isLoading)
  /// print(showsSpinner.value)  // true
  /// ```
  ///
  /// A value written into this property itself stays until the other one changes. Neither retains the other. A property
  /// that follows itself ignores that; of two that follow each other a debug build reports the second one, see
  /// ``Signal/bind(to:fileID:line:function:)-(Property<Value>,_,_,_)``.
  ///
  /// - Parameter other: The property to follow.
  /// - Returns: The binding, to end it earlier.
  ///
  /// See also ``bindTwoWay(with:fileID:line:function:)``.
  @inlinable
  @discardableResult
  public func follow(
    _ other: some ReadableProperty<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    other.signal.bind(to: self, fileID: fileID, line: line, function: function)
  }
}
