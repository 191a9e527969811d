/// Adjacent operators without state, such as `map` and `filter`, joined when the signal is made.
///
/// A value passes through them in one buffer, where each stage replaces it by what it makes of it, in a loop: no stage calls
/// the next, so that a long chain is not a deep stack, and a subscription needs one closure for all of them.
///
/// Each stage knows the types that it takes and gives; the list does not.
// Safe: nothing changes after `init`.
@usableFromInline
class StageList: @unchecked Sendable {
  /// More stages than this are several lists, so that making one signal of another copies few stages.
  @usableFromInline static var longest: Int { 64 }

  /// Connects what takes the values, by pointer, to what is above the first stage. The only part that knows the type of those values.
  @usableFromInline final let connect: @Sendable (consuming StageInput, Subscription) -> Void
  @usableFromInline final let stages: UnsafeMutablePointer<Stage>
  @usableFromInline final let recording = StageRecording()
  /// What the largest value on the way needs.
  @usableFromInline final let bufferSize: UInt32
  @usableFromInline final let bufferAlignment: UInt16
  @usableFromInline final let stageCount: UInt16

  @inlinable final var count: Int { Int(stageCount) }

  /// Makes a list of one stage.
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

  /// Makes a list of another one and one stage more.
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

  /// Lets a copy of a value pass through all stages; returns whether the memory holds an output.
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

  /// Whether the buffer may be part of a stack frame; else it is made for each value: on the stack up to a kilobyte and an alignment of
  /// 16 bytes, beyond that on the heap.
  @inlinable
  final var isUsual: Bool { bufferSize == StageBuffer.usualSize && bufferAlignment == StageBuffer.usualAlignment }

  /// Calls a closure with memory for a value on the way, which is empty; for values that need more than the usual buffer.
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
    // "Unprotected" leaves out the check whether a write went too far: every stage writes a value that fits.
    try _withUnprotectedUnsafeTemporaryAllocation(
      byteCount: StageBuffer.usualSize, alignment: StageBuffer.usualAlignment
    ) { memory in
      // Safe: the memory is not empty, so it has an address.
      try body(memory.baseAddress.unsafelyUnwrapped)
    }
  }
}

/// Memory that holds the value that passes through a ``StageList``, or nothing; at the first stage, also where the value comes from.
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

  /// Takes out the value that the stage above has left; at the first stage, copies the one that goes in.
  @inlinable
  @inline(__always)
  func take<Value>(_ type: Value.Type) -> Value {
    // Safe: each stage is made on a signal of the type that it takes, and `connect` hands on pointers to values of the first one's type.
    if let input { return input.assumingMemoryBound(to: Value.self).pointee }
    return memory.assumingMemoryBound(to: Value.self).move()
  }

  /// Fills the buffer; returns true, as a stage does that lets a value pass.
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

/// A stage: replaces the value in a buffer by what it makes of it and returns true; or leaves the buffer empty and returns false or throws.
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

  // Borrowing a noncopyable stage lets the closure be called where it is: it is neither copied nor retained.
  @inlinable
  borrowing func pass(_ buffer: StageBuffer) throws -> Bool {
    try closure(buffer)
  }
}
