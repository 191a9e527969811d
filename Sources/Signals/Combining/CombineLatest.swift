/// Delivers the latest values of all signals together, once each has delivered one, whenever one delivers another.
///
/// Finishes when all have finished, or when one finishes without a value (law 16); fails with the first failure. Any number of signals.
@inlinable
public func combineLatest<each Input: Sendable>(
  _ inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  var recorder: GraphRecorder?
  for input in repeat each inputs { recorder = recorder ?? input.recorder }
  return Signal(site: Site("combineLatest", fileID, line, function), recorder: recorder) { downstream, subscription in
    let junction = Junction(downstream, subscription)
    let slots = (repeat LatestSlot<each Input>())
    let progress = InputProgress()
    for _ in repeat each slots {
      progress.missing += 1
      progress.unfinished += 1
    }
    if progress.unfinished == 0 { return junction.run { junction.end(.finished) } }
    // Safe: no slot is empty once none is missing.
    let emit: @Sendable () throws -> Void = {
      try junction.emit((repeat (each slots).latest()))
    }
    repeat connectLatest(each inputs, each slots, progress, junction, emit)
  }
}

extension Signal {
  /// Delivers this signal's and another's latest values together; see ``combineLatest(_:fileID:line:function:)``.
  @inlinable
  public func combineLatest<each Other: Sendable>(
    _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, repeat each Other)> {
    Signals.combineLatest(self, repeat each others, fileID: fileID, line: line, function: function)
  }
}

/// The latest value of one input.
///
/// Not an optional: the type of an optional has to be looked up at run time for each event wherever the compiler does not specialise code
/// with parameter packs, which takes longer than all the rest.
@usableFromInline
final class LatestSlot<Value: Sendable>: @unchecked Sendable {
  // Safe: touched only inside the gate of the operator that has it. `storage` holds a value once `isFull` is true.
  @usableFromInline let storage: UnsafeMutablePointer<Value>
  @exclusivity(unchecked) @usableFromInline var isFull = false

  @inlinable
  init() { storage = .allocate(capacity: 1) }

  /// Keeps a value; returns whether it is the first.
  @inlinable
  func keep(_ value: Value) -> Bool {
    if isFull {
      storage.pointee = value
      return false
    }
    storage.initialize(to: value)
    isFull = true
    return true
  }

  /// The value of a slot that is full.
  @inlinable
  func latest() -> Value { storage.pointee }

  deinit {
    if isFull { storage.deinitialize(count: 1) }
    storage.deallocate()
  }
}

/// How far the inputs of a combining operator are.
@usableFromInline
final class InputProgress: @unchecked Sendable {
  // Safe: touched only inside the gate of the operator that has it.

  /// How many inputs have no value now.
  @exclusivity(unchecked) @usableFromInline var missing = 0
  /// How many inputs have not finished.
  @exclusivity(unchecked) @usableFromInline var unfinished = 0
  /// Whether the next end of a row is the last.
  @exclusivity(unchecked) @usableFromInline var isOver = false

  @inlinable
  init() {}
}

/// Connects one input. It is a function of its own because a closure inside a pack expansion cannot use the pack's elements.
@inlinable
func connectLatest<Value, Output>(
  _ input: Signal<Value>, _ slot: LatestSlot<Value>, _ progress: InputProgress, _ junction: Junction<Output>,
  _ emit: @escaping @Sendable () throws -> Void
) {
  junction.connect(input) { value in
    if slot.keep(value) { progress.missing &-= 1 }
    if progress.missing == 0 { try emit() }
  } end: { completion in
    progress.unfinished -= 1
    if case .failed = completion { return junction.end(completion) }
    if progress.unfinished == 0 || !slot.isFull { junction.end(.finished) }
  }
}
