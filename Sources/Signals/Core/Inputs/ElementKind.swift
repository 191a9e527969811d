/// Copies, moves and destroys values of a type that the caller does not know.
///
/// Operators that take any number of inputs of any types handle their values in memory: the compiler does not
/// specialise code with parameter packs for the types of its elements, and generates code that looks up types for every
/// value instead.
// Safe: nothing changes after `init`.
@usableFromInline
class ElementKind: @unchecked Sendable {
  final let size: Int
  final let stride: Int
  final let alignment: Int
  /// Whether the type is trivial: copying a value's bytes copies the value, and destroying it does nothing.
  final let isTrivial: Bool

  fileprivate init<Value>(_ type: Value.Type) {
    size = MemoryLayout<Value>.size
    stride = MemoryLayout<Value>.stride
    alignment = MemoryLayout<Value>.alignment
    isTrivial = _isPOD(type)
  }

  /// Creates the kind of a type.
  @usableFromInline
  static func of<Value: Sendable>(_ type: Value.Type) -> ElementKind { KnownElementKind<Value>(type) }

  /// Initializes memory with a copy of a value.
  final func initialize(_ target: UnsafeMutableRawPointer, copying source: UnsafeRawPointer) {
    assertAligned(target)
    assertAligned(source)
    if isTrivial { copyBytes(target, source) } else { initializeKnown(target, copying: source) }
  }

  /// Replaces a value by a copy of another.
  final func assign(_ target: UnsafeMutableRawPointer, copying source: UnsafeRawPointer) {
    assertAligned(target)
    assertAligned(source)
    if isTrivial { copyBytes(target, source) } else { assignKnown(target, copying: source) }
  }

  /// Moves a value into uninitialized memory; the source is uninitialized then.
  final func initialize(_ target: UnsafeMutableRawPointer, moving source: UnsafeMutableRawPointer) {
    assertAligned(target)
    assertAligned(source)
    if isTrivial { copyBytes(target, source) } else { initializeKnown(target, moving: source) }
  }

  /// Destroys a value; the memory is uninitialized then.
  final func destroy(_ target: UnsafeMutableRawPointer) {
    assertAligned(target)
    if !isTrivial { destroyKnown(target) }
  }

  /// Stops a debug build if a value of this kind cannot be at an address.
  private final func assertAligned(_ address: UnsafeRawPointer) {
    debugAssert(UInt(bitPattern: address) % UInt(alignment) == 0, "a value is where its alignment allows")
  }

  private final func copyBytes(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer) {
    if size == MemoryLayout<UInt64>.size {
      target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
    } else {
      target.copyMemory(from: source, byteCount: size)
    }
  }

  fileprivate func initializeKnown(_ target: UnsafeMutableRawPointer, copying source: UnsafeRawPointer) {}
  fileprivate func initializeKnown(_ target: UnsafeMutableRawPointer, moving source: UnsafeMutableRawPointer) {}
  fileprivate func assignKnown(_ target: UnsafeMutableRawPointer, copying source: UnsafeRawPointer) {}
  fileprivate func destroyKnown(_ target: UnsafeMutableRawPointer) {}
}

// Safe: as in the superclass. Callers pass pointers to values of this type.
private final class KnownElementKind<Value: Sendable>: ElementKind, @unchecked Sendable {
  override func initializeKnown(_ target: UnsafeMutableRawPointer, copying source: UnsafeRawPointer) {
    target.initializeMemory(as: Value.self, from: source.assumingMemoryBound(to: Value.self), count: 1)
  }

  override func initializeKnown(_ target: UnsafeMutableRawPointer, moving source: UnsafeMutableRawPointer) {
    // Not `moveInitializeMemory`: that moves an array, so it also writes the bytes between the value's size and its
    // stride, where the next element of a row may begin, or which may not belong to the row.
    target.initializeMemory(as: Value.self, to: source.assumingMemoryBound(to: Value.self).move())
  }

  override func assignKnown(_ target: UnsafeMutableRawPointer, copying source: UnsafeRawPointer) {
    target.assumingMemoryBound(to: Value.self).update(from: source.assumingMemoryBound(to: Value.self), count: 1)
  }

  override func destroyKnown(_ target: UnsafeMutableRawPointer) {
    target.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }
}

/// A value of a kind, on the heap.
// Safe: nothing changes after `init`.
@usableFromInline
final class BoxedElement: @unchecked Sendable {
  private let kind: ElementKind
  @usableFromInline let address: UnsafeMutableRawPointer

  @usableFromInline
  init(_ kind: ElementKind, copying source: UnsafeRawPointer) {
    self.kind = kind
    address = .allocate(byteCount: max(1, kind.size), alignment: kind.alignment)
    kind.initialize(address, copying: source)
  }

  deinit {
    kind.destroy(address)
    address.deallocate()
  }
}
