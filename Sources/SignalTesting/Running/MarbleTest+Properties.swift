public import Signals

extension MarbleTest {
  /// Observes a property and expects the events of a diagram; `{ }` is its value at the start of the test.
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
  ///   - diagram: The expected events. Deallocating a property finishes it.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  ///   - tolerance: The maximum difference between the actual and the expected time of an event.
  public func expect<Watched: ReadableProperty>(
    _ property: Watched, _ diagram: String, subscription: String? = nil, tolerance: Duration = .zero,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Watched.Value: Equatable & LosslessStringConvertible {
    expect(
      property.signal, diagram, subscription: subscription, tolerance: tolerance, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// Observes a property and expects the events of a diagram whose keys are values of any type.
  ///
  /// - Parameters:
  ///   - property: The property under test: a `Property` or a `ReadOnlyProperty`.
  ///   - diagram: The expected events. Deallocating a property finishes it.
  ///   - values: The values of the diagram's keys; each has to be used.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  ///   - tolerance: The maximum difference between the actual and the expected time of an event.
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
