import SignalRecording

extension AsyncSequence {
  /// Shows the iterations of this sequence in the live graph: values, rates, ends, and who waits. Passes everything on unchanged.
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
  /// Each iteration is a node, from when it begins until it ends: with the end or the failure of the sequence, or when it is left. One that ends as its task
  /// is cancelled is told as cancelled. The node's kind is that of the sequence, such as `filter`, and its place the call of `traced`.
  ///
  /// Traced sequences of one chain are connected, also where others are between them: who is asked for a value while another one waits for its own feeds that
  /// one. This holds within a task, and into tasks that an operator starts while it is asked, as those of `merge` and `debounce` in AsyncAlgorithms.
  /// It does not hold for a task that was started before; and what such an operator feeds to several is connected to the first that asked. Then connect steps
  /// by hand, with `GraphReporter`.
  ///
  /// While the graph is off when an iteration begins, that iteration is the same as without this, but for one look at a constant for each value. While it is
  /// on, a value costs a few hundred instructions, and no memory.
  ///
  /// - Parameters:
  ///   - name: What the sequence is called in the graph.
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

/// A sequence whose iterations show in the live graph; see `AsyncSequence.traced(_:)`.
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
  /// What the sequence gives.
  public typealias Element = Base.Element
  /// What the sequence throws.
  public typealias Failure = Base.Failure

  /// Begins an iteration, which is a node of the graph if that is on.
  ///
  /// - Returns: An iterator of the same elements.
  public func makeAsyncIterator() -> AsyncIterator {
    let iteration = TracedIteration(of: Base.self, name: name, fileID: fileID, line: line, function: function)
    guard let iteration else { return AsyncIterator(base.makeAsyncIterator(), nil) }
    // What begins here feeds it, as the loop over the values of a signal.
    return AsyncIterator(iteration.begin { base.makeAsyncIterator() }, iteration)
  }

  /// An iteration that shows in the graph.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private let iteration: TracedIteration?

    fileprivate init(_ base: Base.AsyncIterator, _ iteration: TracedIteration?) {
      self.base = base
      self.iteration = iteration
    }

    /// The next element.
    ///
    /// - Returns: The element; `nil` at the end.
    /// - Throws: What the sequence throws.
    public mutating func next() async throws(Base.Failure) -> Base.Element? {
      try await next(isolation: nil)
    }

    /// The next element.
    ///
    /// - Parameter actor: Where it is asked for.
    /// - Returns: The element; `nil` at the end.
    /// - Throws: What the sequence throws.
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
