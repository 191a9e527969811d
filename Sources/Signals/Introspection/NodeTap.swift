public import Synchronization

/// Stands in a chain while the graph is on: counts what passes a group of nodes, and notes their end.
///
/// It is the one object that the closures in the chain capture, so it is freed with the last of them.
@usableFromInline
class NodeTap: @unchecked Sendable {
  // Safe: everything is constant. The record lives at least as long as the tap, and the group's memory as long as the record; counters are
  // written by one thread at a time, as a chain is serial, and are atomic.
  private let record: Unmanaged<ChainRecord>
  private let group: UnsafeMutablePointer<NodeGroup>
  private let end: @Sendable (Completion) -> Void

  /// Adds the nodes of a stretch of operators that one closure stands for.
  @usableFromInline
  convenience init(_ list: SiteList, _ record: Unmanaged<ChainRecord>, end: @escaping @Sendable (Completion) -> Void) {
    self.init(.fused(list), record, end: end)
  }

  fileprivate init(
    _ sites: GroupSites, _ record: Unmanaged<ChainRecord>, end: @escaping @Sendable (Completion) -> Void
  ) {
    self.record = record
    self.group = record._withUnsafeGuaranteedRef { $0.append(sites) }
    self.end = end
  }

  deinit {
    record._withUnsafeGuaranteedRef { $0.freed(group) }
  }

  /// The counters of the group, in the order in which a value passes the nodes. They are there as long as the tap.
  @usableFromInline
  final var counters: UnsafeMutablePointer<Atomic<UInt64>> { NodeGroup.counters(group) }

  /// Counts a value. Called by one thread at a time, so no read-modify-write is needed.
  @inlinable
  static func count(_ counter: UnsafeMutablePointer<Atomic<UInt64>>) {
    counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// Notes the end and hands it on.
  @usableFromInline
  final var endClosure: @Sendable (Completion) -> Void {
    { completion in
      self.record._withUnsafeGuaranteedRef { $0.ended(self.group, completion) }
      self.end(completion)
    }
  }
}

/// The tap of one operator's node, or of a subscriber's.
@usableFromInline
final class ObserverTap<Value: Sendable>: NodeTap, @unchecked Sendable {
  // Safe: everything is constant.
  private let receive: @Sendable (Value) throws -> Void

  @usableFromInline
  init(_ observer: Observer<Value>, _ site: Site, _ record: Unmanaged<ChainRecord>) {
    receive = observer.receive
    super.init(.single(site), record, end: observer.end)
  }

  /// The observer with the counter in front of it.
  ///
  /// Not inlinable: where the type of value is not known, values travel through as addresses, without any conversion.
  @usableFromInline
  var observer: Observer<Value> {
    Observer(
      receive: { value in
        NodeTap.count(self.counters)
        try self.receive(value)
      },
      end: endClosure)
  }
}
