import Synchronization

/// How much memory the nodes of a chain take, as far as that is known before the chain is connected.
///
/// What is directly below or above is known. For the rest, it is remembered how much the last chain took that began at the same place: so its nodes
/// lie in one block of memory, also those that were not known. If that was another chain, there is a little too much or another block.
@usableFromInline
package struct ChainRoom: Sendable {
  /// What is known, in units; see ``ChainLayout/unit``.
  private let known: Int
  /// Stands for the place; others may have the same.
  let place: UInt8

  /// Makes room for what is known.
  ///
  /// - Parameters:
  ///   - units: What the nodes take that are known.
  ///   - upper: Where the uppermost of these is written.
  ///   - subscriber: Where the subscriber is written, if there is one.
  @usableFromInline
  package init(_ units: Int, of upper: Site, subscriber: Site? = nil) {
    known = units
    let hash = upper.shortHash ^ (subscriber?.shortHash ?? 0)
    place = UInt8(truncatingIfNeeded: hash >> 56)
  }

  /// How many units to make room for.
  var units: Int { max(known, RoomMemory.shared.units(at: place)) }
}

/// How much memory the nodes of the last chain took, by place.
// Safe: it is not changed; what it points to is atomic.
struct RoomMemory: ~Copyable, @unchecked Sendable {
  static let shared = RoomMemory()

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

  /// What is remembered, in units; 0 if nothing is.
  func units(at place: UInt8) -> Int { Int(taken[Int(place)].load(ordering: .relaxed)) }

  /// Remembers so many units, up to a kilobyte.
  func remember(_ units: Int, at place: UInt8) {
    let units = UInt16(truncatingIfNeeded: min(units, 128))
    // Most chains of one place take the same: nothing is written then.
    if taken[Int(place)].load(ordering: .relaxed) != units { taken[Int(place)].store(units, ordering: .relaxed) }
  }
}
