public import Synchronization

/// What a hand-written `flatMap` gets from its closure: a value, or something to subscribe to.
public enum ClosureInner {
  /// One value and nothing else.
  case just(Int)
  /// An object that delivers when it is started.
  case object(JustObject)
}

/// A signal of one value as an object of its own.
public final class JustObject {
  @usableFromInline let value: Int

  /// Makes the object.
  @inlinable
  public init(_ value: Int) { self.value = value }

  /// Delivers the value, then the end.
  @inlinable
  public func start(_ receive: @escaping (Int) -> Void, _ end: @escaping () -> Void) -> InnerToken {
    let token = InnerToken()
    if !token.isDisposed { receive(value) }
    end()
    return token
  }
}

/// Ends one inner subscription.
public final class InnerToken {
  @exclusivity(unchecked) @usableFromInline var isDisposed = false

  @inlinable
  init() {}
}

/// A hand-written `flatMap` and `flatMapLatest`: one mutex, and the inner subscription of now.
public final class ClosureFlattening: @unchecked Sendable {
  // Safe: touched only under the mutex.
  @usableFromInline let mutex = Mutex(())
  @exclusivity(unchecked) @usableFromInline var current: InnerToken?
  @exclusivity(unchecked) @usableFromInline var active = 0
  @usableFromInline let isLatest: Bool
  @usableFromInline let transform: (Int) -> ClosureInner
  @usableFromInline let receive: (Int) -> Void

  /// Makes the operator; `isLatest` ends the inner signal of before when another value comes.
  public init(isLatest: Bool, _ transform: @escaping (Int) -> ClosureInner, _ receive: @escaping (Int) -> Void) {
    self.isLatest = isLatest
    self.transform = transform
    self.receive = receive
  }

  /// Takes a value of the outer signal.
  @inlinable
  public func take(_ value: Int) {
    let inner = transform(value)
    mutex.withLock { _ in
      if isLatest, let before = current {
        before.isDisposed = true
        current = nil
      }
      switch inner {
      case .just(let output): receive(output)
      case .object(let object):
        active &+= 1
        let token = object.start({ [receive] in receive($0) }, { [self] in active &-= 1 })
        if isLatest { current = token }
      }
    }
  }
}
