/// Adjacent stateless operators, such as `map` and `filter`, fused when the signal is created.
///
/// A value passes through them in one buffer, where each stage replaces it by its result, in a loop: no stage calls the
/// next, so that a long chain is not a deep stack, and a subscription needs one closure for all of them.
///
/// Each stage knows its input and output types; the list does not.
// Safe: nothing changes after `init`.
@usableFromInline
class StageList: @unchecked Sendable {
  /// A longer chain of stages is several lists, so that deriving one signal from another copies few stages.
  @usableFromInline static var longest: Int { 64 }

  /// Connects an input that takes the values by pointer to the upstream of the first stage: an emitter adds it to its
  /// table, see ``Signal/stage(_:_:)``. The only part that knows the type of those values.
  @usableFromInline final let connect: @Sendable (consuming StageInput, Subscription) -> Void
  @usableFromInline final let stages: UnsafeMutablePointer<Stage>
  @usableFromInline final let recording = StageRecording()
  /// The size of the largest intermediate value.
  @usableFromInline final let bufferSize: UInt32
  @usableFromInline final let bufferAlignment: UInt16
  @usableFromInline final let stageCount: UInt16

  @inlinable final var count: Int { Int(stageCount) }

  /// Creates a list of one stage.
  @inlinable
  init<Input, Output>(
    from: Input.Type, to: Output.Type, _ stage: consuming Stage,
    connect: @escaping @Sendable (consuming StageInput, Subscription) -> Void
  ) {
    self.connect = connect
    stageCount = 1
    stages = .allocate(capacity: 1)
    stages.initialize(to: stage)
    let size = max(StageBuffer.usualSize, MemoryLayout<Input>.size, MemoryLayout<Output>.size)
    let alignment = max(
      StageBuffer.usualAlignment, MemoryLayout<Input>.alignment, MemoryLayout<Output>.alignment)
    bufferSize = UInt32(truncatingIfNeeded: size)
    bufferAlignment = UInt16(truncatingIfNeeded: alignment)
  }

  /// Creates a list by appending a stage to another one.
  @inlinable
  init<Output>(_ above: StageList, to: Output.Type, _ stage: consuming Stage) {
    connect = above.connect
    let count = above.count
    stageCount = above.stageCount &+ 1
    stages = .allocate(capacity: count + 1)
    for index in 0..<count { (stages + index).initialize(to: above.stages[index].copy()) }
    (stages + count).initialize(to: stage)
    bufferSize = max(above.bufferSize, UInt32(truncatingIfNeeded: MemoryLayout<Output>.size))
    bufferAlignment = max(above.bufferAlignment, UInt16(truncatingIfNeeded: MemoryLayout<Output>.alignment))
  }

  deinit {
    stages.deinitialize(count: count)
    stages.deallocate()
  }

  /// Passes a copy of a value through all stages; returns whether the memory holds an output.
  @inlinable
  @inline(__always)
  final func pass(_ input: UnsafeRawPointer, _ memory: UnsafeMutableRawPointer) throws -> Bool {
    guard try stages.pointee.pass(StageBuffer(memory, of: self, input: input)) else { return false }
    var index = 1
    while index < count {
      guard try stages[index].pass(StageBuffer(memory, of: self)) else { return false }
      index &+= 1
    }
    return true
  }

  /// Whether the buffer may be part of a stack frame; else it is created for each value: on the stack up to a kilobyte
  /// and an alignment of 16 bytes, beyond that on the heap.
  @inlinable
  final var isUsual: Bool { bufferSize == StageBuffer.usualSize && bufferAlignment == StageBuffer.usualAlignment }

  /// Calls a closure with empty memory for an intermediate value; for values that need more than the usual buffer.
  @inlinable
  final func withBuffer(_ body: (UnsafeMutableRawPointer) throws -> Void) throws {
    try withUnsafeTemporaryAllocation(byteCount: Int(bufferSize), alignment: Int(bufferAlignment)) { memory in
      // Safe: the memory is not empty, so it has an address.
      try body(memory.baseAddress.unsafelyUnwrapped)
    }
  }

  /// Does the same for lists whose values fit the usual buffer, which is part of the caller's stack frame.
  @inlinable
  @inline(__always)
  static func withUsualBuffer(_ body: (UnsafeMutableRawPointer) throws -> Void) throws {
    // "Unprotected" omits the stack protector's check for overflowing writes: every stage writes a value that fits.
    try _withUnprotectedUnsafeTemporaryAllocation(
      byteCount: StageBuffer.usualSize, alignment: StageBuffer.usualAlignment
    ) { memory in
      // Safe: the memory is not empty, so it has an address.
      try body(memory.baseAddress.unsafelyUnwrapped)
    }
  }
}

/// A ``StageList`` and the type of its output.
// Safe: as in the superclass.
@usableFromInline
final class StageRun<Output: Sendable>: StageList, @unchecked Sendable {
  /// Connects an observer of the run's output.
  @inlinable
  func attach(_ observer: consuming Observer<Output>, _ subscription: Subscription) {
    if let record = subscription.recording.record {
      return attachRecorded(observer, subscription, record, subscriber: nil)
    }
    let receive = observer.receive
    let receiver: @Sendable (UnsafeRawPointer) throws -> Void
    if isUsual {
      receiver = { input in
        try StageList.withUsualBuffer { memory in
          if try self.pass(input, memory) { try self.deliver(memory, receive) }
        }
      }
    } else {
      receiver = { input in
        try self.withBuffer { memory in
          if try self.pass(input, memory) { try self.deliver(memory, receive) }
        }
      }
    }
    connect(StageInput(receive: receiver, end: observer.end), subscription)
  }

