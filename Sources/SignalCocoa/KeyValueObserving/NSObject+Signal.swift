#if canImport(ObjectiveC)
  public import Foundation
  public import Signals

  extension NSObjectProtocol where Self: NSObject & Sendable {
    /// The value of a variable now, and after each change that key-value observing tells of.
    ///
    /// - **Errors:** none.
    /// - **Ends:** never by itself. Neither the signal nor a subscription keeps the object.
    /// - **Order and threads:** on the thread that makes the change.
    /// - Parameter keyPath: The variable, which has to be one that Objective-C knows: `@objc dynamic`.
    public func signal<Value: Sendable>(
      for keyPath: any KeyPath<Self, Value> & Sendable,
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<Value> {
      Signal(fileID: fileID, line: line, function: function) { [weak self] producer in
        guard let self else { return producer.finish() }
        let observation = Observation(
          self.observe(keyPath, options: [.initial]) { object, _ in
            // Not the change's own value: it is missing where an optional or an enumeration has changed.
            producer.send(object[keyPath: keyPath])
          })
        producer.onDisposal { observation.token.invalidate() }
      }
    }
  }

  private struct Observation: @unchecked Sendable {
    // Safe: constant, and any thread may invalidate an observation.
    let token: NSKeyValueObservation

    init(_ token: NSKeyValueObservation) { self.token = token }
  }
#endif
