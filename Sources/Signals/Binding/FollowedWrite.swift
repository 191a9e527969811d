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

/// A write of a binding that runs on this thread: of a property's value, which the property is delivering, into another property.
///
/// Bindings of a ring of properties end where a value would be written into the property that delivers it further up the stack, if every write between
/// the two goes into the property that the next one comes from, and if that is still the property's newest value. No other write is dropped, however equal
/// its value is, so a binding outside a ring takes over every value.
@usableFromInline
struct FollowedWrite {
  @usableFromInline typealias Pointer = UnsafeMutablePointer<FollowedWrite>

  // Safe: a thread sees its own writes only, and each is on the stack, as is its value, while it can be found.
  @usableFromInline let source: ObjectIdentifier
  @usableFromInline let target: ObjectIdentifier
  @usableFromInline let value: UnsafeRawPointer
  @usableFromInline let outer: Pointer?

  @inlinable
  init(of value: UnsafeRawPointer, from source: ObjectIdentifier, to target: ObjectIdentifier, inside outer: Pointer?) {
    self.source = source
    self.target = target
    self.value = value
    self.outer = outer
  }

  /// Writes a value of a source into a property, unless the value comes from the property, which has not changed since.
  @inlinable
  static func write<Value>(_ value: Value, from source: ObjectIdentifier, to property: Property<Value>) {
    guard let innermost else { return property.value = value }
    let outer = innermost.pointee
    if outer != nil, hasComeRound(value, from: source, to: property, outer) { return }
    withUnsafePointer(to: value) { pointer in
      var write = FollowedWrite(of: pointer, from: source, to: ObjectIdentifier(property.core), inside: outer)
      withUnsafeMutablePointer(to: &write) { write in
        innermost.pointee = write
        defer { innermost.pointee = outer }
        property.value = value
      }
    }
  }

  @usableFromInline
  static func hasComeRound<Value>(
    _ value: Value, from source: ObjectIdentifier, to property: Property<Value>, _ innermost: Pointer?
  ) -> Bool {
    var next = innermost
    var source = source
    while let write = next {
      // Written for another reason, such as by a handler.
      guard write.pointee.target == source else { return false }
      source = write.pointee.source
      if source == ObjectIdentifier(property.core) {
        // Safe: the values of one source are of one type.
        let delivered = write.pointee.value.assumingMemoryBound(to: Value.self).pointee
        return areEqual(value, delivered) && areEqual(value, property.value)
      }
      next = write.pointee.outer
    }
    return false
  }

  private static func areEqual<Value>(_ value: Value, _ other: Value) -> Bool {
    guard let value = value as? any Equatable, let other = other as? any Equatable else { return false }
    return isSameDynamic(value, other)
  }

  private static func isSameDynamic<First: Equatable>(_ first: First, _ second: any Equatable) -> Bool {
    (second as? First).map { isSame(first, $0) } ?? false
  }

  /// Where this thread keeps its innermost write; nil when the system gives no memory for that.
  @usableFromInline
  static var innermost: UnsafeMutablePointer<Pointer?>? {
    guard let key else { return nil }
    if let memory = pthread_getspecific(key) { return memory.assumingMemoryBound(to: Pointer?.self) }
    // No pointer is all zeros.
    guard let memory = calloc(1, MemoryLayout<Pointer?>.size) else { return nil }
    pthread_setspecific(key, memory)
    return memory.bindMemory(to: Pointer?.self, capacity: 1)
  }

  /// Freed when the thread ends.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key) { free($0) } == 0 ? key : nil
  }()
}

/// What a binding of something to itself returns.
@usableFromInline
func disposedSubscription() -> Subscription {
  let subscription = Subscription()
  subscription.dispose()
  return subscription
}
