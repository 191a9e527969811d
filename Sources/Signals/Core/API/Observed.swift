/// A variable of a class or an actor that can be watched: `$name` is its signal.
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
/// The signal delivers the current value first, and then every change, inside the assignment (law 12). It finishes when the object has gone.
///
/// The variable has the isolation of the object that it is written in: in a class of the main actor it is read and set there, in an actor on that
/// actor, and so is `$name`. What the signal delivers is `Sendable` and may be taken anywhere, as with any signal. A class that is `Sendable` by itself
/// cannot have variables; write `let text = Property("")` there. Do not use it in a structure: its copies would share one variable.
///
/// See also ``Property``, which is what it is made of.
@propertyWrapper
public struct Observed<Value: Sendable>: Sendable {
  private let property: Property<Value>

  /// Makes a variable with its first value.
  ///
  /// - Parameter wrappedValue: The value to begin with.
  public init(
    wrappedValue: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    property = Property(wrappedValue, fileID: fileID, line: line, function: function)
  }

  /// Makes a variable that may ignore assignments of a value equal to the current one.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value to begin with.
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

  /// The variable as a property that can be read and watched, for those who are to see it: inside the object it is called `_name.readOnly`.
  public var readOnly: ReadOnlyProperty<Value> { property.readOnly }
}
