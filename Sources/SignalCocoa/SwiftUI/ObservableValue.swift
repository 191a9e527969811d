public import Observation
public import Signals

/// A property as an `@Observable` object of the main actor, for views of SwiftUI.
///
/// ```swift
/// import SignalCocoa
/// import Signals
///
/// @MainActor func count(_ clicks: Property<Int>) {
///   let shown = ObservableValue(clicks)
///   clicks.value = 2
///   print(shown.value)  // 2
///   shown.value += 1
///   print(clicks.value)  // 3
/// }
/// ```
///
/// What is written here is written into the property; what others write there, from any thread, comes here on the main actor, in order. As the value is
/// written on the main actor only, a view never sees it change in the middle.
@MainActor
@Observable
public final class ObservableValue<Value: Sendable> {
  private var stored: Value
  @ObservationIgnored private let property: Property<Value>
  @ObservationIgnored private let bag = DisposeBag()

  /// Makes the object of a property, which it keeps.
  public init(
    _ property: Property<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    self.property = property
    stored = property.value
    property.signal.subscribe(onMainWith: self, in: bag, fileID: fileID, line: line, function: function) {
      object, value in object.stored = value
    }
  }

  /// The value. What is written here is read here at once.
  public var value: Value {
    get { stored }
    set {
      stored = newValue
      property.value = newValue
    }
  }
}

/// The latest value of a signal as an `@Observable` object of the main actor, for views of SwiftUI that only read.
@MainActor
@Observable
public final class ObservedSignal<Value: Sendable> {
  /// The latest value.
  public private(set) var value: Value
  @ObservationIgnored private let bag = DisposeBag()

  /// Makes the object of a signal, which it follows for as long as it lives.
  ///
  /// A failure goes to `UnhandledFailure.handler`; the latest value stays.
  ///
  /// - Parameters:
  ///   - signal: What is followed. Values come on the main actor.
  ///   - first: The value until the signal delivers one.
  public init(
    _ signal: Signal<Value>, first: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    value = first
    signal.subscribe(onMainWith: self, in: bag, fileID: fileID, line: line, function: function) { object, value in
      object.value = value
    }
  }
}
