public import Signals

extension MarbleTest {
  /// Watches a property and expects what the diagram says; `{ }` is the value that it has when the test starts.
  ///
  /// ```swift
  /// @Test func countsDown() {
  ///   marbles { m in
  ///     let seconds = Property(2)
  ///     m.at(.milliseconds(3)) { seconds.value = 1 }
  ///     m.at(.milliseconds(6)) { seconds.value = 0 }
  ///     m.expect(seconds, "{2}---1--0")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property under test: a `Property` or a `ReadOnlyProperty`.
  ///   - diagram: What a subscriber sees. A property that goes away finishes.
  ///   - subscription: When to subscribe (`^`, by default at the start) and to unsubscribe (`!`, by default never).
  ///   - tolerance: How far the time of an event may be from the expected one.
  public func expect<Watched: ReadableProperty>(
    _ property: Watched, _ diagram: String, subscription: String? = nil, tolerance: Duration = .zero,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Watched.Value: Equatable & LosslessStringConvertible {
    expect(
      property.signal, diagram, subscription: subscription, tolerance: tolerance, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// Watches a property and expects what the diagram says, whose keys stand for values of any type.
  ///
  /// - Parameters:
  ///   - property: The property under test: a `Property` or a `ReadOnlyProperty`.
  ///   - diagram: What a subscriber sees. A property that goes away finishes.
  ///   - values: What the keys of the diagram stand for; each has to be used.
  ///   - subscription: When to subscribe (`^`, by default at the start) and to unsubscribe (`!`, by default never).
  ///   - tolerance: How far the time of an event may be from the expected one.
  public func expect<Watched: ReadableProperty>(
    _ property: Watched, _ diagram: String, values: [String: Watched.Value], subscription: String? = nil,
    tolerance: Duration = .zero,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Watched.Value: Equatable {
    expect(
      property.signal, diagram, values: values, subscription: subscription, tolerance: tolerance, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
}
