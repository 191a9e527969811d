import Synchronization

/// The memory needed by the nodes of a chain, as far as known before the chain is connected.
///
/// The nodes directly below and above are known. For the rest, the size of the last chain that began at the same
/// location is remembered, so that its nodes, including the unknown ones, are in one block of memory. If that was
/// another chain, there is a little too much memory or another block.
@usableFromInline
package struct ChainCapacity: Sendable {
  /// The known size, in units; see ``ChainLayout/unit``.
  private let known: Int
  /// A hash of the location; others may have the same.
  let place: UInt8

  /// Creates the capacity for the known nodes.
  ///
  /// - Parameters:
  ///   - units: The size of the known nodes.
  ///   - upper: The location of the uppermost one.
  ///   - subscriber: The location of the subscriber, if there is one.
  @usableFromInline
  package init(_ units: Int, of upper: Site, subscriber: Site? = nil) {
    known = units
    let hash = upper.shortHash ^ (subscriber?.shortHash ?? 0)
    place = UInt8(truncatingIfNeeded: hash >> 56)
  }

  /// The number of units to allocate.
  var units: Int { max(known, CapacityMemory.shared.units(at: place)) }
}

/// The size of the last chain's nodes, by location.
// Safe: it is not changed; the memory that it points to is atomic.
struct CapacityMemory: ~Copyable, @unchecked Sendable {
  static let shared = CapacityMemory()

  private static var placeCount: Int { Int(UInt8.max) + 1 }

  private let taken: UnsafeMutablePointer<Atomic<UInt16>>

  init() {
    taken = .allocate(capacity: Self.placeCount)
    for index in 0..<Self.placeCount { (taken + index).initialize(to: Atomic(0)) }
  }

  deinit {
    taken.deinitialize(count: Self.placeCount)
    taken.deallocate()
  }

  /// The remembered size, in units; 0 if there is none.
  func units(at place: UInt8) -> Int { Int(taken[Int(place)].load(ordering: .relaxed)) }

  /// Remembers a size in units, up to a kilobyte.
  func remember(_ units: Int, at place: UInt8) {
    let units = UInt16(truncatingIfNeeded: min(units, 128))
    // Most chains of one location have the same size: nothing is written then.
    if taken[Int(place)].load(ordering: .relaxed) != units { taken[Int(place)].store(units, ordering: .relaxed) }
  }
}
