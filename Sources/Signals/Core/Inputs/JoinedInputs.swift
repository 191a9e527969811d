/// The inputs of an operator that combines one value of each in a row, like `combineLatest` and `zip`. Each may have
/// another type.
///
/// Only the code that creates this list and the code that delivers a row know the types; between the two, values are in
/// memory, see ``ElementKind``. So the operators are written once for any number of inputs.
@usableFromInline
struct JoinedInputs: Sendable {
  /// The layout of a row.
  private(set) var layout = InputLayout()
  private var inputs: [AnyInput] = []
  /// The recorder of the result: that of the first input that has one.
  @usableFromInline private(set) var recorder = Recorder.nobody

  @usableFromInline
  init() {}

  /// Adds a signal.
  @usableFromInline
  mutating func append<Value>(_ signal: Signal<Value>) {
    layout.append(Value.self)
    inputs.append(TypedInput(signal))
    recorder = recorder.or(signal.recorder)
  }

  @usableFromInline var count: Int { inputs.count }

  /// Stops a debug build unless the layout of rows equals the compiler's layout of a type.
  @inlinable
  @inline(__always)
  func assertDescribes<Tuple>(_ type: Tuple.Type, file: StaticString = #fileID, line: UInt = #line) {
    debugAssert(describes(type), "a row is laid out as the tuple of its inputs", file: file, line: line)
  }

  @usableFromInline
  func describes<Tuple>(_ type: Tuple.Type) -> Bool { layout.describes(type) }

  /// Connects one of the signals; its events run inside the junction's gate.
  ///
  /// - Parameter receive: Takes a pointer to a value, which is valid during the call. An error that it throws ends the
  ///   operator.
  func connect<Output>(
    _ index: Int, to junction: Junction<Output>, as role: InputRole = .values,
    receive: @escaping @Sendable (UnsafeRawPointer) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    junction.connectByPointer(inputs[index], layout.kinds[index], as: role, receive: receive, end: end)
  }
}

/// Creates a signal of rows of one value of each input. Finishes at once if there are no inputs.
///
/// - Parameter join: Connects the inputs of one subscription. The closure that it gets delivers a row, which is laid
///   out as a tuple and has a value of each input; the row keeps its values. Inside the gate.
@inlinable
func joined<each Input: Sendable>(
  _ site: Site, _ signals: repeat Signal<each Input>,
  by join:
    @escaping @Sendable (
      JoinedInputs, Junction<(repeat each Input)>, _ emit: @escaping @Sendable (UnsafeMutableRawPointer) throws -> Void
    ) -> Void
) -> Signal<(repeat each Input)> {
  var inputs = JoinedInputs()
  repeat inputs.append(each signals)
  inputs.assertDescribes((repeat each Input).self)
  return Signal(site, derivedFrom: inputs) { [inputs] downstream, subscription in
    let junction = Junction(downstream, subscription)
    if inputs.count == 0 { return junction.run { junction.end(.finished) } }
    join(inputs, junction) { row in
      // Safe: the row is laid out as this tuple, and complete.
      try junction.emit(row.assumingMemoryBound(to: (repeat each Input).self).pointee)
    }
  }
}

/// A signal, type-erased.
// Safe: nothing changes after `init`.
class AnyInput: @unchecked Sendable {
  /// Records the chain of a subscription to the signal as an input of an operator.
  func beginRecording(_ subscription: Subscription, as role: InputRole, of node: OperatorNode) {}

  /// Connects an input that takes the values by pointer.
  func connect(_ input: consuming StageInput, _ subscription: Subscription) {}
}

// Safe: as in the superclass.
private final class TypedInput<Value: Sendable>: AnyInput, @unchecked Sendable {
  private let signal: Signal<Value>

  init(_ signal: Signal<Value>) {
    self.signal = signal
  }

  override func beginRecording(_ subscription: Subscription, as role: InputRole, of node: OperatorNode) {
    subscription.beginRecording(signal, as: role, of: node)
  }

  override func connect(_ input: consuming StageInput, _ subscription: Subscription) {
    signal.connectStages(input, subscription)
  }
}