  /// Connects an observer of the run's output, by pointer.
  @usableFromInline
  func attach(_ input: consuming StageInput, _ subscription: Subscription) {
    if let record = subscription.recording.record { return attachRecorded(input, subscription, record) }
    let receive = input.receive
    connect(
      StageInput(
        receive: { input in
          try self.withBuffer { memory in
            if try self.pass(input, memory) { try self.deliver(byPointer: memory, receive) }
          }
        }, end: input.end), subscription)
  }

  /// Delivers the output in memory, and leaves the memory empty.
  @inlinable
  @inline(__always)
  func deliver(_ memory: UnsafeMutableRawPointer, _ receive: @Sendable (Output) throws -> Void) throws {
    let output = memory.assumingMemoryBound(to: Output.self)
    defer { output.deinitialize(count: 1) }
    try receive(output.pointee)
  }

  /// Does the same by pointer.
  func deliver(byPointer memory: UnsafeMutableRawPointer, _ receive: @Sendable (UnsafeRawPointer) throws -> Void) throws
  {
    defer { memory.assumingMemoryBound(to: Output.self).deinitialize(count: 1) }
    try receive(memory)
  }
}

/// Memory for the value that passes through a ``StageList``, or nothing; at the first stage, also the source of the
/// value.
@usableFromInline
struct StageBuffer {
  @usableFromInline static var usualSize: Int { 64 }
  @usableFromInline static var usualAlignment: Int { 16 }

  @usableFromInline let memory: UnsafeMutableRawPointer
  @usableFromInline let input: UnsafeRawPointer?
  #if DEBUG
    @usableFromInline let size: Int
    @usableFromInline let alignment: Int
  #endif

  @inlinable
  @inline(__always)
  init(_ memory: UnsafeMutableRawPointer, of list: StageList, input: UnsafeRawPointer? = nil) {
    self.memory = memory
    self.input = input
    #if DEBUG
      size = Int(list.bufferSize)
      alignment = Int(list.bufferAlignment)
      debugAssert(UInt(bitPattern: memory) % UInt(alignment) == 0, "the memory between stages is aligned")
    #endif
  }

  /// Removes the value that the previous stage has left; at the first stage, copies the input.
  @inlinable
  @inline(__always)
  func take<Value>(_ type: Value.Type) -> Value {
    // Safe: each stage is created on a signal of its input type, and `connect` passes pointers to values of the first
    // one's type.
    if let input { return input.assumingMemoryBound(to: Value.self).pointee }
    return memory.assumingMemoryBound(to: Value.self).move()
  }

  /// Fills the buffer; returns true, like a stage that passes a value.
  @inlinable
  @inline(__always)
  func put<Value>(_ value: Value) -> Bool {
    #if DEBUG
      debugAssert(
        MemoryLayout<Value>.size <= size && MemoryLayout<Value>.alignment <= alignment,
        "a value fits the memory between stages")
    #endif
    memory.initializeMemory(as: Value.self, to: value)
    return true
  }
}

/// A stage: replaces the value in a buffer by its result and returns true; or leaves the buffer empty and returns false
/// or throws.
@usableFromInline
struct Stage: ~Copyable, Sendable {
  @usableFromInline let closure: @Sendable (StageBuffer) throws -> Bool
  @usableFromInline let site: Site

  @inlinable
  init(_ site: Site, _ closure: @escaping @Sendable (StageBuffer) throws -> Bool) {
    self.closure = closure
    self.site = site
  }

  @inlinable
  borrowing func copy() -> Stage { Stage(site, closure) }

  // Borrowing a noncopyable stage allows the closure to be called in place: it is neither copied nor retained.
  @inlinable
  borrowing func pass(_ buffer: StageBuffer) throws -> Bool {
    try closure(buffer)
  }
}

/// An observer that takes each value by pointer. Only the `connect` closure of its list knows the type.
///
/// So a chain of fused operators needs one closure. It is noncopyable, so that the closure is called in place, and not
/// retained for each value.
@usableFromInline
struct StageInput: ~Copyable, Sendable {
  /// Takes a pointer to a value, which is valid during the call.
  @usableFromInline let receive: @Sendable (UnsafeRawPointer) throws -> Void
  @usableFromInline let end: @Sendable (Completion) -> Void

  @inlinable
  init(
    receive: @escaping @Sendable (UnsafeRawPointer) throws -> Void, end: @escaping @Sendable (Completion) -> Void
  ) {
    self.receive = receive
    self.end = end
  }

  @inlinable
  borrowing func take(_ value: UnsafeRawPointer) throws {
    try receive(value)
  }

  /// The same as an observer that knows the type.
  @inlinable
  func observer<Value>(of type: Value.Type) -> Observer<Value> {
    let receive = self.receive
    return Observer(receive: { value in try withUnsafePointer(to: value) { try receive($0) } }, end: end)
  }
}
