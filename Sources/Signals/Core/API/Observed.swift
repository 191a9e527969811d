/// An observable variable of a class or an actor: `$name` is its signal.
///
/// ```swift
/// @MainActor final class SearchModel {
///   @Observed var text = ""
///   @Observed(removingDuplicates: true) var isBusy = false
/// }
///
/// @MainActor func watch(_ model: SearchModel) {
///   model.$text.subscribe { print("searching for \($0)") }.retained()  // Prints at once, with an empty text.
///   model.text = "signals"
/// }
/// ```
///
/// The signal delivers the current value first, and then every change, inside the assignment (law 12). It finishes when
/// the object is deallocated.
///
/// The variable has the isolation of the enclosing object: in a main actor class it is read and set there, in an actor
/// on that actor, and so is `$name`. The delivered values are `Sendable` and may be used anywhere, as with any signal.
/// A class that is itself `Sendable` cannot have variables; write `let text = Property("")` there. Do not use it in a
/// structure: its copies would share one variable.
///
/// See also ``Property``, which it wraps.
@propertyWrapper
public struct Observed<Value: Sendable>: Sendable {
  private let property: Property<Value>

  /// Creates a variable with its first value.
  ///
  /// - Parameter wrappedValue: The first value.
  public init(
    wrappedValue: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    property = Property(wrappedValue, fileID: fileID, line: line, function: function)
  }

  /// Creates a variable that may ignore assignments of a value equal to the current one.
  ///
  /// - Parameters:
  ///   - wrappedValue: The first value.
  ///   - removingDuplicates: Whether such assignments are ignored.
  public init(
    wrappedValue: Value, removingDuplicates: Bool,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) where Value: Equatable {
    property =
      removingDuplicates
      ? Property(removingDuplicates: wrappedValue, fileID: fileID, line: line, function: function)
      : Property(wrappedValue, fileID: fileID, line: line, function: function)
  }

  /// The value of the variable.
  public var wrappedValue: Value {
    get { property.value }
    nonmutating set { property.value = newValue }
  }

  /// The current value first, then every change.
  public var projectedValue: Signal<Value> { property.signal }

  /// The variable as a read-only property, for use outside: inside the object it is called `_name.readOnly`.
  public var readOnly: ReadOnlyProperty<Value> { property.readOnly }
}
