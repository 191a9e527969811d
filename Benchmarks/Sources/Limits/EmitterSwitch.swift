import Synchronization

/// A hand-written `flatMapLatest` over emitters: one mutex, and an object and a token for each inner signal.
public final class EmitterSwitch: @unchecked Sendable {
  // Safe: touched only under the mutex, apart from what is constant.
  private let mutex = Mutex(())
  @exclusivity(unchecked) private var current: SlotToken?
  private let inner: (Int) -> SlotEmitter
  private let receive: (Int) -> Void

  /// Makes the operator.
  public init(_ inner: @escaping (Int) -> SlotEmitter, _ receive: @escaping (Int) -> Void) {
    self.inner = inner
    self.receive = receive
  }

  /// Takes a value of the outer signal.
  public func take(_ value: Int) {
    let next = inner(value)
    replace(nil)
    replace(next.subscribe { [self] value in mutex.withLock { _ in receive(value) } })
  }

  private func replace(_ token: SlotToken?) {
    let before = mutex.withLock { _ in
      defer { current = token }
      return current
    }
    before?.dispose()
  }
}

/// A hand-written emitter each of whose observers takes one value, and the `flatMap` over it: an object for each inner signal.
public final class OnceEmitter: @unchecked Sendable {
  // Safe: `observers` is touched only under the mutex, `calling` only by who sends, one thread at a time.
  private let mutex = Mutex(())
  @exclusivity(unchecked) private var observers: ContiguousArray<Inner> = []
  @exclusivity(unchecked) private var calling: ContiguousArray<Inner> = []

  /// Makes an emitter without observers.
  public init() {}

  /// Adds an observer of the next value.
  public func addOnce(_ observer: @escaping (Int) -> Void) {
    let inner = Inner(observer)
    mutex.withLock { _ in observers.append(inner) }
  }

  /// Calls all observers, and forgets them.
  public func send(_ value: Int) {
    mutex.withLock { _ in swap(&observers, &calling) }
    for inner in calling { inner.receive(value) }
    calling.removeAll(keepingCapacity: true)
  }

  private final class Inner {
    let receive: (Int) -> Void

    init(_ receive: @escaping (Int) -> Void) { self.receive = receive }
  }
}
