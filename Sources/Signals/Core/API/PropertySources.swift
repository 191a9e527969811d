/// The properties that a derived one is made of, each once.
@usableFromInline
struct PropertySources: Sendable {
  private var sources: ContiguousArray<any PropertySource>

  init(_ source: any PropertySource) {
    sources = [source]
  }

  /// Those of two derived properties together.
  @usableFromInline
  init(_ first: PropertySources, _ second: PropertySources) {
    sources = first.sources + second.sources.filter { !first.contains($0) }
  }

  private func contains(_ source: any PropertySource) -> Bool { sources.contains { $0 === source } }

  /// Whether some of these are among others too.
  @usableFromInline
  func overlaps(_ others: PropertySources) -> Bool { others.sources.contains(where: contains) }

  /// What delivers their values. It keeps none of them.
  @usableFromInline
  var inputs: [PropertyInput] { sources.map(\.input) }

  /// How many changes there were in all. As each count only grows, two equal sums mean that nothing has changed in between.
  private var changeCount: UInt64 { sources.reduce(0) { $0 &+ $1.changeCount } }

  /// The values that all of them had at one moment: they are read again when one of them changes meanwhile.
  @usableFromInline
  func row() -> PropertyRow {
    var before = changeCount
    while true {
      let row = PropertyRow(sources.map { $0.makeCell() })
      let after = changeCount
      if before == after { return row }
      before = after
    }
  }
}

/// A property that can be written, whatever its type.
protocol PropertySource: AnyObject, Sendable {
  /// How often it was written.
  var changeCount: UInt64 { get }
  /// What delivers its values.
  var input: PropertyInput { get }
  /// A cell with the current value.
  func makeCell() -> PropertyCell
}

extension Property: PropertySource {
  var changeCount: UInt64 { current.number }
  var input: PropertyInput { TypedPropertyInput(core) }
  func makeCell() -> PropertyCell { TypedPropertyCell(ObjectIdentifier(core), value) }
}

/// What takes a row, and returns what computes a derived property's value of the values that are in the row then.
///
/// It keeps none of the properties.
@usableFromInline typealias PropertyEvaluator<Value> = @Sendable (PropertyRow) -> @Sendable () -> Value

/// A value of each source.
@usableFromInline
struct PropertyRow: Sendable {
  private let cells: ContiguousArray<PropertyCell>

  init(_ cells: some Sequence<PropertyCell>) {
    self.cells = ContiguousArray(cells)
  }

  /// The cell of a source, which is in the row.
  func cell<Value>(_ identity: ObjectIdentifier, of type: Value.Type) -> TypedPropertyCell<Value> {
    // Safe: a row has a cell for each source of what is computed of it, and the identity is that of a core of this type.
    unsafeDowncast(
      cells.first { $0.identity == identity }.unsafelyUnwrapped, to: TypedPropertyCell<Value>.self)
  }
}
