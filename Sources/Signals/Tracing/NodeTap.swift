/// An element of a recorded chain: counts the values of a group of nodes, and notes their end.
///
/// The closures of the group retain it, so it is freed with the last of them.
// Safe: everything is constant; counters are written by one thread at a time, as a chain is serial, and are atomic.
@usableFromInline
class NodeTap: @unchecked Sendable {
  @usableFromInline final let group: RecordedGroup

  @usableFromInline
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
  private init(_ next: consuming Observer<Value>, _ group: RecordedGroup) {
    self.next = consume next
    super.init(group)
  }

  /// Adds an operator's node to a chain and puts its counter in front of the observer below it.
  ///
  /// Not inlinable: where the type of value is not known, values are passed by address, without any conversion.
  @usableFromInline
  static func observer(
    above next: consuming Observer<Value>, _ site: Site, _ record: ChainRecord
  ) -> Observer<Value> {
    ObserverTap(consume next, RecordedGroup(site, in: record)).observer
  }

  /// Adds a subscriber's node to a chain, and that of the operator directly above it, if there is one: the same values
  /// pass both.
  @usableFromInline
  static func observer(
    above next: consuming Observer<Value>, _ site: Site?, subscriber: Site, _ record: ChainRecord
  ) -> Observer<Value> {
    let group =
      if let site { RecordedGroup(site, subscriber: subscriber, in: record) } else {
        RecordedGroup(subscriber, in: record)
      }
    return ObserverTap(consume next, group).observer
  }

  private var observer: Observer<Value> {
    Observer(
      receive: { value in
        RecordedGroup.count(self.group.counters)
        if RecordedGroup.isTraced(self.group.counters) { return try self.trace(value) }
        try self.next.receive(value)
      },
      end: { completion in
        self.noteEnd(completion)
        self.next.end(completion)
      })
  }

  /// Not inlined: keeps the path of a value that is not profiled short.
  @inline(never)
  private func trace(_ value: Value) throws {
    try group.trace({ value }) { try next.receive(value) }
  }
}

/// The tap of one operator's node, below which fused operators take a pointer to each value.
// Safe: everything is constant.
@usableFromInline
final class StageInputTap: NodeTap, @unchecked Sendable {
  @usableFromInline let next: StageInput

  /// Adds the operator's node to a chain.
  @usableFromInline
  init(_ next: consuming StageInput, _ site: Site, _ record: ChainRecord) {
    self.next = next
    super.init(RecordedGroup(site, in: record))
  }

  /// Counts the values for the operators below.
  ///
  /// Inlinable: where the type of value is not known, a pointer to it would cost several calls.
  @inlinable
  func observer<Value: Sendable>(of type: Value.Type) -> Observer<Value> {
    Observer(
      receive: { value in
        RecordedGroup.count(self.group.counters)
        if RecordedGroup.isTraced(self.group.counters) { return try self.trace(value) }
        try withUnsafePointer(to: value) { try self.next.take($0) }
      },
      end: { completion in
        self.noteEnd(completion)
        self.next.end(completion)
      })
  }

  /// Not inlined: keeps the path of a value that is not profiled short.
  @inlinable
  @inline(never)
  func trace<Value: Sendable>(_ value: Value) throws {
    try group.trace({ value }) { try withUnsafePointer(to: value) { try next.take($0) } }
  }
}
