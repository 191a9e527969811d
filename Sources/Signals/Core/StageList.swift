public import Synchronization

/// Adjacent operators without state, such as `map` and `filter`, joined when the signal is made.
///
/// A value passes through them in one place of memory, which each stage replaces by what it makes of it, in a loop: no stage calls
/// the next, so that a long chain is not a deep stack, and a subscription needs one closure for all of them.
///
/// Each stage knows the types that it takes and gives; the list does not.
@usableFromInline
class StageList: @unchecked Sendable {
  // Safe: nothing changes after `init`.

  /// More stages than this are several lists, so that making one signal of another copies few stages.
  @usableFromInline static var longest: Int { 64 }

  @usableFromInline final let entrance: StageEntrance
  @usableFromInline final let stages: UnsafeMutablePointer<Stage>
  @usableFromInline final let count: Int
  /// What the largest value on the way needs.
  @usableFromInline final let placeSize: Int
  @usableFromInline final let placeAlignment: Int
  @usableFromInline final let lazySites = OnceReference<SiteList>()

  /// Makes a list of one stage.
  @inlinable
  init<Input, Output>(from: Input.Type, to: Output.Type, _ entrance: StageEntrance, _ stage: consuming Stage) {
    self.entrance = entrance
    count = 1
    stages = .allocate(capacity: 1)
    stages.initialize(to: stage)
    placeSize = max(StagePlace.usualSize, MemoryLayout<Input>.size, MemoryLayout<Output>.size)
    placeAlignment = max(StagePlace.usualAlignment, MemoryLayout<Input>.alignment, MemoryLayout<Output>.alignment)
  }

  /// Makes a list of another one and one stage more.
  @inlinable
  init<Output>(_ above: StageList, to: Output.Type, _ stage: consuming Stage) {
    entrance = above.entrance
    count = above.count + 1
    stages = .allocate(capacity: count)
    for index in 0..<above.count { (stages + index).initialize(to: above.stages[index].copy()) }
    (stages + above.count).initialize(to: stage)
    placeSize = max(above.placeSize, MemoryLayout<Output>.size)
    placeAlignment = max(above.placeAlignment, MemoryLayout<Output>.alignment)
  }

  deinit {
    stages.deinitialize(count: count)
    stages.deallocate()
  }

  /// Lets a copy of a value pass through all stages; returns whether the place holds an output.
  @inlinable
  @inline(__always)
  final func pass(_ input: UnsafeRawPointer, _ place: StagePlace) throws -> Bool {
    entrance.fill(place, input)
    var index = 0
    while index < count {
      guard try stages[index].pass(place) else { return false }
      index &+= 1
    }
    return true
  }

  /// Does the same while the graph is on: counts what each stage gives.
  @inlinable
  final func pass(_ input: UnsafeRawPointer, _ place: StagePlace, counting tap: NodeTap) throws -> Bool {
    entrance.fill(place, input)
    let counters = tap.counters
    var index = 0
    while index < count {
      guard try stages[index].pass(place) else { return false }
      NodeTap.count(counters + index)
      index &+= 1
    }
    return true
  }

  /// Where the stages are written, without the stages themselves: what the graph remembers of ended chains must not keep their closures.
  ///
  /// - Parameter subscriber: Where the subscriber directly below the stages is written, when it is part of the list.
  /// - Returns: A list that lives as long as this.
  final func sites(subscriber: Site?) -> Unmanaged<SiteList> {
    func make() -> SiteList { SiteList((0..<count).map { stages[$0].site }, subscriber: subscriber) }
    if let first = lazySites.unmanaged, first._withUnsafeGuaranteedRef({ $0.isFor(subscriber) }) { return first }
    let first = lazySites.load() ?? lazySites.storeIfNil(make())
    return .passUnretained(first.list(for: subscriber, make))
  }

  /// Whether the place may be part of a stack frame; else it is made for each value: on the stack up to a kilobyte and an alignment of
  /// 16 bytes, beyond that on the heap.
  @inlinable
  final var isUsual: Bool { placeSize == StagePlace.usualSize && placeAlignment == StagePlace.usualAlignment }
}

/// Memory that holds the value that passes through a ``StageList``, or nothing.
@usableFromInline
struct StagePlace {
  @usableFromInline static var usualSize: Int { 64 }
  @usableFromInline static var usualAlignment: Int { 16 }

  @usableFromInline let address: UnsafeMutableRawPointer

  @inlinable
  init(_ memory: UnsafeMutableRawBufferPointer) {
    // Safe: the memory is not empty, so it has an address.
    address = memory.baseAddress.unsafelyUnwrapped
  }

  /// Takes out the value that the stage above has left.
  @inlinable
  @inline(__always)
  func take<Value>(_ type: Value.Type) -> Value {
    address.assumingMemoryBound(to: Value.self).move()
  }

  /// Fills the place; returns true, as a stage does that lets a value pass.
  @inlinable
  @inline(__always)
  func put<Value>(_ value: Value) -> Bool {
    address.initializeMemory(as: Value.self, to: value)
    return true
  }
}

/// A stage: replaces the value in a place by what it makes of it and returns true; or leaves the place empty and returns false or throws.
@usableFromInline
struct Stage: ~Copyable, Sendable {
  @usableFromInline let closure: @Sendable (StagePlace) throws -> Bool
  @usableFromInline let site: Site

  @inlinable
  init(_ site: Site, _ closure: @escaping @Sendable (StagePlace) throws -> Bool) {
    self.closure = closure
    self.site = site
  }

  @inlinable
  borrowing func copy() -> Stage { Stage(site, closure) }

  // Borrowing a noncopyable stage lets the closure be called where it is: it is neither copied nor retained.
  @inlinable
  borrowing func pass(_ place: StagePlace) throws -> Bool {
    try closure(place)
  }
}

/// The beginning of a list of stages: what knows the type that goes in.
@usableFromInline
final class StageEntrance: Sendable {
  /// Copies the value behind a pointer into an empty place.
  @usableFromInline let copy: StageCopy
  /// Connects what takes the values to what is above.
  @usableFromInline let connect: @Sendable (consuming StageInput, Subscription) -> Void

  @inlinable
  init(
    copy: @escaping @Sendable (UnsafeRawPointer, StagePlace) -> Void,
    connect: @escaping @Sendable (consuming StageInput, Subscription) -> Void
  ) {
    self.copy = StageCopy(copy)
    self.connect = connect
  }

  @inlinable
  func fill(_ place: StagePlace, _ input: UnsafeRawPointer) {
    copy.fill(place, input)
  }
}

@usableFromInline
struct StageCopy: ~Copyable, Sendable {
  @usableFromInline let closure: @Sendable (UnsafeRawPointer, StagePlace) -> Void

  @inlinable
  init(_ closure: @escaping @Sendable (UnsafeRawPointer, StagePlace) -> Void) {
    self.closure = closure
  }

  @inlinable
  borrowing func fill(_ place: StagePlace, _ input: UnsafeRawPointer) {
    closure(input, place)
  }
}
