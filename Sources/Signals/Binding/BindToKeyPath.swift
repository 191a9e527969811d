extension Signal {
  /// Writes each value into a variable of an object, as long as the object lives.
  ///
  /// ```swift
  /// import Synchronization
  ///
  /// final class Gauge: Sendable {
  ///   private let stored = Mutex(0.0)
  ///   var level: Double {
  ///     get { stored.withLock { $0 } }
  ///     set { stored.withLock { $0 = newValue } }
  ///   }
  /// }
  /// let gauge = Gauge()
  /// let volume = Property(0.5)
  /// volume.signal.bind(to: \.level, on: gauge)
  /// print(gauge.level)  // 0.5
  /// ```
  ///
  /// The object is referenced weakly: the binding ends with it, as ``subscribe(with:fileID:line:function:_:)-67s1a``
  /// does with its owner. So the result need not be stored.
  ///
  /// This overload is for objects that any thread may write to. If the object belongs to the main actor, the compiler
  /// chooses the other overload.
  ///
  /// - **Errors:** a failure goes to ``UnhandledFailure/handler`` while the object lives.
  /// - **Ends:** with this signal, or with the object.
  /// - **Order and threads:** values are written in the order of this signal, on the thread that delivers them.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - keyPath: The variable.
  ///   - object: The object that has the variable.
  /// - Returns: The binding, to end it earlier.
  @inlinable
  @discardableResult
  public func bind<Root: AnyObject & Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Value> & Sendable, on object: Root,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    start(SubscriptionSite(fileID, line, function), boundTo: object, { $0[keyPath: keyPath] = $1 }).retained()
  }

  /// Writes each value, on the main queue, into a variable of a main actor object, as long as the object lives.
  ///
  /// ```swift
  /// @MainActor final class Label { var text = "" }
  ///
  /// @MainActor func show(_ title: Property<String>, in label: Label) {
  ///   title.signal.bind(to: \.text, on: label)
  ///   print(label.text)  // The current value: it is written before `bind` returns.
  /// }
  /// ```
  ///
  /// The object is referenced weakly. It need not be `Sendable`: it is written on the main actor only. The binding ends
  /// once the object is deallocated, with the next value at the latest, so the result need not be stored.
  ///
  /// - **Errors:** a failure goes to ``UnhandledFailure/handler`` while the object lives.
  /// - **Ends:** with this signal, or with the object.
  /// - **Order and threads:** values are written in the order of this signal: at once if they come on the main queue
  ///   and no earlier one is waiting for it, else through the main queue, see ``Scheduler/mainImmediate``.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - keyPath: The variable.
  ///   - object: The object that has the variable.
  /// - Returns: The binding, to end it earlier.
  @MainActor
  @discardableResult
  public func bind<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Value>, on object: Root,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    subscribe(onMainWith: object, fileID: fileID, line: line, function: function) { $0[keyPath: keyPath] = $1 }
  }
}
