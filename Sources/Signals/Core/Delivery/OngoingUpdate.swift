#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#else
  #error("Signals needs the C library of the system: it knows Darwin, Android, Musl and Glibc.")
#endif

/// A call of ``Property/update(_:)`` whose closure is running on this thread: it counts this thread's own writes to the
/// property, which are not another thread's, to which the update would have to give way.
@usableFromInline
struct OngoingUpdate {
  @usableFromInline typealias Pointer = UnsafeMutablePointer<OngoingUpdate>

  // Safe: a thread sees its own updates only, and each is on the stack while it can be found.
  @usableFromInline let property: ObjectIdentifier
  @usableFromInline let outer: Pointer?
  @usableFromInline var writeCount: UInt64 = 0

  @inlinable
  init(_ property: AnyObject, inside outer: Pointer?) {
    self.property = ObjectIdentifier(property)
    self.outer = outer
  }

  /// The location of this thread's innermost update; nil if the system gives no memory for it.
  @usableFromInline
  static var innermost: UnsafeMutablePointer<Pointer?>? {
    guard let key else { return nil }
    if let memory = pthread_getspecific(key) { return memory.assumingMemoryBound(to: Pointer?.self) }
    // No pointer is all zeros.
    guard let memory = calloc(1, MemoryLayout<Pointer?>.size) else { return nil }
    pthread_setspecific(key, memory)
    return memory.bindMemory(to: Pointer?.self, capacity: 1)
  }

  /// Notes a write of this thread.
  @usableFromInline
  static func noteWrite(to property: AnyObject) {
    var next = innermost?.pointee
    while let update = next {
      if update.pointee.property == ObjectIdentifier(property) { update.pointee.writeCount += 1 }
      next = update.pointee.outer
    }
  }

  /// Freed when the thread ends.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key) { free($0) } == 0 ? key : nil
  }()
}
