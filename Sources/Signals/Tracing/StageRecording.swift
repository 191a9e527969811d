public import Synchronization

/// Fused operators while a subscription to them is recorded.
extension StageList {
  /// Passes a copy of a value through all stages, like ``pass(_:_:)``, and counts the outputs of each stage.
  @inlinable
  @inline(__always)
  final func pass(
    _ input: UnsafeRawPointer, _ memory: UnsafeMutableRawPointer, counting tap: StageTap
  ) throws -> Bool {
    let counters = tap.group.counters
    guard try stages.pointee.pass(StageBuffer(memory, of: self, input: input)) else { return false }
    RecordedGroup.count(counters)
    var index = 1
    while index < count {
      guard try stages[index].pass(StageBuffer(memory, of: self)) else { return false }
      RecordedGroup.count(counters + index)
      index &+= 1
    }
    return true
  }

  /// The locations of the stages, without the stages themselves: the graph's memory of ended chains must not retain
  /// their closures.
  ///
  /// - Parameter subscriber: The location of the subscriber directly below the stages, if it is part of the list.
  /// - Returns: A list that lives as long as this.
  final func sites(subscriber: Site?) -> Unmanaged<SiteList> {
    recording.sites.list(subscriber: subscriber) { (0..<count).map { stages[$0].site } }
  }
}

extension StageRun {
  /// Connects an observer of the run's output, like `attach`, while the subscription is recorded.
  ///
  /// - Parameter subscriber: The location of the subscriber, if it is the observer: it then needs no separate tap.
  @inlinable
  func attachRecorded(
    _ observer: consuming Observer<Output>, _ subscription: Subscription, _ record: ChainRecord, subscriber: Site?
  ) {
    let tap = StageRunTap(self, StageTap.group(of: self, subscriber: subscriber, record), observer)
    let receiver: @Sendable (UnsafeRawPointer) throws -> Void
    if isUsual {
      receiver = { input in
        var buffer = UsualStageBuffer()
        // Not protected, as in `withUsualBuffer`. A variable lets all of this be one function, which makes up for the
        // counting.
        try _withUnprotectedUnsafeMutablePointer(to: &buffer) { buffer in
          let memory = UnsafeMutableRawPointer(buffer)
          if try tap.run.pass(input, memory, counting: tap) { try tap.deliver(memory) }
        }
      }
    } else {
      receiver = { input in
        try tap.run.withBuffer { memory in
          if try tap.run.pass(input, memory, counting: tap) { try tap.deliver(memory) }
        }
      }
    }
    connect(StageInput(receive: receiver, end: tap.end), subscription)
  }

  /// Connects an input that takes the values by pointer, while the subscription is recorded.
  func attachRecorded(_ input: consuming StageInput, _ subscription: Subscription, _ record: ChainRecord) {
    let receive = input.receive
    let tap = StagePointerTap(self, record, end: input.end)
    connect(
      StageInput(
        receive: { input in
          try self.withBuffer { memory in
            guard try self.pass(input, memory, counting: tap) else { return }
            if RecordedGroup.isTraced(tap.group.counters) {
              return try tap.group.trace({ memory.assumingMemoryBound(to: Output.self).pointee }) {
                try self.deliver(byPointer: memory, receive)
              }
            }
            try self.deliver(byPointer: memory, receive)
          }
        }, end: tap.end), subscription)
  }
}

/// Memory of the usual size and alignment for an intermediate value of fused operators.
@usableFromInline
struct UsualStageBuffer {
  @usableFromInline var first = SIMD2<UInt64>()
  @usableFromInline var second = SIMD2<UInt64>()
  @usableFromInline var third = SIMD2<UInt64>()
  @usableFromInline var fourth = SIMD2<UInt64>()

  @inlinable
  init() {
    debugAssert(
      MemoryLayout<Self>.size == StageBuffer.usualSize && MemoryLayout<Self>.alignment == StageBuffer.usualAlignment,
      "the usual values fit")
  }
}

/// The graph's record of fused operators: their locations, once requested.
@usableFromInline
struct StageRecording: ~Copyable, Sendable {
  let sites = LazySiteList()

  @usableFromInline
  init() {}
}

/// The tap of fused operators; their one closure counts the values of each.
// Safe: it adds no state.
@usableFromInline
class StageTap: NodeTap, @unchecked Sendable {
  @usableFromInline
  override init(_ group: RecordedGroup) { super.init(group) }

  /// Adds the operators' nodes, at least one, to a chain; and that of the subscriber, if it is directly below them.
  ///
  /// Not an initialiser, which would need its own reference to the list.
  @usableFromInline
  static func group(of list: StageList, subscriber: Site?, _ record: ChainRecord) -> RecordedGroup {
    let group = RecordedGroup(list.sites(subscriber: subscriber), in: record)
    // The list of operators retains the list of sites in the meantime.
    withExtendedLifetime(list) {}
    return group
  }
}

/// The tap of fused operators and their downstream: everything that their closure needs, so that the closure has no
/// memory.
// Safe: everything is constant.
@usableFromInline
final class StageRunTap<Output: Sendable>: StageTap, @unchecked Sendable {
  @usableFromInline let run: StageRun<Output>
  @usableFromInline let next: Observer<Output>

  @inlinable
  init(_ run: StageRun<Output>, _ group: RecordedGroup, _ next: consuming Observer<Output>) {
    self.run = run
    self.next = next
    super.init(group)
  }

  /// Delivers the operators' output downstream.
  @inlinable
  @inline(__always)
  func deliver(_ memory: UnsafeMutableRawPointer) throws {
    if RecordedGroup.isTraced(group.counters) { return try trace(memory) }
    try run.deliver(memory, next.receive)
  }

  /// Not inlined: keeps the path of an unrecorded value short.
  @inlinable
  @inline(never)
  func trace(_ memory: UnsafeMutableRawPointer) throws {
    try group.trace({ memory.assumingMemoryBound(to: Output.self).pointee }) {
      try run.deliver(memory, next.receive)
    }
  }

  /// Notes the end and passes it on.
  @inlinable
  var end: @Sendable (Completion) -> Void {
    { completion in
      self.noteEnd(completion)
      self.next.end(completion)
    }
  }
}

/// The tap of fused operators above others that take their values by pointer.
// Safe: everything is constant.
final class StagePointerTap: StageTap, @unchecked Sendable {
  private let next: @Sendable (Completion) -> Void

  init(_ list: StageList, _ record: ChainRecord, end next: @escaping @Sendable (Completion) -> Void) {
    self.next = next
    super.init(StageTap.group(of: list, subscriber: nil, record))
  }

  /// Notes the end and passes it on.
  var end: @Sendable (Completion) -> Void {
    { completion in
      self.noteEnd(completion)
      self.next(completion)
    }
  }
}
