/// What an emitter keeps of a subscriber's closures.
///
/// Beside ``Observer`` and ``StageInput`` because subscribers of both kinds stand in one table.
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
  // "Unprotected" leaves out the check whether a write through the pointer went too far: nothing is written through it.
  @inlinable
  borrowing func receive(_ value: Value) throws {
    switch self {
    case .observer(let kept): try kept.receive(value)
    case .stages(let input): try _withUnprotectedUnsafePointer(to: value) { try input.take($0) }
    }
  }

  /// Takes a value as ``receive(_:)`` does, for emitters where nobody takes pointers: its code is shorter there.
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

/// An observer that cannot be copied.
///
/// Beside ``Observer`` because it is called where it is kept: a closure out of an observer that can be copied is retained for each value.
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
