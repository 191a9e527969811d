#if !SIGNALS_THREAD_SANITIZER
  import Synchronization
#endif

/// A value until it is taken, such as a closure that is called once and freed then.
struct TakenOnce<Value: Sendable>: ~Copyable, Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value?) { self.value = Mutex(value) }

  /// The value; nil if it was taken before. No lock is held while the caller releases it.
  func take() -> Value? { value.withLock { $0.take() } }

  /// The value, if nobody has taken it.
  var current: Value? { value.withLock { $0 } }

  var isTaken: Bool { value.withLock { $0 == nil } }
}
