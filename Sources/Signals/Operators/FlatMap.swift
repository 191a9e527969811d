public import Synchronization

extension Signal {
  /// Makes a signal of each value, and delivers the values of all these signals as they come.
  ///
  /// ![flatMap, as a marble diagram](flatMap-maxConcurrent-overflow)
  ///
  /// ```text
  /// source   -a--b-----|
  /// a        -1-2-3|
  /// b        -8-9|
  ///          source.flatMap { $0 == "a" ? a : b }
  /// result   --1-2839--|
  ///
  ///          source.flatMap(maxConcurrent: 1) { $0 == "a" ? a : b }
  /// result   --1-2-3-8-9|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let files = Emitter<String>()
  /// files.signal
  ///   .flatMap(maxConcurrent: 2) { name in
  ///     Signal.timer(after: .seconds(1), on: .main).map { "\(name) is loaded" }
  ///   }
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// Values that wait for their turn may be limited in number, too. `flatMap(maxConcurrent: 1, overflow: .oldest(0))` drops what comes while an
  /// inner signal runs:
  ///
  /// ![flatMap, as a marble diagram](flatMap-maxConcurrent-overflow-2)
  ///
  /// ```text
  /// source   -a-a----b---|
  /// a        -1-2-3|
  /// b        -8-9|
  ///          source.flatMap(maxConcurrent: 1, overflow: .oldest(0)) { $0 == "a" ? a : b }
  /// result   --1-2-3--8-9|
  /// ```
  ///
  /// The graph shows how many values wait, and how many were dropped.
  ///
  /// - **Errors:** fails with the first failure of this signal or of any inner one, and when the closure throws. All others are then left. With
  ///   ``OverflowPolicy/fail(_:)`` it fails with ``OverflowError`` in the same way, as soon as too many values wait.
  /// - **Ends:** when this signal and every inner one have finished (law 16).
  /// - **Order and threads:** a value comes where its inner signal delivers it, one at a time. Inner signals begin in the order of the
  ///   values that they are made of.
  /// - **Allocations:** none for a value whose signal is a ``just(_:fileID:line:function:)``. Any other inner signal takes one heap
  ///   block for its subscription, beside what it takes itself. Values that wait for their turn are kept; how many, `overflow` says.
  /// - Parameters:
  ///   - maxConcurrent: How many inner signals run at the same time; further values wait for their turn. 1 delivers the inner signals
  ///     one after the other. Less than 1 counts as 1.
  ///   - overflow: What becomes of a value that comes when too many wait for their turn.
  ///   - transform: Makes the inner signal of a value. Not called before its turn.
  ///
  /// See also ``flatMapLatest(fileID:line:function:_:)`` and ``merge(with:fileID:line:function:)``.
  @inlinable
  public func flatMap<Output: Sendable>(
    maxConcurrent: Int = .max, overflow: OverflowPolicy = .keepAll,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Signal<Output>
  ) -> Signal<Output> {
    let upstream = self
    let site = Site("flatMap", behavior: .runsInner, fileID: fileID, line: line, function: function)
    return Signal<Output>(site, derivedFrom: self) { downstream, subscription in
      let junction = Flattening(downstream, subscription) { _, owner, completion in
        guard let owner else { return }
        // Safe: each inner signal keeps the state.
        unsafeDowncast(owner, to: FlatMapState<Value, Output>.self).innerEnded(completion)
      }
      let state = FlatMapState(
        junction: junction, maxConcurrent: Swift.max(1, maxConcurrent), overflow: overflow, transform: transform)
      junction.connect(upstream) { value in
        try state.take(value)
      } end: { completion in
        state.outerEnded(completion)
      }
    }
  }
}

// Safe: touched only inside the junction's gate. Unchecked exclusivity: nothing is called while one of the three is changed.
@usableFromInline
final class FlatMapState<Value: Sendable, Output: Sendable>: @unchecked Sendable {
  @usableFromInline let junction: Flattening<Output>
  @usableFromInline let maxConcurrent: Int
  @usableFromInline let transform: @Sendable (Value) throws -> Signal<Output>
  @exclusivity(unchecked) @usableFromInline var active = 0
  @exclusivity(unchecked) @usableFromInline var waiting: WaitingValues<Value>
  @exclusivity(unchecked) @usableFromInline var isOuterFinished = false

  @inlinable
  init(
    junction: Flattening<Output>, maxConcurrent: Int, overflow: OverflowPolicy,
    transform: @escaping @Sendable (Value) throws -> Signal<Output>
  ) {
    self.junction = junction
    waiting = WaitingValues(in: junction, overflow: overflow)
    self.maxConcurrent = maxConcurrent
    self.transform = transform
  }

  @inlinable
  func take(_ value: Value) throws {
    // A value that comes while others wait for the gate to start them waits behind them.
    if active < maxConcurrent, waiting.isEmpty { return try connect(value) }
    var dropped: Value?
    let error = waiting.add(value, dropped: &dropped)
    withExtendedLifetime(dropped) {}
    if let error { throw error }
  }

  @inlinable
  @inline(__always)
  func connect(_ value: Value) throws {
    let inner = try transform(value)
    if let output = junction.onlyValue(of: inner) { return try junction.emit(output) }
    active += 1
    junction.connectInner(inner, key: junction.reserveInnerKey(), owner: self)
  }

  @inlinable
  func innerEnded(_ completion: Completion) {
    active -= 1
    if case .failed = completion { return junction.end(completion) }
    if waiting.isEmpty {
      endIfOver()
    } else {
      // Through the gate rather than from here: a long row of inner signals that finish at once needs no stack.
      junction.run { self.connectNext() }
    }
  }

  @inlinable
  func connectNext() {
    junction.attempt {
      if waiting.isRecorded {
        try connectNextRecorded()
      } else {
        // A handler may have disposed meanwhile.
        while !junction.isClosed.load(ordering: .relaxed), active < maxConcurrent,
          let value = waiting.nextUnrecorded()
        {
          try connect(value)
        }
      }
      endIfOver()
    }
  }

  /// Not inlined: the way of what is not recorded is to be short.
  @inlinable
  @inline(never)
  func connectNextRecorded() throws {
    while !junction.isClosed.load(ordering: .relaxed), active < maxConcurrent, let value = waiting.next() {
      // What the inner signal gives comes from this value, not from the signal that has ended.
      try waiting.origins.goOnWithTaken { try connect(value) }
    }
  }

  @inlinable
  func outerEnded(_ completion: Completion) {
    if case .failed = completion { return junction.end(completion) }
    isOuterFinished = true
    endIfOver()
  }

  @inlinable
  func endIfOver() {
    if isOuterFinished, active == 0, waiting.isEmpty { junction.end(.finished) }
  }
}
