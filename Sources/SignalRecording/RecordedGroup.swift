public import Synchronization

/// The counters of a group of nodes: one node, or those of fused operators; possibly with the subscriber directly below
/// them.
///
/// Its creator is retained by the closures of the group, and calls ``freed()`` when it is deallocated.
// Safe: everything is constant. The record lives until ``freed()`` is called, and the group's memory as long as the
// record; counters are written by one thread at a time, as a chain is serial, and are atomic.
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

  /// Adds the nodes of fused operators to a chain, possibly with that of the subscriber directly below them.
  ///
  /// - Parameter list: Retained by the caller for the call.
  package init(_ list: Unmanaged<SiteList>, in record: ChainRecord) {
    self.init(.fused(list), record)
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

  /// Whether the group's deliveries are profiled, for ``trace(_:_:)``.
  @inlinable
  package static func isTraced(_ counters: UnsafeMutablePointer<Atomic<UInt64>>) -> Bool {
    (UnsafeMutableRawPointer(counters) - traceDistance).assumingMemoryBound(to: Atomic<Bool>.self).pointee
      .load(ordering: .relaxed)
  }

  /// The distance from the flag to the counters. Between them is the padding of the counters' alignment.
  @inlinable
  package static var traceDistance: Int {
    MemoryLayout<Int>.size == 4 && MemoryLayout<Atomic<UInt64>>.alignment == 8 ? 6 : 2
  }

  /// Delivers a value downstream of the group, and profiles its handler.
  ///
  /// - Parameter value: The value, for a description.
  @usableFromInline
  package func trace(_ value: () -> any Sendable, _ deliver: () throws -> Void) rethrows {
    try record.trace(group, value, deliver)
  }

  /// Notes that the group delivers its end.
  package func ended(failure: (any Error)?) {
    record.ended(group, failure: failure)
  }

  /// Notes that the closures of the group have been released. Called once.
  package func freed() {
    record.freed(group)
  }
}
