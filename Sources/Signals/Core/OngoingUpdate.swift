import Foundation

/// A call of ``Property/update(_:)`` whose closure is running on this thread: it counts the writes of this very thread to the property, which
/// are none of another's that the update would have to give way to.
@usableFromInline
struct OngoingUpdate {
  @usableFromInline let property: ObjectIdentifier
  @usableFromInline let outer: UnsafeMutablePointer<OngoingUpdate>?
  @usableFromInline var writeCount: UInt64 = 0

  // Safe: a thread sees its own updates only, and each is on the stack while it can be found.
  @usableFromInline
  init(_ property: AnyObject) {
    self.property = ObjectIdentifier(property)
    self.outer = Self.innermost
  }

  /// The innermost update on this thread.
  @usableFromInline
  static var innermost: UnsafeMutablePointer<OngoingUpdate>? {
    get { key.flatMap { pthread_getspecific($0) }?.assumingMemoryBound(to: OngoingUpdate.self) }
    set { if let key { pthread_setspecific(key, newValue) } }
  }

  /// Notes a write of this thread.
  @usableFromInline
  static func noteWrite(to property: AnyObject) {
    var next = innermost
    while let update = next {
      if update.pointee.property == ObjectIdentifier(property) { update.pointee.writeCount += 1 }
      next = update.pointee.outer
    }
  }

  /// Nil when the program has used up all keys that the system gives.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()
}
