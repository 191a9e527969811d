/// The closures of one subscriber of an emitter.
///
/// It cannot be copied: a closure that is called where it is, in a borrowed subscriber, is not retained for each value.
@usableFromInline
struct Subscriber<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  enum Receiver: ~Copyable, Sendable {
    case byValue(ValueReceiver<Value>)
    case byPointer(PointerReceiver)
  }

  @usableFromInline let receiver: Receiver
  @usableFromInline let end: @Sendable (Completion) -> Void

  @inlinable
  init(_ observer: consuming Observer<Value>) {
    receiver = .byValue(ValueReceiver(observer.receive))
    end = observer.end
  }

  @inlinable
  init(_ input: consuming StageInput) {
    receiver = .byPointer(PointerReceiver(input.receive))
    end = input.end
  }

  /// Takes a value.
  // "Unprotected" leaves out the check whether a write through the pointer went too far: nothing is written through it.
  @inlinable
  borrowing func receive(_ value: Value) throws {
    switch receiver {
    case .byValue(let receiver): try receiver.receive(value)
    case .byPointer(let receiver): try _withUnprotectedUnsafePointer(to: value) { try receiver.receive($0) }
    }
  }

  /// Takes a value as ``receive(_:)`` does, for places where nobody takes pointers: its code is shorter there.
  @inlinable
  borrowing func receiveByValue(_ value: Value) throws {
    switch receiver {
    case .byValue(let receiver): try receiver.receive(value)
    case .byPointer: try receiveByPointer(value)
    }
  }

  @inlinable
  @inline(never)
  borrowing func receiveByPointer(_ value: Value) throws {
    try receive(value)
  }
}

@usableFromInline
struct ValueReceiver<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let receive: @Sendable (Value) throws -> Void

  @inlinable
  init(_ receive: @escaping @Sendable (Value) throws -> Void) {
    self.receive = receive
  }
}

/// Takes values by pointer: the beginning of a ``StageRun``.
@usableFromInline
struct PointerReceiver: ~Copyable, Sendable {
  @usableFromInline let receive: @Sendable (UnsafeRawPointer) throws -> Void

  @inlinable
  init(_ receive: @escaping @Sendable (UnsafeRawPointer) throws -> Void) {
    self.receive = receive
  }
}
