import SignalRecording

extension AsyncSequence {
  /// Shows the iterations of this sequence in the live graph: values, rates, ends, and demand. Passes everything on
  /// unchanged.
  ///
  /// ```swift
  /// import SignalAsync
  ///
  /// func total(of readings: AsyncStream<Double>) async -> Double {
  ///   var total = 0.0
  ///   let valid = readings.traced("readings").filter { $0 >= 0 }.traced("valid readings")
  ///   for await reading in valid { total += reading }
  ///   return total
  /// }
  /// ```
  ///
  /// Each iteration is a node, from its beginning until its end: with the end or the failure of the sequence, or when
  /// it is abandoned. One that ends because its task is cancelled is shown as cancelled. The node's kind is that of the
  /// sequence, such as `filter`, and its location the call site of `traced`.
  ///
  /// Traced sequences of one chain are connected, even with others in between: a sequence that receives a request while
  /// another one waits for its own value is that one's input. This holds within a task, and into tasks that an operator
  /// starts during a request, such as those of `merge` and `debounce` in AsyncAlgorithms. It does not hold for a task
  /// that was started before; and an operator with several consumers is connected to the first that requested a value.
  /// Then connect steps manually, with `GraphReporter`.
  ///
  /// While the graph is off, a new iteration is the same as without this, except for the check of a constant for each
  /// value. While it is on, a value costs a few hundred instructions, and no memory.
  ///
  /// - Parameters:
  ///   - name: The sequence's name in the graph.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - function: The function of the call.
  /// - Returns: A sequence of the same elements and failures.
  public func traced(
    _ name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> TracedAsyncSequence<Self> {
    TracedAsyncSequence(self, name: name, fileID: fileID, line: line, function: function)
  }
}

/// A sequence whose iterations are shown in the live graph; see `AsyncSequence.traced(_:)`.
public struct TracedAsyncSequence<Base: AsyncSequence> {
  private let base: Base
  private let name: String?
  private let fileID: StaticString
  private let line: UInt
  private let function: StaticString

  init(_ base: Base, name: String?, fileID: StaticString, line: UInt, function: StaticString) {
    self.base = base
    self.name = name
    self.fileID = fileID
    self.line = line
    self.function = function
  }
}

extension TracedAsyncSequence: AsyncSequence {
  /// The sequence's element.
  public typealias Element = Base.Element
  /// The sequence's failure.
  public typealias Failure = Base.Failure

  /// Begins an iteration, which is a node of the graph if that is on.
  ///
  /// - Returns: An iterator of the same elements.
  public func makeAsyncIterator() -> AsyncIterator {
    let iteration = TracedIteration(of: Base.self, name: name, fileID: fileID, line: line, function: function)
    guard let iteration else { return AsyncIterator(base.makeAsyncIterator(), nil) }
    // Iterations that begin here are its inputs, such as a loop over the values of a signal.
    return AsyncIterator(iteration.begin { base.makeAsyncIterator() }, iteration)
  }

  /// An iteration that is shown in the graph.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private let iteration: TracedIteration?

    fileprivate init(_ base: Base.AsyncIterator, _ iteration: TracedIteration?) {
      self.base = base
      self.iteration = iteration
    }

    /// Returns the next element.
    ///
    /// - Returns: The element; `nil` at the end.
    /// - Throws: Rethrows the errors of the sequence.
    public mutating func next() async throws(Base.Failure) -> Base.Element? {
      try await next(isolation: nil)
    }

    /// Returns the next element.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The element; `nil` at the end.
    /// - Throws: Rethrows the errors of the sequence.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Base.Failure) -> Base.Element? {
      guard let iteration else { return try await base.next(isolation: actor) }
      let result: Result<Base.Element?, Base.Failure> = await iteration.ask(isolation: actor) {
        do throws(Base.Failure) {
          return .success(try await base.next(isolation: actor))
        } catch {
          return .failure(error)
        }
      }
      return try result.get()
    }
  }
}

extension TracedAsyncSequence: TracedSequence {}

extension TracedAsyncSequence: Sendable where Base: Sendable {}

extension TracedAsyncSequence.AsyncIterator: Sendable where Base.AsyncIterator: Sendable {}
