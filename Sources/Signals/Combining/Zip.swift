/// Delivers the first values of all signals together, then the second ones, and so on.
///
/// Values wait until each signal has delivered its own. Finishes as soon as a finished signal has no value waiting (law 16); fails with the
/// first failure. Any number of signals.
@inlinable
public func zip<each Input: Sendable>(
  _ inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  var recorder: GraphRecorder?
  for input in repeat each inputs { recorder = recorder ?? input.recorder }
  return Signal(site: Site("zip", fileID, line, function), recorder: recorder) { downstream, subscription in
    let junction = Junction(downstream, subscription)
    let slots = (repeat ZipSlot<each Input>())
    let progress = InputProgress()
    for _ in repeat each slots { progress.missing += 1 }
    if progress.missing == 0 { return junction.run { junction.end(.finished) } }
    let emitRow: @Sendable () throws -> Void = {
      let row = (repeat takeFirst(of: each slots, progress))
      try junction.emit(row)
      if progress.isOver { junction.end(.finished) }
    }
    repeat connectZipped(each inputs, each slots, progress, junction, emitRow)
  }
}

extension Signal {
  /// Delivers this signal's and others' values in step; see ``zip(_:fileID:line:function:)``.
  @inlinable
  public func zip<each Other: Sendable>(
    _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, repeat each Other)> {
    Signals.zip(self, repeat each others, fileID: fileID, line: line, function: function)
  }
}

/// The values of one input that wait for the others, in a ring.
///
/// Not a `Deque`: its type has to be looked up at run time for each event wherever the compiler does not specialise code with parameter
/// packs, which takes longer than all the rest.
@usableFromInline
final class ZipSlot<Value: Sendable>: @unchecked Sendable {
  // Safe: touched only inside the gate of the operator that has it. The `count` places from `first` on, modulo `capacity` (a power of
  // two), hold values.
  @exclusivity(unchecked) @usableFromInline var storage = UnsafeMutablePointer<Value>.allocate(capacity: 4)
  @exclusivity(unchecked) @usableFromInline var capacity = 4
  @exclusivity(unchecked) @usableFromInline var first = 0
  @exclusivity(unchecked) @usableFromInline var count = 0
  @exclusivity(unchecked) @usableFromInline var isFinished = false

  @inlinable
  init() {}

  @inlinable
  func append(_ value: Value) {
    if count == capacity { grow() }
    (storage + ((first &+ count) & (capacity &- 1))).initialize(to: value)
    count &+= 1
  }

  /// Takes the first value out of a slot that is not empty.
  @inlinable
  func takeFirst() -> Value {
    let value = (storage + first).move()
    first = (first &+ 1) & (capacity &- 1)
    count &-= 1
    return value
  }

  @usableFromInline
  func grow() {
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: storage + first, count: capacity - first)
    (larger + capacity - first).moveInitialize(from: storage, count: first)
    storage.deallocate()
    storage = larger
    first = 0
    capacity *= 2
  }

  deinit {
    for index in 0..<count { (storage + ((first + index) & (capacity - 1))).deinitialize(count: 1) }
    storage.deallocate()
  }
}

/// Connects one input. It is a function of its own because a closure inside a pack expansion cannot use the pack's elements.
@inlinable
func connectZipped<Value, Output>(
  _ input: Signal<Value>, _ slot: ZipSlot<Value>, _ progress: InputProgress, _ junction: Junction<Output>,
  _ emitRow: @escaping @Sendable () throws -> Void
) {
  junction.connect(input) { value in
    if slot.count == 0 { progress.missing &-= 1 }
    slot.append(value)
    if progress.missing == 0 { try emitRow() }
  } end: { completion in
    slot.isFinished = true
    if case .failed = completion { return junction.end(completion) }
    if slot.count == 0 { junction.end(.finished) }
  }
}

/// Takes the first value that waits, and notes whether none is left.
@inlinable
func takeFirst<Value>(of slot: ZipSlot<Value>, _ progress: InputProgress) -> Value {
  let value = slot.takeFirst()
  if slot.count == 0 {
    progress.missing &+= 1
    if slot.isFinished { progress.isOver = true }
  }
  return value
}
