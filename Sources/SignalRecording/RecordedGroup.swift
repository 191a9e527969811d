public import Synchronization

/// Where what passes a group of nodes is counted: one node, or those of joined operators; perhaps with the subscriber directly below them.
///
/// Whoever makes it holds the closures of the group, and calls ``freed()`` when it goes.
// Safe: everything is constant. The record lives until ``freed()`` is called, and the group's memory as long as the record; counters are
// written by one thread at a time, as a chain is serial, and are atomic.
@usableFromInline
package struct RecordedGroup: @unchecked Sendable {
  private let record: ChainRecord
  /// The counters, in the order in which a value passes the nodes.
  @usableFromInline package let counters: UnsafeMutablePointer<Atomic<UInt64>>

  /// Adds a node to a chain.
  package init(_ site: Site, in record: ChainRecord) {
    self.init(.single(site), record)
  }

  /// Adds the node of a subscriber to a chain, and that of the operator directly above it.
  package init(_ site: Site, subscriber: Site, in record: ChainRecord) {
    self.init(.pair(site, subscriber: subscriber), record)
  }

  /// Adds the nodes of joined operators to a chain, perhaps with that of the subscriber directly below them.
  ///
  /// - Parameter list: Kept by the caller for the call.
  package init(_ list: Unmanaged<SiteList>, in record: ChainRecord) {
    self.init(.joined(list), record)
  }

  private init(_ sites: consuming GroupSites, _ record: ChainRecord) {
    self.record = record
    counters = NodeGroup.counters(record.append(sites))
  }

  private var group: UnsafeMutablePointer<NodeGroup> { NodeGroup.group(of: counters) }

  /// Counts a value. Called by one thread at a time, so no read-modify-write is needed.
  @inlinable
  package static func count(_ counter: UnsafeMutablePointer<Atomic<UInt64>>) {
    counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// Whether what the group delivers is traced, for ``trace(_:)``.
  @inlinable
  package static func isTraced(_ counters: UnsafeMutablePointer<Atomic<UInt64>>) -> Bool {
    (UnsafeMutableRawPointer(counters) - traceDistance).assumingMemoryBound(to: Atomic<Bool>.self).pointee
      .load(ordering: .relaxed)
  }

  /// From the flag to the counters. Between them is what the counters' alignment leaves free.
  @inlinable
  package static var traceDistance: Int {
    MemoryLayout<Int>.size == 4 && MemoryLayout<Atomic<UInt64>>.alignment == 8 ? 6 : 2
  }

  /// Delivers a value to what is below the group, and notes what its handler does.
  ///
  /// - Parameter value: The value, for who wants to see it.
  @usableFromInline
  package func trace(_ value: () -> any Sendable, _ deliver: () throws -> Void) rethrows {
    try record.trace(group, value, deliver)
  }

  /// Notes that the group delivers its end.
  package func ended(failure: (any Error)?) {
    record.ended(group, failure: failure)
  }

  /// Notes that nothing holds the closures of the group any more. Called once.
  package func freed() {
    record.freed(group)
  }
}
