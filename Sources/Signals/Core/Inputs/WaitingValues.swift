public import DequeModule

/// Values that wait in an operator, in order, with what becomes of those that are too many. The graph shows how many there are.
///
/// It belongs inside the operator's gate, or under its lock: nothing is called but what counts.
@usableFromInline
struct WaitingValues<Value: Sendable> {
  @usableFromInline let overflow: OverflowPolicy
  /// It never changes: others may read it where they may not read the values.
  @usableFromInline let origins: WaitingOrigins
  @usableFromInline var values: Deque<Value> = []

  /// Of an operator that has this one only.
  @inlinable
  init<Output>(in junction: Junction<Output>, overflow: OverflowPolicy) {
    self.overflow = overflow
    origins = WaitingOrigins(QueueRecording(of: junction.node))
  }

  @inlinable var isEmpty: Bool { values.isEmpty }

  /// Whether the graph shows the values.
  @inlinable var isRecorded: Bool { origins.recording.counts != nil }

  /// Lets a value wait, or drops one.
  ///
  /// - Parameter dropped: Takes the value that is dropped for this one, for release afterwards: that may run any code.
  /// - Returns: The failure with which the operator has to end, if there is no room.
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

  /// Takes out the value that has waited for the longest time, where the graph does not show it.
  @inlinable
  mutating func nextUnrecorded() -> Value? { values.popFirst() }

  /// Takes out the value that has waited for the longest time.
  @inlinable
  mutating func next() -> Value? {
    let next = values.popFirst()
    if next != nil { origins.recording.end() }
    return next
  }
}
