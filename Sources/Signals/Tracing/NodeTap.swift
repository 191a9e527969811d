public import Synchronization

/// Stands in a chain while the graph is on: counts what passes a group of nodes, and notes their end.
///
/// It is the one object that the closures in the chain capture, so it is freed with the last of them.
@usableFromInline
class NodeTap: @unchecked Sendable {
  // Safe: everything is constant. The record lives at least as long as the tap, and the group's memory as long as the record; counters are
  // written by one thread at a time, as a chain is serial, and are atomic.
  private let record: ChainRecord
  /// The counters of the group, in the order in which a value passes the nodes. They are there as long as the tap.
  @usableFromInline final let counters: UnsafeMutablePointer<Atomic<UInt64>>

  init(_ sites: consuming GroupSites, _ record: ChainRecord) {
    self.record = record
    self.counters = NodeGroup.counters(record.append(sites))
  }

  deinit {
    record.freed(group)
  }

  private final var group: UnsafeMutablePointer<NodeGroup> { NodeGroup.group(of: counters) }

  /// Counts a value. Called by one thread at a time, so no read-modify-write is needed.
  @inlinable
  static func count(_ counter: UnsafeMutablePointer<Atomic<UInt64>>) {
    counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// Notes that the group delivers its end.
  @usableFromInline
  final func noteEnd(_ completion: Completion) {
    record.ended(group, completion)
  }
}

/// The tap of one operator's node, or of a subscriber's.
@usableFromInline
final class ObserverTap<Value: Sendable>: NodeTap, @unchecked Sendable {
  // Safe: everything is constant.
  private let next: Observer<Value>

  @inline(__always)
  private init(_ next: consuming Observer<Value>, _ site: Site, _ record: ChainRecord) {
    self.next = consume next
    super.init(.single(site), record)
  }

  /// Adds a node to a chain and puts its counter in front of the observer below it.
  ///
  /// Not inlinable: where the type of value is not known, values travel through as addresses, without any conversion.
  @usableFromInline
  static func observer(
    above next: consuming Observer<Value>, _ site: Site, _ record: ChainRecord
  ) -> Observer<Value> {
    let tap = ObserverTap(consume next, site, record)
    return Observer(
      receive: { value in
        NodeTap.count(tap.counters)
        try tap.next.receive(value)
      },
      end: { completion in
        tap.noteEnd(completion)
        tap.next.end(completion)
      })
  }
}
