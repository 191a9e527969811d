extension MarbleTest {
  /// Creates a hot source, which runs whether or not it has a subscriber. `^` marks the start of the test.
  ///
  /// ```swift
  /// @Test func totals() {
  ///   marbles { m in
  ///     let prices = m.hot("--a--b-|", values: ["a": 100, "b": 250])
  ///     m.expect(prices.signal.scan(0, +), "--x--y-|", values: ["x": 100, "y": 350])
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - diagram: Its events and their times.
  ///   - values: The values of the diagram's keys; each has to be used.
  ///   - error: The error of a plain `#`; ``MarbleFailure`` by default.
  ///   - errors: The errors of `#name`.
  /// - Returns: The source. A source without a subscriber fails the test, unless that is expected with
  ///   ``expectNoSubscriptions(of:fileID:filePath:line:column:)``.
  public func hot<Value: Sendable>(
    _ diagram: String, values: [String: Value], error: (any Error)? = nil, errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> MarbleInput<Value> {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    return input(
      .hot, MarbleText(diagram, source: source), MarbleValues(values, errors: errors.adding(error)), isStrict: true)
  }

  /// Creates a hot source whose values are the keys themselves, as strings.
  ///
  /// - Parameters:
  ///   - diagram: Its events and their times: `-a-b-|` sends `"a"` and `"b"`.
  ///   - error: The error of a plain `#`; ``MarbleFailure`` by default.
  ///   - errors: The errors of `#name`.
  /// - Returns: The source.
  public func hot(
    _ diagram: String, error: (any Error)? = nil, errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> MarbleInput<String> {
    hot(
      diagram, of: String.self, error: error, errors: errors, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Creates a hot source whose values are parsed from the keys: `1` is the number 1.
  ///
  /// ```swift
  /// @Test func doubles() {
  ///   marbles { m in
  ///     let numbers = m.hot("-1-2-<13>-|", of: Int.self)
  ///     m.expect(numbers.signal.map { $0 * 2 }, "-2-4-<26>-|")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - diagram: Its events and their times.
  ///   - type: The type of the values. A key that cannot be converted to it fails the test.
  ///   - error: The error of a plain `#`; ``MarbleFailure`` by default.
  ///   - errors: The errors of `#name`.
  /// - Returns: The source.
  public func hot<Value: LosslessStringConvertible & Sendable>(
    _ diagram: String, of type: Value.Type, error: (any Error)? = nil, errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> MarbleInput<Value> {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    return input(
      .hot, MarbleText(diagram, source: source), .literal(errors: errors.adding(error)), isStrict: true)
  }

  /// Creates a cold source, which starts again for every subscriber. Events in `{ }` are sent inside subscribe.
  ///
  /// ```swift
  /// @Test func startsWithTheSavedPage() {
  ///   struct Page: Equatable { var number: Int }
  ///   marbles { m in
  ///     let pages = m.cold("{a}--b-|", values: ["a": Page(number: 1), "b": Page(number: 2)])
  ///     m.expect(pages.signal.map(\.number), "{1}--2-|")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - diagram: Its events and their times since a subscription.
  ///   - values: The values of the diagram's keys; each has to be used.
  ///   - error: The error of a plain `#`; ``MarbleFailure`` by default.
  ///   - errors: The errors of `#name`.
  /// - Returns: The source. A source without a subscriber fails the test, unless that is expected with
  ///   ``expectNoSubscriptions(of:fileID:filePath:line:column:)``.
  public func cold<Value: Sendable>(
    _ diagram: String, values: [String: Value], error: (any Error)? = nil, errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> MarbleInput<Value> {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    return input(
      .cold, MarbleText(diagram, source: source), MarbleValues(values, errors: errors.adding(error)), isStrict: true)
  }

  /// Creates a cold source whose values are the keys themselves, as strings.
  ///
  /// - Parameters:
  ///   - diagram: Its events and their times since a subscription: `-a-b-|` sends `"a"` and `"b"`.
  ///   - error: The error of a plain `#`; ``MarbleFailure`` by default.
  ///   - errors: The errors of `#name`.
  /// - Returns: The source.
  public func cold(
    _ diagram: String, error: (any Error)? = nil, errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> MarbleInput<String> {
    cold(
      diagram, of: String.self, error: error, errors: errors, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Creates a cold source whose values are parsed from the keys: `1` is the number 1.
  ///
  /// - Parameters:
  ///   - diagram: Its events and their times since a subscription.
  ///   - type: The type of the values. A key that cannot be converted to it fails the test.
  ///   - error: The error of a plain `#`; ``MarbleFailure`` by default.
  ///   - errors: The errors of `#name`.
  /// - Returns: The source.
  public func cold<Value: LosslessStringConvertible & Sendable>(
    _ diagram: String, of type: Value.Type, error: (any Error)? = nil, errors: [String: any Error] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> MarbleInput<Value> {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    return input(
      .cold, MarbleText(diagram, source: source), .literal(errors: errors.adding(error)), isStrict: true)
  }

  /// Creates a source.
  /// - Parameter isStrict: Whether a key of `values` that the diagram does not use is an error.
  func input<Value: Sendable>(
    _ role: MarbleRole, _ text: MarbleText, _ values: MarbleValues<Value>, isStrict: Bool
  ) -> MarbleInput<Value> {
    let text = text.passed(as: .unlabelled(0))
    let input = declare(at: text) {
      if text.isBlank { throw MarbleRunError("A source without a diagram. Write - for one that sends nothing.") }
      let parsed = try ParsedMarbleDiagram(text, role: role, dialect: dialect, frame: frame)
      if let pattern = values.errors.values.first(where: { $0 is ErrorPattern }) {
        throw MarbleRunError("A source cannot send a pattern (\(pattern)). Pass an error to it.")
      }
      let events = try values.schedule(parsed)
      if isStrict { try values.checkAllKeysAreUsed(in: [parsed]) }
      let words = PieceLabels.current == nil ? "" : "\(role == .hot ? "hot" : "cold") source \(text.words)"
      let input =
        role == .hot
        ? MarbleInput(hot: events, scheduler: scheduler, words: words)
        : MarbleInput(cold: events, scheduler: scheduler, words: words)
      add(Input(log: input.log, text: text, diagram: parsed.diagram, isHot: role == .hot))
      return input
    }
    return input ?? MarbleInput(brokenIn: scheduler)
  }
}

extension [String: any Error] {
  /// The map with the error of a plain `#`.
  func adding(_ error: (any Error)?) -> Self {
    guard let error else { return self }
    var result = self
    result[""] = error
    return result
  }
}
