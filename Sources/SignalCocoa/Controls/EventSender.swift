public import Signals

/// A main actor object that sends events to targets: a control, a bar button, a gesture recogniser, or a custom object.
///
/// Conforming types get ``events(_:fileID:line:function:)``, ``values(of:on:fileID:line:function:)`` and
/// ``bindTwoWay(_:on:with:fileID:line:function:)``:
///
/// ```swift
/// import SignalCocoa
/// import Signals
///
/// @MainActor final class Dial: EventSender {
///   enum Kind { case turned, pressed }
///   var position = 0
///   private var relays: [(kind: Kind, relay: EventRelay)] = []
///
///   func connect(_ relay: EventRelay, for kind: Kind) { relays.append((kind, relay)) }
///   func disconnect(_ relay: EventRelay, for kind: Kind) { relays.removeAll { $0.relay === relay } }
///
///   func turn(to position: Int) {
///     self.position = position
///     for entry in relays where entry.kind == .turned { entry.relay.fire() }
///   }
/// }
///
/// @MainActor func watch(_ dial: Dial, _ bag: DisposeBag) {
///   dial.values(of: \.position, on: .turned).subscribe { print($0) }.store(in: bag)
/// }
/// ```
@MainActor
public protocol EventSender: AnyObject {
  /// The kinds of events; `Void` if there is only one.
  associatedtype EventKind: Sendable
  /// Retains a relay, and fires it at each event of a kind from now on.
  func connect(_ relay: EventRelay, for kind: EventKind)
  /// Releases a relay.
  func disconnect(_ relay: EventRelay, for kind: EventKind)
}

extension EventSender {
  /// The events of a kind.
  ///
  /// - **Errors:** none.
  /// - **Ends:** when this object is deallocated. The signal does not retain it.
  /// - **Order and threads:** on the main actor, when the event happens.
  /// - Parameter kind: The kind of events.
  public func events(
    _ kind: EventKind,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Void> {
    readings(kind, fileID, line, function, startsNow: false) { _ in }
  }

  /// The current value of this object, and its value after each event of a kind.
  ///
  /// Changes by the program itself are no events, so they are not delivered.
  ///
  /// - **Errors:** none.
  /// - **Ends:** when this object is deallocated. The signal does not retain it.
  /// - **Order and threads:** on the main actor, when the event happens.
  /// - Parameters:
  ///   - kind: The kind of events.
  ///   - read: Reads the value.
  public func values<Value: Sendable>(
    on kind: EventKind,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ read: @escaping @MainActor (Self) -> Value
  ) -> Signal<Value> {
    readings(kind, fileID, line, function, startsNow: true, read)
  }

  /// The current value of a variable of this object, and its value after each event of a kind; see
  /// ``values(on:fileID:line:function:_:)``.
  ///
  /// - Parameters:
  ///   - keyPath: The variable.
  ///   - kind: The kind of events.
  public func values<Value: Sendable>(
    of keyPath: KeyPath<Self, Value>, on kind: EventKind,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    values(on: kind, fileID: fileID, line: line, function: function) { $0[keyPath: keyPath] }
  }

  /// The value read from this object at each event.
  func readings<Value: Sendable>(
    _ kind: EventKind, _ fileID: StaticString, _ line: UInt, _ function: StaticString, startsNow: Bool,
    _ read: @escaping @MainActor (Self) -> Value
  ) -> Signal<Value> {
    .onMain(fileID: fileID, line: line, function: function) { [weak self] producer in
      guard let self else {
        producer.finish()
        return {}
      }
      let relay = EventRelay { [weak self] in
        if let self { producer.send(read(self)) }
      } gone: {
        producer.finish()
      }
      self.connect(relay, for: kind)
      // After connecting: its handler may cause events.
      if startsNow { producer.send(read(self)) }
      return { [weak self, weak relay] in
        if let self, let relay { self.disconnect(relay, for: kind) }
      }
    }
  }

  /// Binds a variable of this object and a property to each other's changes, after this object takes the property's
  /// value.
  ///
  /// Equal values are not written. Neither retains the other: the binding ends with this object, or when it is
  /// disposed. So the result need not be stored.
  ///
  /// - Parameters:
  ///   - keyPath: The variable.
  ///   - kind: The events with which it changes.
  ///   - property: The property whose value is taken first.
  /// - Returns: The binding, to end it earlier.
  @discardableResult
  public func bindTwoWay<Value: Sendable & Equatable>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, on kind: EventKind, with property: Property<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    let written = property.signal.map { TwoWayChange.property($0) }
    let made = readings(kind, fileID, line, function, startsNow: false) { $0[keyPath: keyPath] }
      .map { TwoWayChange.control($0) }
    return Signal.merge(written, made).subscribe(onMainWith: self, fileID: fileID, line: line, function: function) {
      [weak property] object, change in
      switch change {
      case .property(let value):
        // A later one, if there is one: the object may have made it.
        let value = property?.value ?? value
        if object[keyPath: keyPath] != value { object[keyPath: keyPath] = value }
      case .control(let value): if let property, property.value != value { property.value = value }
      }
    }
  }
}

/// The side that has changed.
private enum TwoWayChange<Value: Sendable>: Sendable {
  case property(Value)
  case control(Value)
}

extension EventSender where EventKind == Void {
  /// The events of an object that has one kind only; see ``events(_:fileID:line:function:)``.
  public func events(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Void> {
    events((), fileID: fileID, line: line, function: function)
  }
}
