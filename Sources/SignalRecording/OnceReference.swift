import Synchronization

/// A strong reference that is set at most once, from any thread.
///
/// In place of `AtomicLazyReference`, whose code is not specialised outside its own module and takes some hundred instructions.
struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object; 0 until it is set.
  private let address = Atomic<UInt>(0)

  deinit {
    unmanaged?.release()
  }

  /// The object, without a retain: what was set stays until this goes.
  var unmanaged: Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map(Unmanaged.fromOpaque)
  }

  var isSet: Bool { address.load(ordering: .relaxed) != 0 }

  // Safe: what was set stays until this goes.
  func load() -> Object? { unmanaged?.takeUnretainedValue() }

  /// Lets another reference, unless it is set, refer to the same object.
  func share(with other: borrowing OnceReference<Object>) {
    guard let unmanaged else { return }
    // Safe: what was set stays until this goes.
    _ = unmanaged.retain()
    let isShared = other.address.compareExchange(
      expected: 0, desired: UInt(bitPattern: unmanaged.toOpaque()), ordering: .acquiringAndReleasing
    ).exchanged
    if !isShared { unmanaged.release() }
  }

  /// Sets the reference, unless it is set.
  ///
  /// - Returns: What is set now.
  @discardableResult
  func storeIfNil(_ object: consuming Object) -> Object {
    let new = Unmanaged.passRetained(object)
    let result = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    // Safe: when another object was set before, it stays.
    let old = result.exchanged ? nil : UnsafeRawPointer(bitPattern: result.original)
    guard let old else { return new.takeUnretainedValue() }
    new.release()
    return Unmanaged<Object>.fromOpaque(old).takeUnretainedValue()
  }
}
