public import Synchronization

/// Reads an emitter or a property.
extension EmitterCore {
  /// Whether a value can be read and written atomically without a lock: it is trivial, and has the size of an integer.
  @inlinable
  static var isWord: Bool {
    switch MemoryLayout<Value>.size {
    case 1, 2, 4, 8: _isPOD(Value.self)
    default: false
    }
  }

  /// The bytes of a value, if ``isWord``; else 0.
  @inlinable
  static func word(_ value: Value) -> UInt64 {
    guard isWord else { return 0 }
    switch MemoryLayout<Value>.size {
    // Safe: the sizes are equal in each case, and every trivial value can be read as an integer.
    case 1: return UInt64(unsafeBitCast(value, to: UInt8.self))
    case 2: return UInt64(unsafeBitCast(value, to: UInt16.self))
    case 4: return UInt64(unsafeBitCast(value, to: UInt32.self))
    default: return unsafeBitCast(value, to: UInt64.self)
    }
  }

  /// The newest value of an emitter with memory that has one. Only if ``isWord``.
  @inlinable
  final func readWithoutLock() -> Value {
    let word = newestWord.load(ordering: .acquiring)
    switch MemoryLayout<Value>.size {
    // Safe: the sizes are equal in each case, and the integer was created from a value.
    case 1: return unsafeBitCast(UInt8(truncatingIfNeeded: word), to: Value.self)
    case 2: return unsafeBitCast(UInt16(truncatingIfNeeded: word), to: Value.self)
    case 4: return unsafeBitCast(UInt32(truncatingIfNeeded: word), to: Value.self)
    default: return unsafeBitCast(word, to: Value.self)
    }
  }

  final var subscriberCount: Int {
    if lock.withLock({ table.liveCount }) == 0 { return 0 }
    OwnerBond.sweep()
    return lock.withLock { table.liveCount }
  }

  /// The number of values that wait for the delivering thread, plus that of events for subscribers that still get
  /// earlier ones.
  final var waitingCount: Int {
    // Under the lock no value begins to wait, so the first number is not behind the second.
    lock.withLock {
      let handedOver = lastWaiting.load(ordering: .relaxed) &- lastBegun.load(ordering: .relaxed)
      return Int(clamping: handedOver &+ arrivalCount.load(ordering: .relaxed))
    }
  }

  final var sentCount: UInt64 { lock.withLock { sent.load(ordering: .relaxed) &- sentBase } }

  final func resetSentCount() {
    lock.withLock { sentBase = sent.load(ordering: .relaxed) }
  }
}
