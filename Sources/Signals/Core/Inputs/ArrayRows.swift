/// The state of a row after an event of one of the inputs.
@usableFromInline
struct RowStep: Sendable {
  /// Whether the row is to be delivered now.
  @usableFromInline var isComplete: Bool
  /// Whether no further row can come.
  @usableFromInline var isOver: Bool

  @inlinable
  init(isComplete: Bool = false, isOver: Bool = false) {
    self.isComplete = isComplete
    self.isOver = isOver
  }
}

/// Collects the values of several inputs of one type in arrays: the part in which `combineLatest`, `zip` and `forkJoin`
/// of an array differ.
///
/// The delivered array is the stored one, so that it is copied only if downstream code retains it.
@usableFromInline
protocol ArrayRows<Value>: Sendable {
  associatedtype Value: Sendable

  /// Creates the rows of a number of inputs, at least one.
  init(count: Int)

  /// The row, while it is complete.
  var row: [Value] { get }

  /// Takes a value of an input.
  mutating func take(_ value: Value, _ index: Int) -> RowStep

  /// Notes that a row was delivered.
  mutating func delivered()

  /// Notes that an input has finished.
  mutating func finish(_ index: Int) -> RowStep
}

extension ArrayRows {
  @inlinable
  mutating func delivered() {}
}

/// Creates a signal of the rows of several inputs. Finishes at once if there are no inputs.
@inlinable
func joined<Rows: ArrayRows>(
  _ site: Site, _ inputs: [Signal<Rows.Value>], as type: Rows.Type
) -> Signal<[Rows.Value]> {
  Signal(site, derivedFrom: inputs) { downstream, subscription in
    guard !inputs.isEmpty else { return subscription.end(downstream, .finished) }
    let junction = Junction(downstream, subscription)
    let rows = SerialState(Rows(count: inputs.count))
    for (index, input) in inputs.enumerated() {
      junction.connect(input) { value in
        let step = rows.value.take(value, index)
        guard step.isComplete else { return }
        try junction.emit(rows.value.row)
        rows.value.delivered()
        if step.isOver { junction.end(.finished) }
      } end: { completion in
        if case .failed = completion { return junction.end(completion) }
        let step = rows.value.finish(index)
        if step.isComplete { junction.attempt { try junction.emit(rows.value.row) } }
        if step.isOver { junction.end(.finished) }
      }
    }
  }
}
