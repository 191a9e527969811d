/// The value of a source, type-erased.
// Safe: it is constant; the subclass argues for itself.
class PropertyCell: @unchecked Sendable {
  /// The source it belongs to.
  final let identity: ObjectIdentifier

  init(_ identity: ObjectIdentifier) {
    self.identity = identity
  }
}

/// A value of a source.
// Safe: a cell that was read with all others is constant, and one that inputs write is used only inside the gate of
// their junction.
// Unchecked exclusivity: nothing is called while it is read or written.
final class TypedPropertyCell<Value: Sendable>: PropertyCell, @unchecked Sendable {
  @exclusivity(unchecked) var value: Value?

  init(_ identity: ObjectIdentifier, _ value: Value?) {
    super.init(identity)
    self.value = value
  }
}

/// Delivers the values of a source, type-erased. It does not retain the source.
// Safe: nothing changes after `init`.
@usableFromInline
class PropertyInput: @unchecked Sendable {
  /// A cell without a value.
  func makeCell() -> PropertyCell { PropertyCell(ObjectIdentifier(self)) }

  /// Connects an input that writes each value into the cell, and then calls a closure. Inside the junction's gate.
  func connect<Output>(
    to junction: Junction<Output>, writing cell: PropertyCell,
    _ changed: @escaping @Sendable (_ isFirst: Bool) throws -> Void, end: @escaping @Sendable (Completion) -> Void
  ) {}

  /// The recorder of the source.
  var recorder: Recorder { .nobody }
}

// Safe: as in the superclass.
final class TypedPropertyInput<Value: Sendable>: PropertyInput, @unchecked Sendable {
  private let core: EmitterCore<Value>

  init(_ core: EmitterCore<Value>) {
    self.core = core
  }

  override func makeCell() -> PropertyCell { TypedPropertyCell<Value>(ObjectIdentifier(core), nil) }

  override func connect<Output>(
    to junction: Junction<Output>, writing cell: PropertyCell,
    _ changed: @escaping @Sendable (_ isFirst: Bool) throws -> Void, end: @escaping @Sendable (Completion) -> Void
  ) {
    guard let cell = cell as? TypedPropertyCell<Value> else { return }
    junction.connect(
      Signal(emitter: core),
      receive: { value in
        let isFirst = cell.value == nil
        cell.value = value
        try changed(isFirst)
      }, end: end)
  }

  override var recorder: Recorder { core.recording.recorder }
}

extension Signal {
  /// The result computed from sources, once each has delivered its current value, and then whenever one delivers a
  /// change.
  ///
  /// Each source is subscribed to once. So one change delivers one value, however often the computation uses the
  /// source.
  @usableFromInline
  init(_ site: Site, computedOf inputs: [PropertyInput], by evaluator: @escaping PropertyEvaluator<Value>) {
    let recorder = inputs.reduce(Recorder.nobody) { $0.or($1.recorder) }
    self.init(
      site, recorder,
      .chain { downstream, subscription in
        let junction = Junction(downstream, subscription)
        let cells = inputs.map { $0.makeCell() }
        let compute = evaluator(PropertyRow(cells))
        let missing = SerialState(inputs.count)
        let unfinished = SerialState(inputs.count)
        for (index, input) in inputs.enumerated() {
          input.connect(to: junction, writing: cells[index]) { isFirst in
            if isFirst { missing.value -= 1 }
            if missing.value == 0 { try junction.emit(compute()) }
          } end: { completion in
            unfinished.value -= 1
            if unfinished.value == 0 { junction.end(completion) }
          }
        }
      })
  }
}
