/// Adjacent operators without state, such as `map` and `filter`, joined when the signal is made.
///
/// A value passes through a run in one place of memory, which each stage replaces by what it makes of it, in a loop: no stage calls
/// the next, so that a long chain is not a deep stack, and a subscription needs one closure for the whole run.
///
/// Each stage knows the types that it takes and gives. The run as a whole only knows the last one; the first one is known to the two
/// closures of its ``StageEntrance``.
@usableFromInline
final class StageRun<Output: Sendable>: @unchecked Sendable {
  // Safe: nothing changes after `init`.

  /// More stages than this are several runs, so that making one signal of another copies few stages.
  @usableFromInline static var longest: Int { 64 }

  @usableFromInline let entrance: StageEntrance
  @usableFromInline let stages: UnsafeMutablePointer<Stage>
  @usableFromInline let count: Int
  /// What the largest value on the way needs.
  @usableFromInline let placeSize: Int
  @usableFromInline let placeAlignment: Int

  /// Makes a run of one stage.
  @inlinable
  init<Input>(
    from type: Input.Type, _ entrance: StageEntrance, _ stage: @escaping @Sendable (StagePlace) throws -> Bool
  ) {
    self.entrance = entrance
    count = 1
    stages = .allocate(capacity: 1)
    stages.initialize(to: Stage(stage))
    placeSize = max(StagePlace.usualSize, MemoryLayout<Input>.size, MemoryLayout<Output>.size)
    placeAlignment = max(StagePlace.usualAlignment, MemoryLayout<Input>.alignment, MemoryLayout<Output>.alignment)
  }

  /// Makes a run of another one and one stage more.
  @inlinable
  init<Input>(_ above: StageRun<Input>, _ stage: @escaping @Sendable (StagePlace) throws -> Bool) {
    entrance = above.entrance
    count = above.count + 1
    stages = .allocate(capacity: count)
    for index in 0..<above.count { (stages + index).initialize(to: Stage(above.stages[index].closure)) }
    (stages + above.count).initialize(to: Stage(stage))
    placeSize = max(above.placeSize, MemoryLayout<Output>.size)
    placeAlignment = max(above.placeAlignment, MemoryLayout<Output>.alignment)
  }

  deinit {
    stages.deinitialize(count: count)
    stages.deallocate()
  }

  /// Connects what takes the values that come out of the run.
  @inlinable
  func attach(_ observer: consuming Observer<Output>, _ subscription: Subscription) {
    let receive = observer.receive
    let receiver: @Sendable (UnsafeRawPointer) throws -> Void
    if isUsual {
      receiver = { input in
        // "Unprotected" leaves out the check whether a write went too far: every stage writes a value that fits.
        try _withUnprotectedUnsafeTemporaryAllocation(
          byteCount: StagePlace.usualSize, alignment: StagePlace.usualAlignment
        ) { memory in
          try self.deliver(input, StagePlace(memory), receive)
        }
      }
    } else {
      receiver = { input in
        try withUnsafeTemporaryAllocation(byteCount: self.placeSize, alignment: self.placeAlignment) { memory in
          try self.deliver(input, StagePlace(memory), receive)
        }
      }
    }
    entrance.connect(StageInput(receive: receiver, end: observer.end, trace: observer.trace), subscription)
  }

  /// Connects what takes the values that come out of the run, by pointer.
  @inlinable
  func attach(_ input: consuming StageInput, _ subscription: Subscription) {
    let receive = input.receive
    let receiver: @Sendable (UnsafeRawPointer) throws -> Void = { value in
      try withUnsafeTemporaryAllocation(byteCount: self.placeSize, alignment: self.placeAlignment) {
        let place = StagePlace($0)
        guard try self.pass(value, place) else { return }
        defer { place.address.assumingMemoryBound(to: Output.self).deinitialize(count: 1) }
        try receive(place.address)
      }
    }
    entrance.connect(StageInput(receive: receiver, end: input.end, trace: input.trace), subscription)
  }

  /// Lets a copy of a value pass, and hands on what comes out.
  @inlinable
  @inline(__always)
  func deliver(
    _ input: UnsafeRawPointer, _ place: StagePlace, _ receive: @Sendable (Output) throws -> Void
  ) throws {
    guard try pass(input, place) else { return }
    let output = place.address.assumingMemoryBound(to: Output.self)
    defer { output.deinitialize(count: 1) }
    try receive(output.pointee)
  }

  /// Lets a copy of a value pass through all stages; returns whether the place holds an output.
  @inlinable
  @inline(__always)
  func pass(_ input: UnsafeRawPointer, _ place: StagePlace) throws -> Bool {
    entrance.fill(place, input)
    var index = 0
    while index < count {
      guard try stages[index].pass(place) else { return false }
      index &+= 1
    }
    return true
  }

  /// Whether the place may be part of a stack frame; else it is made for each value: on the stack up to a kilobyte and an alignment of
  /// 16 bytes, beyond that on the heap.
  @inlinable
  var isUsual: Bool { placeSize == StagePlace.usualSize && placeAlignment == StagePlace.usualAlignment }
}

/// Memory that holds the value that passes through a ``StageRun``, or nothing.
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

  @inlinable
  init(_ closure: @escaping @Sendable (StagePlace) throws -> Bool) {
    self.closure = closure
  }

  // Borrowing a noncopyable stage lets the closure be called where it is: it is neither copied nor retained.
  @inlinable
  borrowing func pass(_ place: StagePlace) throws -> Bool {
    try closure(place)
  }
}

/// The beginning of a run: what knows the type that goes in.
@usableFromInline
final class StageEntrance: Sendable {
  /// Copies the value behind a pointer into an empty place.
  @usableFromInline let copy: StageCopy
  /// Connects what takes the run's values to what is above it.
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

/// An observer of values whose type only the closure that connects it knows.
@usableFromInline
struct StageInput: Sendable {
  /// Takes a pointer to a value, which is valid during the call.
  @usableFromInline let receive: @Sendable (UnsafeRawPointer) throws -> Void
  @usableFromInline let end: @Sendable (Completion) -> Void
  @usableFromInline let trace: TraceContext?

  @inlinable
  init(
    receive: @escaping @Sendable (UnsafeRawPointer) throws -> Void, end: @escaping @Sendable (Completion) -> Void,
    trace: TraceContext?
  ) {
    self.receive = receive
    self.end = end
    self.trace = trace
  }

  /// The same as an observer that knows the type.
  @inlinable
  func observer<Value>(of type: Value.Type) -> Observer<Value> {
    let receive = self.receive
    return Observer(
      receive: { value in try withUnsafePointer(to: value) { try receive($0) } }, end: end, trace: trace)
  }
}
