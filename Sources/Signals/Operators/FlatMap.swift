public import Synchronization

extension Signal {
  /// Maps each value to a signal, and delivers the values of all these signals as they are sent.
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
  /// The queue may be limited, too. `flatMap(maxConcurrent: 1, overflow: .oldest(0))` drops values while an inner
  /// signal runs:
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
  /// The graph shows how many values are queued, and how many were dropped.
  ///
  /// - **Errors:** fails with the first failure of this signal or of any inner one, and if the closure throws. All
  ///   others are then unsubscribed. ``OverflowPolicy/fail(_:)`` fails with ``OverflowError`` in the same way, with the
  ///   first value that finds the queue full.
  /// - **Ends:** when this signal and every inner one have finished (law 16).
  /// - **Order and threads:** a value is delivered where its inner signal delivers it, one at a time. Inner signals
  ///   begin in the order of their values.
  /// - **Allocations:** none for a value whose signal is a ``just(_:fileID:line:function:)``. Any other inner signal
  ///   takes one heap allocation for its subscription, plus its own. Values are queued up to the limit of `overflow`.
  /// - Parameters:
  ///   - maxConcurrent: The number of inner signals that run at the same time; further values are queued. 1 delivers
  ///     the inner signals one after the other. Less than 1 counts as 1.
  ///   - overflow: What happens to a value when the queue is full.
  ///   - transform: Returns the inner signal for a value. Not called before the value's turn.
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
        // Safe: each inner signal retains the state.
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
    if active < maxConcurrent {
      if !waiting.isEmpty {
        // Those that wait for the gate to start them come first.
        try connectWaiting()
        if junction.isClosed.load(ordering: .relaxed) { return }
      }
      if active < maxConcurrent { return try connect(value) }
    }
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
      // Through the gate rather than from here: a long chain of inner signals that finish at once needs no stack.
      junction.run { self.connectNext() }
    }
  }

  @inlinable
  func connectNext() {
    junction.attempt {
      try connectWaiting()
      endIfOver()
    }
  }

  /// Connects the signals of queued values, up to the limit. Not inlined: keeps ``take(_:)`` short.
  @inlinable
  @inline(never)
  func connectWaiting() throws {
    if waiting.isRecorded { return try connectWaitingRecorded() }
    // A handler may have disposed in the meantime.
    while !junction.isClosed.load(ordering: .relaxed), active < maxConcurrent, let value = waiting.nextUnrecorded() {
      try connect(value)
    }
  }

  /// Not inlined: keeps the path without recording short.
  @inlinable
  @inline(never)
  func connectWaitingRecorded() throws {
    while !junction.isClosed.load(ordering: .relaxed), active < maxConcurrent, let value = waiting.next() {
      // The inner signal's values originate at this value, not at the signal that has ended.
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
