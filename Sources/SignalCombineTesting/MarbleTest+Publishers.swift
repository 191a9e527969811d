#if OpenCombine
  public import OpenCombine
#elseif canImport(Combine)
  public import Combine
#endif

#if OpenCombine || canImport(Combine)
  import SignalCombine
  public import SignalTesting
  import Signals

  extension MarbleTest {
    /// Subscribes to a publisher and expects the events of a diagram whose keys are the values themselves: `1` is the
    /// number 1.
    ///
    /// - Parameters:
    ///   - publisher: The publisher under test, with unlimited demand.
    ///   - diagram: The expected events, in time since the start of the test.
    ///   - error: The error that `#` expects, or an `ErrorPattern`; any error by default.
    ///   - errors: The errors that `#name` expects, or patterns of them.
    ///   - subscription: The time to subscribe (`^`, by default the start) and to cancel (`!`, by default never).
    ///   - tolerance: The maximum difference between the actual and the expected time of an event.
    public func expect<Source: Publisher>(
      _ publisher: Source, _ diagram: String, error: (any Error)? = nil, errors: [String: any Error] = [:],
      subscription: String? = nil, tolerance: Duration = .zero,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) where Source.Output: Sendable & Equatable & LosslessStringConvertible {
      expect(
        publisher.signal(fileID: fileID, line: line), diagram, error: error, errors: errors, subscription: subscription,
        tolerance: tolerance, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Subscribes to a publisher and expects the events of a diagram whose keys are values of any type.
    ///
    /// - Parameters:
    ///   - publisher: The publisher under test, with unlimited demand.
    ///   - diagram: The expected events, in time since the start of the test.
    ///   - values: The values of the diagram's keys; each has to be used.
    ///   - error: The error that `#` expects, or an `ErrorPattern`; any error by default.
    ///   - errors: The errors that `#name` expects, or patterns of them.
    ///   - subscription: The time to subscribe (`^`, by default the start) and to cancel (`!`, by default never).
    ///   - tolerance: The maximum difference between the actual and the expected time of an event.
    public func expect<Source: Publisher>(
      _ publisher: Source, _ diagram: String, values: [String: Source.Output], error: (any Error)? = nil,
      errors: [String: any Error] = [:], subscription: String? = nil, tolerance: Duration = .zero,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) where Source.Output: Sendable & Equatable {
      expect(
        publisher.signal(fileID: fileID, line: line), diagram, values: values, error: error, errors: errors,
        subscription: subscription, tolerance: tolerance, fileID: fileID, filePath: filePath, line: line,
        column: column)
    }

    /// Subscribes to a publisher and expects values that satisfy predicates.
    ///
    /// - Parameters:
    ///   - publisher: The publisher under test, with unlimited demand.
    ///   - diagram: The expected events, in time since the start of the test.
    ///   - predicates: The predicates of the diagram's keys; each has to be used.
    ///   - error: The error that `#` expects, or an `ErrorPattern`; any error by default.
    ///   - errors: The errors that `#name` expects, or patterns of them.
    ///   - subscription: The time to subscribe (`^`, by default the start) and to cancel (`!`, by default never).
    ///   - tolerance: The maximum difference between the actual and the expected time of an event.
    public func expect<Source: Publisher>(
      _ publisher: Source, _ diagram: String, matching predicates: [String: (Source.Output) -> Bool],
      error: (any Error)? = nil, errors: [String: any Error] = [:], subscription: String? = nil,
      tolerance: Duration = .zero,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) where Source.Output: Sendable {
      expect(
        publisher.signal(fileID: fileID, line: line), diagram, matching: predicates, error: error, errors: errors,
        subscription: subscription, tolerance: tolerance, fileID: fileID, filePath: filePath, line: line,
        column: column)
    }
  }
#endif
