public import DequeModule

/// The values of a subscription that wait for a task, or the task that waits for a value.
///
/// A task's continuation is resumed once: the thread that takes it, under the lock, resumes it after the lock.
// Safe: the mutable state is touched only under `lock`, in stretches that call nothing else. That is why exclusivity is
// unchecked. `recording` is written before the signal is connected.
@usableFromInline
final class AwaitedValues<Value: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Waiter = UnsafeContinuation<Value?, any Error>

  /// The next value, as far as it is known.
  @usableFromInline
  enum Next {
    case value(Value)
    case ended(Completion)
    case nothing
  }

  @usableFromInline let lock = Lock()
  @usableFromInline let policy: OverflowPolicy
  @exclusivity(unchecked) @usableFromInline var values = Deque<Value>()
  /// The end; a failure is delivered once.
  @exclusivity(unchecked) @usableFromInline var completion: Completion?
  @exclusivity(unchecked) @usableFromInline var waiter: Waiter?
  /// The graph's record of the waiting values.
  @exclusivity(unchecked) @usableFromInline var recording = QueueRecording(of: OperatorNode(newestOf: .none))

  @usableFromInline
  init(_ policy: OverflowPolicy) { self.policy = policy }

  /// Takes a value from the signal: for the waiting task, or into the queue.
  ///
  /// - Throws: If no more values are taken.
  @inlinable
  func add(_ value: Value) throws {
    // Released after the lock: a release may run any code.
    var dropped: Value?
    let (waiter, takesMore): (Waiter?, Bool) = lock.withLock {
      guard completion == nil else { return (nil, false) }
      if let waiter = self.waiter {
        self.waiter = nil
        return (waiter, true)
      }
      switch policy.decision(whileWaiting: values.count) {
      case .keep:
        recording.begin()
        values.append(value)
      case .dropOldest:
        recording.dropWaiting()
        recording.begin()
        dropped = values.popFirst()
        values.append(value)
      case .drop: recording.drop()
      case .fail:
        recording.drop()
        completion = .failed(OverflowError(limit: policy.limit ?? 0))
        return (nil, false)
      }
      return (nil, true)
    }
    waiter?.resume(returning: value)
    withExtendedLifetime(dropped) {}
    if !takesMore { throw StopDelivery() }
  }

  /// Takes the end from the signal. The first end counts.
  @usableFromInline
  func end(_ completion: Completion) {
    let waiter: Waiter? = lock.withLock {
      guard self.completion == nil else { return nil }
      // A waiting task gets the end; a failure is delivered only once.
      self.completion = self.waiter == nil ? completion : .finished
      defer { self.waiter = nil }
      return self.waiter
    }
    switch completion {
    case .finished: waiter?.resume(returning: nil)
    case .failed(let error): waiter?.resume(throwing: error)
    }
  }

  /// Takes the next value, if there is one.
  @inlinable
  func take() -> Next {
    lock.withLock {
      if let value = values.popFirst() {
        recording.end()
        return .value(value)
      }
      guard let completion else { return .nothing }
      self.completion = .finished
      return .ended(completion)
    }
  }

  /// Lets a task wait after ``take()`` found nothing. A task that is already waiting gets the end.
  @usableFromInline
  func wait(_ waiter: Waiter) {
    var replaced: Waiter?
    let next: Next = lock.withLock {
      if let value = values.popFirst() {
        recording.end()
        return .value(value)
      }
      if let completion {
        self.completion = .finished
        return .ended(completion)
      }
      replaced = self.waiter
      self.waiter = waiter
      return .nothing
    }
    replaced?.resume(returning: nil)
    switch next {
    case .value(let value): waiter.resume(returning: value)
    case .ended(.finished): waiter.resume(returning: nil)
    case .ended(.failed(let error)): waiter.resume(throwing: error)
    case .nothing: break
    }
  }

  /// Drops the waiting values, and ends.
  @usableFromInline
  func cancel() {
    var dropped = Deque<Value>()
    var end: Completion? = .finished
    let waiter: Waiter? = lock.withLock {
      swap(&values, &dropped)
      swap(&completion, &end)
      defer { self.waiter = nil }
      return self.waiter
    }
    waiter?.resume(returning: nil)
    // Released without the lock, as an error may run code.
    withExtendedLifetime((dropped, end)) {}
  }
}
