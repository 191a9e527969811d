public import DequeModule
public import Synchronization

extension Signal {
  /// Delivers each value, maps it to a signal, and does the same with every value of that signal, recursively.
  ///
  /// Use it to walk structures that are discovered step by step: the pages of a list, the directories in a directory.
  ///
  /// ![expand, as a marble diagram](expand-maxConcurrent)
  ///
  /// ```text
  /// source   -1------------|
  /// more     --x|
  ///          source.expand { n in n < 4 ? more.map { _ in 2 * n } : .empty() }
  /// result   -1-2-4--------|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// struct Page {
  ///   var lines: [String]
  ///   var next: Int?
  /// }
  /// let load: @Sendable (Int) -> Signal<Page> = { number in
  ///   Signal.timer(after: .seconds(1), on: .main).map { Page(lines: ["line \(number)"], next: number < 3 ? number + 1 : nil) }
  /// }
  /// load(1)
  ///   .expand { page in page.next.map(load) ?? .empty() }
  ///   .subscribe { page in print(page.lines) }
  ///   .store(in: bag)
  /// ```
  ///
  /// If each value maps to another value, the result never ends: use ``prefix(_:fileID:line:function:)``, or let the
  /// closure return ``empty(fileID:line:function:)`` when enough is found.
  ///
  /// - **Errors:** fails with the first failure of this signal or of any inner one, and if the closure throws. All
  ///   others are then unsubscribed.
  /// - **Ends:** when this signal and every inner one have finished.
  /// - **Order and threads:** a value is delivered where its signal delivers it, one at a time, or where its turn
  ///   comes. The inner signals begin in the order of their values: values found synchronously are delivered level by
  ///   level. The depth is not limited by the stack.
  /// - **Allocations:** none for a value whose signal is a ``just(_:fileID:line:function:)``. Any other inner signal is
  ///   a separate subscription. Values are queued without a limit to their number.
  /// - Parameters:
  ///   - maxConcurrent: The number of inner signals that run at the same time; further values are queued, and delivered
  ///     when their turn comes. Less than 1 counts as 1.
  ///   - transform: Returns the inner signal for a value. Called after the value was delivered, and not before its
  ///     turn.
  ///
  /// See also ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)``.
  @inlinable
  public func expand(
    maxConcurrent: Int = .max,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Signal<Value>
  ) -> Signal<Value> {
    let upstream = self
    return Signal(Site("expand", fileID: fileID, line: line, function: function), derivedFrom: self) {
      downstream, subscription in
      let state = Expansion(
        junction: Junction(downstream, subscription), maxConcurrent: Swift.max(1, maxConcurrent), transform: transform)
      state.junction.connect(upstream) { value in
        try state.take(value)
      } end: { completion in
        if case .failed = completion { return state.junction.end(completion) }
        state.isUpstreamFinished = true
        state.endIfOver()
      }
    }
  }
}

/// The values of one subscription that are to be expanded.
// Safe: touched only inside the junction's gate. Unchecked exclusivity: nothing is called while one of these is changed.
@usableFromInline
final class Expansion<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let junction: Junction<Value>
  @usableFromInline let maxConcurrent: Int
  @usableFromInline let transform: @Sendable (Value) throws -> Signal<Value>
  /// The number of inner signals that run, or are about to begin.
  @exclusivity(unchecked) @usableFromInline var active = 0
  /// Values that were delivered, and whose signals are about to begin.
  @exclusivity(unchecked) @usableFromInline var delivered = Deque<Value>()
  /// Queued values.
  @exclusivity(unchecked) @usableFromInline var waiting = Deque<Value>()
  /// Whether a call further up the stack starts signals.
  @exclusivity(unchecked) @usableFromInline var isBeginning = false
  @exclusivity(unchecked) @usableFromInline var isUpstreamFinished = false

  @inlinable
  init(
    junction: Junction<Value>, maxConcurrent: Int, transform: @escaping @Sendable (Value) throws -> Signal<Value>
  ) {
    self.junction = junction
    self.maxConcurrent = maxConcurrent
    self.transform = transform
  }

  @inlinable
  func take(_ value: Value) throws {
    guard active < maxConcurrent, waiting.isEmpty else { return waiting.append(value) }
    try deliver(value)
    try beginAll()
  }

  @inlinable
  func deliver(_ value: Value) throws {
    active += 1
    delivered.append(value)
    try junction.emit(value)
  }

  /// Starts signals until the limit is reached. Values that they deliver during that time are started here too, rather
  /// than from inside: a deep recursion needs no stack.
  @inlinable
  func beginAll() throws {
    if isBeginning { return }
    isBeginning = true
    defer { isBeginning = false }
    // A handler may have disposed in the meantime.
    while !junction.isClosed.load(ordering: .relaxed) {
      if let value = delivered.popFirst() {
        try begin(value)
      } else if active < maxConcurrent, let value = waiting.popFirst() {
        try deliver(value)
      } else {
        break
      }
    }
    endIfOver()
  }

  @inlinable
  func begin(_ value: Value) throws {
    let inner = try transform(value)
    if let output = junction.onlyValue(of: inner) {
      active -= 1
      return try take(output)
    }
    junction.connectInside(inner) { value in
      try self.take(value)
    } end: { completion in
      if case .failed = completion { return self.junction.end(completion) }
      self.active -= 1
      self.junction.attempt { try self.beginAll() }
    }
  }

  @usableFromInline
  func endIfOver() {
    if isUpstreamFinished, active == 0, waiting.isEmpty { junction.end(.finished) }
  }
}
