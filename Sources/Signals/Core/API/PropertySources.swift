/// The properties that a derived one is computed from, each once.
@usableFromInline
struct PropertySources: Sendable {
  private var sources: ContiguousArray<any PropertySource>

  init(_ source: any PropertySource) {
    sources = [source]
  }

  /// The union of the sources of two derived properties.
  @usableFromInline
  init(_ first: PropertySources, _ second: PropertySources) {
    sources = first.sources + second.sources.filter { !first.contains($0) }
  }

  private func contains(_ source: any PropertySource) -> Bool { sources.contains { $0 === source } }

  /// Whether the two sets intersect.
  @usableFromInline
  func overlaps(_ others: PropertySources) -> Bool { others.sources.contains(where: contains) }

  /// Inputs that deliver the sources' values. They retain none of them.
  @usableFromInline
  var inputs: [PropertyInput] { sources.map(\.input) }

  /// The total number of changes. As each count only grows, two equal sums mean that nothing has changed in between.
  private var changeCount: UInt64 { sources.reduce(0) { $0 &+ $1.changeCount } }

  /// The values that all of them had at one instant: they are read again if one of them changes during the read.
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

/// A writable property, type-erased.
protocol PropertySource: AnyObject, Sendable {
  /// The number of writes.
  var changeCount: UInt64 { get }
  /// The input that delivers its values.
  var input: PropertyInput { get }
  /// A cell with the current value.
  func makeCell() -> PropertyCell
}

extension Property: PropertySource {
  var changeCount: UInt64 { current.number }
  var input: PropertyInput { TypedPropertyInput(core) }
  func makeCell() -> PropertyCell { TypedPropertyCell(ObjectIdentifier(core), value) }
}

/// Takes a row, and returns a closure that computes a derived property's value from the row's current values.
///
/// It retains none of the properties.
@usableFromInline typealias PropertyEvaluator<Value> = @Sendable (PropertyRow) -> @Sendable () -> Value

/// A value of each source.
@usableFromInline
struct PropertyRow: Sendable {
  private let cells: ContiguousArray<PropertyCell>

  init(_ cells: some Sequence<PropertyCell>) {
    self.cells = ContiguousArray(cells)
  }

  /// The cell of a source that is in the row.
  func cell<Value>(_ identity: ObjectIdentifier, of type: Value.Type) -> TypedPropertyCell<Value> {
    // Safe: a row has a cell for each source of the computation, and the identity is that of a core of this type.
    unsafeDowncast(
      cells.first { $0.identity == identity }.unsafelyUnwrapped, to: TypedPropertyCell<Value>.self)
  }
}
