/// The closures of one subscriber of an emitter.
///
/// It cannot be copied: a closure that is called where it is, in a borrowed subscriber, is not retained for each value.
@usableFromInline
struct Subscriber<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let receiver: SubscriberReceiver<Value>
  @usableFromInline let end: EndReceiver

  @inlinable
  init(_ observer: consuming Observer<Value>) {
    receiver = .byValue(ValueReceiver(observer.receive))
    end = EndReceiver(observer.end)
  }

  @inlinable
  init(_ input: consuming StageInput) {
    receiver = .byPointer(PointerReceiver(input.receive))
    end = EndReceiver(input.end)
  }

  @inlinable
  init(_ receiver: consuming SubscriberReceiver<Value>, _ end: consuming EndReceiver) {
    self.receiver = receiver
    self.end = end
  }
}

/// The closure that takes a subscriber's values. Borrowed where it is, it is called without being copied or retained.
@usableFromInline
enum SubscriberReceiver<Value: Sendable>: ~Copyable, Sendable {
  case byValue(ValueReceiver<Value>)
  case byPointer(PointerReceiver)

  /// Takes a value.
  // "Unprotected" leaves out the check whether a write through the pointer went too far: nothing is written through it.
  @inlinable
  borrowing func receive(_ value: Value) throws {
    switch self {
    case .byValue(let receiver): try receiver.receive(value)
    case .byPointer(let receiver): try _withUnprotectedUnsafePointer(to: value) { try receiver.receive($0) }
    }
  }

  /// Takes a value as ``receive(_:)`` does, for emitters where nobody takes pointers: its code is shorter there.
  @inlinable
  borrowing func receiveByValue(_ value: Value) throws {
    switch self {
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

/// Takes the end.
@usableFromInline
struct EndReceiver: ~Copyable, Sendable {
  @usableFromInline let receive: @Sendable (Completion) -> Void

  @inlinable
  init(_ receive: @escaping @Sendable (Completion) -> Void) {
    self.receive = receive
  }
}
