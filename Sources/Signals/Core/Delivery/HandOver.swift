import Synchronization

/// The delivery queue: values on their way from the threads that enqueue them to the one that delivers them.
///
/// Values are added under the emitter's lock and taken inside its gate, possibly at the same time on two threads: so
/// the delivering thread needs no lock for a value. Neither end counts: the emitter knows how many values were added
/// and taken from their numbers.
///
/// The values are in blocks of memory, in their order. An emptied block is reused.
// Safe: `spare` is atomic; `free`, `freeEnd` and `last` are touched only under the emitter's lock, `next`, `nextEnd`
// and `first` only inside its gate, and by `add` and `rewind` when no thread takes. A position is written before the
// number of its value is stored with release ordering, and read after that was loaded with acquire ordering. Unchecked
// exclusivity: nothing is called while a variable is changed.
@usableFromInline
final class HandOver<Value: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Block = HandOverBlock<Value>

  /// The position of the next value to add, and the end of its block.
  @exclusivity(unchecked) @usableFromInline var free: UnsafeMutablePointer<Value>?
  @exclusivity(unchecked) @usableFromInline var freeEnd: UnsafeMutablePointer<Value>?
  @exclusivity(unchecked) private var last: Block?
  /// An empty block, if there is one.
  private let spare = Atomic<UnsafeMutableRawPointer?>(nil)
  /// Keeps the two ends on separate cache lines: else each thread would fetch a line with every value that the other
  /// one only writes.
  private let distance = CacheLine()
  /// The position of the next value to take, and the end of its block.
  @exclusivity(unchecked) @usableFromInline var next: UnsafeMutablePointer<Value>?
  @exclusivity(unchecked) @usableFromInline var nextEnd: UnsafeMutablePointer<Value>?
  @exclusivity(unchecked) private var first: Block?

  @usableFromInline
  init() {}

  /// Adds a value. Under the emitter's lock.
  @inlinable
  @inline(__always)
  func add(_ value: Value) {
    if free == freeEnd { makeSpace() }
    let place = free.unsafelyUnwrapped
    place.initialize(to: value)
    free = place + 1
  }

  /// Takes the next value, which the caller knows to have been added. Inside the emitter's gate.
  @inlinable
  @inline(__always)
  func take() -> Value {
    if next == nextEnd { goOn() }
    let place = next.unsafelyUnwrapped
    next = place + 1
    return place.move()
  }

  /// Starts again from the beginning of a block when every value has been taken. Under the emitter's lock and inside
  /// its gate.
  ///
  /// Only this function writes both ends, so it needs both: the lock keeps out threads that add, the gate those that
  /// take. It requires that both ends are in the same block. That follows from `next == free` and from ``take()``,
  /// which moves to the next block before it takes the first value of that block, and not after the last one of its
  /// own: the last value taken is the last one added, which is in `last`.
  @usableFromInline
  func rewind() {
    debugAssert(next == free, "only what is empty is rewound")
    debugAssert(first?.address == last?.address && nextEnd == freeEnd, "both ends are in one block when nothing waits")
    guard let last else { return }
    next = last.places
    free = last.places
  }

  /// Makes a block the last one: an empty one, or a new one of twice the size.
  @usableFromInline
  func makeSpace() {
    let block: Block
    if let spare = spare.exchange(nil, ordering: .acquiring) {
      block = Block(address: spare)
    } else {
      block = Block(capacity: min(Self.greatestCapacity, (last?.capacity ?? 4) * 2))
    }
    if let last {
      last.next = block
    } else {
      // The first value ever: no thread takes yet.
      (first, next, nextEnd) = (block, block.places, block.end)
    }
    (last, free, freeEnd) = (block, block.places, block.end)
  }

  /// Moves to the next block, which has a value, and keeps the empty one for reuse, or frees it.
  @usableFromInline
  func goOn() {
    guard let empty = first, let block = empty.next else { return }
    (first, next, nextEnd) = (block, block.places, block.end)
    empty.next = nil
    let other = spare.exchange(empty.address, ordering: .acquiringAndReleasing)
    if let other { Block(address: other).deallocate() }
  }

  /// The capacity of a block that still fits the caches of two CPUs.
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

/// Memory for some values, and the address of the next block.
@usableFromInline
struct HandOverBlock<Value> {
  // Safe: the memory begins with `next` and `capacity`; the values follow, aligned.
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

/// As much memory as a CPU fetches at a time.
struct CacheLine {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
}
