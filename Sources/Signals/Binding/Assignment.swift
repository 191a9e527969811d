infix operator <<< : AssignmentPrecedence

extension Property {
  /// Writes a value into a property: `title <<< "Welcome"` is `title.value = "Welcome"`.
  ///
  /// ```swift
  /// let title = Property("")
  /// title <<< "Welcome"
  /// print(title.value)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - value: Its new value.
  @inlinable
  public static func <<< (property: Property<Value>, value: Value) {
    property.value = value
  }
}
