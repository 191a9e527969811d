public import DequeModule

/// The values that wait in an operator, in order, with its overflow policy. The graph shows their number.
///
/// Used inside the operator's gate, or under its lock: only the counting functions are called.
@usableFromInline
struct WaitingValues<Value: Sendable> {
  @usableFromInline let overflow: OverflowPolicy
  /// Constant: other code may read it where it may not read the values.
  @usableFromInline let origins: WaitingOrigins
  @usableFromInline var values: Deque<Value> = []

  /// For an operator with this queue only.
  @inlinable
  init<Output>(in junction: Junction<Output>, overflow: OverflowPolicy) {
    self.overflow = overflow
    origins = WaitingOrigins(QueueRecording(of: junction.node))
  }

  @inlinable var isEmpty: Bool { values.isEmpty }

  /// Whether the graph shows the values.
  @inlinable var isRecorded: Bool { origins.recording.counts != nil }

  /// Enqueues a value, or drops one.
  ///
  /// - Parameter dropped: Receives the value that is dropped for this one, for release afterwards: a release may run
  ///   any code.
  /// - Returns: The failure with which the operator has to end, if the queue is full.
  @inlinable
  mutating func add(_ value: Value, dropped: inout Value?) -> OverflowError? {
    switch overflow.decision(whileWaiting: values.count) {
    case .keep: break
    case .dropOldest:
      origins.recording.dropWaiting()
      dropped = values.popFirst()
    case .drop:
      origins.recording.drop()
      return nil
    case .fail:
      origins.recording.drop()
      return OverflowError(limit: overflow.limit ?? 0)
    }
    origins.recording.begin()
    values.append(value)
    return nil
  }

  /// Removes the value that has waited longest, if the graph does not show it.
  @inlinable
  mutating func nextUnrecorded() -> Value? { values.popFirst() }

  /// Removes the value that has waited longest.
  @inlinable
  mutating func next() -> Value? {
    let next = values.popFirst()
    if next != nil { origins.recording.end() }
    return next
  }
}
