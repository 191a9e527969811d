import Synchronization

/// Values on their way from those who leave them behind to the one who delivers them.
///
/// Values are added under the emitter's lock and taken inside its gate, which may be done at the same time on two threads: so who delivers
/// needs no lock for a value. Neither end counts: how many values were added, and how many taken, the emitter knows by their numbers.
///
/// The values are in blocks of memory, in their order. A block that was emptied is filled again.
// Safe: `spare` is atomic; `free`, `freeEnd` and `last` are touched only under the emitter's lock, `next`, `nextEnd` and `first` only inside
// its gate, and by `add` and `rewind` when nobody takes. A place is written before the number of its value is stored with release ordering,
// and read after that was loaded with acquire ordering. Unchecked exclusivity: nothing is called while a variable is changed.
@usableFromInline
final class HandOver<Value: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Block = HandOverBlock<Value>

  /// The place of the next value to add, and the end of the block that it is in.
  @exclusivity(unchecked) @usableFromInline var free: UnsafeMutablePointer<Value>?
  @exclusivity(unchecked) @usableFromInline var freeEnd: UnsafeMutablePointer<Value>?
  @exclusivity(unchecked) private var last: Block?
  /// An empty block, if there is one.
  private let spare = Atomic<UnsafeMutableRawPointer?>(nil)
  /// Keeps the two ends on cache lines of their own: else each thread would fetch a line with every value that the other one only writes.
  private let distance = CacheLine()
  /// The place of the next value to take, and the end of the block that it is in.
  @exclusivity(unchecked) @usableFromInline var next: UnsafeMutablePointer<Value>?
  @exclusivity(unchecked) @usableFromInline var nextEnd: UnsafeMutablePointer<Value>?
  @exclusivity(unchecked) private var first: Block?

  @usableFromInline
  init() {}

  /// Adds a value. Under the emitter's lock.
  @inlinable
  @inline(__always)
  func add(_ value: Value) {
    if free == freeEnd { makeRoom() }
    let place = free.unsafelyUnwrapped
    place.initialize(to: value)
    free = place + 1
  }

  /// Takes the next value out, of which the caller knows that it was added. Inside the emitter's gate.
  @inlinable
  @inline(__always)
  func take() -> Value {
    if next == nextEnd { goOn() }
    let place = next.unsafelyUnwrapped
    next = place + 1
    return place.move()
  }

  /// Starts again from the beginning of a block when every value has been taken. Under the emitter's lock and inside its gate.
  ///
  /// It is the only place that writes both ends, so it needs both: the lock keeps out threads that add, the gate those that take. It requires that
  /// both ends are in the same block. That follows from `next == free` and from ``take()``, which moves to the next block before it takes the first value of
  /// that block, and not after the last one of its own: the last value taken is the last one added, which is in `last`.
  @usableFromInline
  func rewind() {
    debugAssert(next == free, "only what is empty is rewound")
    debugAssert(first?.address == last?.address && nextEnd == freeEnd, "both ends are in one block when nothing waits")
    guard let last else { return }
    next = last.places
    free = last.places
  }

  /// Makes a block the last one, an empty one or a new one of twice the size.
  @usableFromInline
  func makeRoom() {
    let block: Block
    if let spare = spare.exchange(nil, ordering: .acquiring) {
      block = Block(address: spare)
    } else {
      block = Block(capacity: min(Self.greatestCapacity, (last?.capacity ?? 4) * 2))
    }
    if let last {
      last.next = block
    } else {
      // The first value ever: nobody takes yet.
      (first, next, nextEnd) = (block, block.places, block.end)
    }
    (last, free, freeEnd) = (block, block.places, block.end)
  }

  /// Goes on to the next block, which has a value, and keeps the empty one for reuse, or frees it.
  @usableFromInline
  func goOn() {
    guard let empty = first, let block = empty.next else { return }
    (first, next, nextEnd) = (block, block.places, block.end)
    empty.next = nil
    let other = spare.exchange(empty.address, ordering: .acquiringAndReleasing)
    if let other { Block(address: other).deallocate() }
  }

  /// So many that a block that is in the caches of two processors is not too large for them.
  private static var greatestCapacity: Int { max(8, 8_192 / MemoryLayout<Value>.stride) }

  deinit {
    while next != free {
      if next == nextEnd { goOn() }
      _ = take()
    }
    last?.deallocate()
    if let spare = spare.load(ordering: .relaxed) { Block(address: spare).deallocate() }
  }
}

/// Memory for some values, and the address of the block that follows.
@usableFromInline
struct HandOverBlock<Value> {
  // Safe: the memory begins with `next` and `capacity`; the places follow, aligned for a value.
  let address: UnsafeMutableRawPointer

  private static var alignment: Int { max(MemoryLayout<Value>.alignment, MemoryLayout<Int>.alignment) }
  private static var header: Int {
    let size = 2 * MemoryLayout<Int>.size
    return (size + alignment - 1) / alignment * alignment
  }

  init(address: UnsafeMutableRawPointer) {
    self.address = address
  }

  init(capacity: Int) {
    address = .allocate(
      byteCount: Self.header + capacity * MemoryLayout<Value>.stride, alignment: Self.alignment)
    (address + MemoryLayout<Int>.size).storeBytes(of: capacity, as: Int.self)
    next = nil
  }

  var next: Self? {
    get { address.load(as: UnsafeMutableRawPointer?.self).map(Self.init(address:)) }
    nonmutating set { address.storeBytes(of: newValue?.address, as: UnsafeMutableRawPointer?.self) }
  }
  var capacity: Int { (address + MemoryLayout<Int>.size).load(as: Int.self) }
  var places: UnsafeMutablePointer<Value> { (address + Self.header).assumingMemoryBound(to: Value.self) }
  var end: UnsafeMutablePointer<Value> { places + capacity }

  func deallocate() {
    address.deallocate()
  }
}

/// As much memory as a processor fetches at a time.
struct CacheLine {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
}
