/// A ``StageList`` and the type of its output.
// Safe: as in the superclass.
@usableFromInline
final class StageRun<Output: Sendable>: StageList, @unchecked Sendable {
  /// Connects an observer of the run's output.
  @inlinable
  func attach(_ observer: consuming Observer<Output>, _ subscription: Subscription) {
    if let record = subscription.recording.record {
      return attachRecorded(observer, subscription, record, subscriber: nil)
    }
    let receive = observer.receive
    let receiver: @Sendable (UnsafeRawPointer) throws -> Void
    if isUsual {
      receiver = { input in
        try StageList.withUsualBuffer { memory in
          if try self.pass(input, memory) { try self.deliver(memory, receive) }
        }
      }
    } else {
      receiver = { input in
        try self.withBuffer { memory in
          if try self.pass(input, memory) { try self.deliver(memory, receive) }
        }
      }
    }
    connect(StageInput(receive: receiver, end: observer.end), subscription)
  }

  /// Connects an observer of the run's output, by pointer.
  @usableFromInline
  func attach(_ input: consuming StageInput, _ subscription: Subscription) {
    if let record = subscription.recording.record { return attachRecorded(input, subscription, record) }
    let receive = input.receive
    connect(
      StageInput(
        receive: { input in
          try self.withBuffer { memory in
            if try self.pass(input, memory) { try self.deliver(byPointer: memory, receive) }
          }
        }, end: input.end), subscription)
  }

  /// Delivers the output in memory, and leaves the memory empty.
  @inlinable
  @inline(__always)
  func deliver(_ memory: UnsafeMutableRawPointer, _ receive: @Sendable (Output) throws -> Void) throws {
    let output = memory.assumingMemoryBound(to: Output.self)
    defer { output.deinitialize(count: 1) }
    try receive(output.pointee)
  }

  /// Does the same by pointer.
  func deliver(byPointer memory: UnsafeMutableRawPointer, _ receive: @Sendable (UnsafeRawPointer) throws -> Void) throws
  {
    defer { memory.assumingMemoryBound(to: Output.self).deinitialize(count: 1) }
    try receive(memory)
  }
}

/// An observer of values whose type only the closure that connects it knows.
///
/// A separate type from ``Observer`` because it takes values by pointer, so that a chain of fused operators needs one
/// closure; and it is noncopyable, for the same reason as a ``KeptObserver``.
@usableFromInline
struct StageInput: ~Copyable, Sendable {
  /// Takes a pointer to a value, which is valid during the call.
  @usableFromInline let receive: @Sendable (UnsafeRawPointer) throws -> Void
  @usableFromInline let end: @Sendable (Completion) -> Void

  @inlinable
  init(
    receive: @escaping @Sendable (UnsafeRawPointer) throws -> Void, end: @escaping @Sendable (Completion) -> Void
  ) {
    self.receive = receive
    self.end = end
  }

  @inlinable
  borrowing func take(_ value: UnsafeRawPointer) throws {
    try receive(value)
  }

  /// The same as an observer that knows the type.
  @inlinable
  func observer<Value>(of type: Value.Type) -> Observer<Value> {
    let receive = self.receive
    return Observer(receive: { value in try withUnsafePointer(to: value) { try receive($0) } }, end: end)
  }
}
