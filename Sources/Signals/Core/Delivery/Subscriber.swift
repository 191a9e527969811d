/// A subscriber's closures, as an emitter stores them.
///
/// A separate type from ``Observer`` and ``StageInput`` because one table holds subscribers of both kinds.
@usableFromInline
enum Subscriber<Value: Sendable>: ~Copyable, Sendable {
  case observer(KeptObserver<Value>)
  case stages(StageInput)

  @inlinable
  init(_ observer: consuming Observer<Value>) {
    self = .observer(KeptObserver(observer))
  }

  @inlinable
  init(_ input: consuming StageInput) {
    self = .stages(input)
  }

  /// Takes a value.
  // "Unprotected" omits the stack protector's check for overflowing writes: nothing is written through the pointer.
  @inlinable
  borrowing func receive(_ value: Value) throws {
    switch self {
    case .observer(let kept): try kept.receive(value)
    case .stages(let input): try _withUnprotectedUnsafePointer(to: value) { try input.take($0) }
    }
  }

  /// Takes a value like ``receive(_:)``, for emitters without subscribers by pointer: its code is shorter.
  @inlinable
  borrowing func receiveByValue(_ value: Value) throws {
    switch self {
    case .observer(let kept): try kept.receive(value)
    case .stages: try receiveByPointer(value)
    }
  }

  @inlinable
  @inline(never)
  borrowing func receiveByPointer(_ value: Value) throws {
    try receive(value)
  }

  /// Takes the end.
  @inlinable
  var end: @Sendable (Completion) -> Void {
    switch self {
    case .observer(let kept): kept.observer.end
    case .stages(let input): input.end
    }
  }
}

/// A noncopyable observer.
///
/// A separate type from ``Observer`` because it is called in place: a closure from a copyable observer is retained for
/// each value.
@usableFromInline
struct KeptObserver<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let observer: Observer<Value>

  @inlinable
  init(_ observer: consuming Observer<Value>) {
    self.observer = observer
  }

  /// Takes a value.
  @inlinable
  borrowing func receive(_ value: Value) throws {
    try observer.receive(value)
  }
}
