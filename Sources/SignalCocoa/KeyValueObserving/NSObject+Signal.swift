#if canImport(ObjectiveC)
  public import Foundation
  public import Signals

  extension NSObjectProtocol where Self: NSObject & Sendable {
    /// The value of a variable now, and after each change that key-value observing reports.
    ///
    /// - **Errors:** none.
    /// - **Ends:** when this object is deallocated. Neither the signal nor a subscription retains the object.
    /// - **Order and threads:** on the thread that makes the change.
    /// - Parameter keyPath: The variable, which has to be visible to Objective-C: `@objc dynamic`.
    public func signal<Value: Sendable>(
      for keyPath: any KeyPath<Self, Value> & Sendable,
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<Value> {
      Signal(fileID: fileID, line: line, function: function) { [weak self] producer in
        guard let self else { return producer.finish() }
        let observation = Observation(
          self.observe(keyPath, options: [.initial]) { object, _ in
            // Not the change's own value: it is missing if an optional or an enumeration has changed.
            producer.send(object[keyPath: keyPath])
          })
        let farewell = Farewell { producer.finish() }
        farewell.carried(by: self)
        producer.onDisposal { [weak self, weak farewell] in
          observation.token.invalidate()
          if let self { farewell?.dropped(by: self) }
        }
      }
    }
  }

  extension NSObjectProtocol where Self: NSObject {
    /// The value of a variable of a main actor object, now and after each change that key-value observing reports.
    ///
    /// The compiler chooses this overload if the object or the variable belongs to the main actor, as those of views
    /// do.
    ///
    /// - **Errors:** none.
    /// - **Ends:** when this object is deallocated. Neither the signal nor a subscription retains the object.
    /// - **Order and threads:** on the main actor, where the change is made; a subscriber there gets the value at once.
    ///   A change elsewhere, against the rules of the object, is delivered on the main queue soon.
    /// - Parameter keyPath: The variable, which has to be visible to Objective-C: `@objc dynamic`.
    @MainActor
    public func signal<Value: Sendable>(
      for keyPath: KeyPath<Self, Value>,
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<Value> {
      .onMain(fileID: fileID, line: line, function: function) { [weak self] producer in
        guard let self else {
          producer.finish()
          return {}
        }
        let reading = Reading { [weak self] in
          if let self { producer.send(self[keyPath: keyPath]) }
        }
        let token = self.observe(keyPath, options: [.initial]) { _, _ in onMainActor { reading.read() } }
        let farewell = Farewell { producer.finish() }
        farewell.carried(by: self)
        return { [weak self, weak farewell] in
          token.invalidate()
          if let self { farewell?.dropped(by: self) }
        }
      }
    }
  }

  /// Reads a variable of a main actor object.
  @MainActor
  private final class Reading {
    let read: @MainActor () -> Void

    init(_ read: @escaping @MainActor () -> Void) { self.read = read }
  }

  // Safe: constant, and any thread may invalidate an observation.
  private struct Observation: @unchecked Sendable {
    let token: NSKeyValueObservation

    init(_ token: NSKeyValueObservation) { self.token = token }
  }
#endif
