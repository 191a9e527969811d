/// A read-only view of a property, which can be read and subscribed to.
///
/// It is a view of a ``Property``, see ``Property/readOnly``, or derived from others, see ``ReadableProperty``:
///
/// ```swift
/// final class Player: Sendable {
///   private let seconds = Property(0)
///   var position: ReadOnlyProperty<String> { seconds.map { "\($0 / 60):\($0 % 60)" } }
/// }
/// print(Player().position.value)  // 0:0
/// ```
///
/// It retains the properties that it is derived from. They retain only its subscribers, so it can be released at any
/// time; its signals finish once those properties are deallocated.
public struct ReadOnlyProperty<Value: Sendable>: ReadableProperty {
  private enum Storage: Sendable {
    case property(Property<Value>)
    case derived(DerivedProperty<Value>)
  }

  private let storage: Storage

  init(_ property: Property<Value>) {
    storage = .property(property)
  }

  @usableFromInline
  init(_ derived: DerivedProperty<Value>) {
    storage = .derived(derived)
  }

  /// The current value. A derived property computes it on each read, from values that its sources had at one instant.
  public var value: Value {
    switch storage {
    case .property(let property): property.value
    case .derived(let derived): derived.read()
    }
  }

  /// The current value first, then every change.
  public var signal: Signal<Value> {
    switch storage {
    case .property(let property): property.signal
    case .derived(let derived): derived.signal
    }
  }

  /// Every change from now on, without the current value.
  public var changes: Signal<Value> {
    switch storage {
    case .property(let property): property.changes
    case .derived(let derived): derived.changes
    }
  }

  /// The same.
  public var readOnly: ReadOnlyProperty<Value> { self }

  /// The writable properties that this is derived from.
  @usableFromInline
  var sources: PropertySources {
    switch storage {
    case .property(let property): PropertySources(property)
    case .derived(let derived): derived.sources
    }
  }

  /// Computes the value from those of the sources, which it does not retain.
  @usableFromInline
  var evaluator: PropertyEvaluator<Value> {
    switch storage {
    case .property(let property):
      let identity = ObjectIdentifier(property.core)
      return { row in
        let cell = row.cell(identity, of: Value.self)
        // Safe: nothing is computed before each cell has a value.
        return { cell.value.unsafelyUnwrapped }
      }
    case .derived(let derived): return derived.evaluator
    }
  }
}

/// The parts of a derived property.
@usableFromInline
final class DerivedProperty<Value: Sendable>: Sendable {
  let sources: PropertySources
  let signal: Signal<Value>
  let changes: Signal<Value>
  let evaluator: PropertyEvaluator<Value>
  /// Computes the current value.
  let read: @Sendable () -> Value

  /// Creates a derived property.
  ///
  /// - Parameters:
  ///   - sources: The properties it is derived from.
  ///   - signal: Retains none of the sources.
  ///   - changes: The same, without the current value.
  ///   - evaluator: Computes the value from those of the sources; retains none of them.
  ///   - read: Computes the current value; it may retain the sources.
  @usableFromInline
  init(
    _ sources: PropertySources, signal: Signal<Value>, changes: Signal<Value>,
    evaluator: @escaping PropertyEvaluator<Value>, read: @escaping @Sendable () -> Value
  ) {
    self.sources = sources
    self.signal = signal
    self.changes = changes
    self.evaluator = evaluator
    self.read = read
  }
}
