import Synchronization

/// A strong reference that is set at most once, from any thread.
///
/// Instead of `AtomicLazyReference`, whose code is not specialised outside its own module and takes some hundred
/// instructions.
struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object; 0 until it is set.
  private let address = Atomic<UInt>(0)

  deinit {
    unmanaged?.release()
  }

  /// The object, without a retain: it stays until this is deinitialized.
  var unmanaged: Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map(Unmanaged.fromOpaque)
  }

  var isSet: Bool { address.load(ordering: .relaxed) != 0 }

  // Safe: the object stays until this is deinitialized.
  func load() -> Object? { unmanaged?.takeUnretainedValue() }

  /// Sets another reference, unless it is set, to the same object.
  func share(with other: borrowing OnceReference<Object>) {
    guard let unmanaged else { return }
    // Safe: the object stays until this is deinitialized.
    _ = unmanaged.retain()
    let isShared = other.address.compareExchange(
      expected: 0, desired: UInt(bitPattern: unmanaged.toOpaque()), ordering: .acquiringAndReleasing
    ).exchanged
    if !isShared { unmanaged.release() }
  }

  /// Sets the reference, unless it is set.
  ///
  /// - Returns: The current object.
  @discardableResult
  func storeIfNil(_ object: consuming Object) -> Object {
    let new = Unmanaged.passRetained(object)
    let result = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    // Safe: if another object was set before, it stays.
    let old = result.exchanged ? nil : UnsafeRawPointer(bitPattern: result.original)
    guard let old else { return new.takeUnretainedValue() }
    new.release()
    return Unmanaged<Object>.fromOpaque(old).takeUnretainedValue()
  }
}
