public import Observation
public import Signals

/// A property as a main actor `@Observable` object, for SwiftUI views.
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
/// A value written here is written into the property; changes by other code, from any thread, arrive here on the main
/// actor, in order. As the value is written on the main actor only, a view never sees it change during an update.
@MainActor
@Observable
public final class ObservableValue<Value: Sendable> {
  private var stored: Value
  @ObservationIgnored private let property: Property<Value>
  @ObservationIgnored private let bag = DisposeBag()

  /// Creates the object of a property, which it retains.
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

  /// The value. A value written here is visible here at once.
  public var value: Value {
    get { stored }
    set {
      stored = newValue
      property.value = newValue
    }
  }
}

/// The latest value of a signal as a main actor `@Observable` object, for read-only SwiftUI views.
@MainActor
@Observable
public final class ObservedSignal<Value: Sendable> {
  /// The latest value.
  public private(set) var value: Value
  @ObservationIgnored private let bag = DisposeBag()

  /// Creates the object of a signal, which it follows for as long as it lives.
  ///
  /// A failure goes to `UnhandledFailure.handler`; the latest value stays.
  ///
  /// - Parameters:
  ///   - signal: The signal to follow. Values are delivered on the main actor.
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
