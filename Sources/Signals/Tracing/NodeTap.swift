/// Stands in a chain while the graph is on: counts what passes a group of nodes, and notes their end.
///
/// It is the one object that the closures in the chain capture, so it is freed with the last of them.
// Safe: everything is constant; counters are written by one thread at a time, as a chain is serial, and are atomic.
@usableFromInline
class NodeTap: @unchecked Sendable {
  @usableFromInline final let group: RecordedGroup

  init(_ group: RecordedGroup) {
    self.group = group
  }

  deinit {
    group.freed()
  }

  /// Notes that the group delivers its end.
  @usableFromInline
  final func noteEnd(_ completion: Completion) {
    group.ended(failure: completion.failure)
  }
}

/// The tap of one operator's node, or of a subscriber's.
// Safe: everything is constant.
@usableFromInline
final class ObserverTap<Value: Sendable>: NodeTap, @unchecked Sendable {
  private let next: Observer<Value>

  @inline(__always)
  private init(_ next: consuming Observer<Value>, _ site: Site, _ record: ChainRecord) {
    self.next = consume next
    super.init(RecordedGroup(site, in: record))
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
        RecordedGroup.count(tap.group.counters)
        if RecordedGroup.isTraced(tap.group.counters) { return try tap.trace(value) }
        try tap.next.receive(value)
      },
      end: { completion in
        tap.noteEnd(completion)
        tap.next.end(completion)
      })
  }

  /// Not inlined: the way of a value that is not traced is to be short.
  @inline(never)
  private func trace(_ value: Value) throws {
    try group.trace({ value }) { try next.receive(value) }
  }
}
