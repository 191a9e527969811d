public import Observation

extension Signal {
  /// Delivers what a closure of the main actor reads from `@Observable` objects, now and after each change of what it has read.
  ///
  /// ```swift
  /// import Observation
  /// import Signals
  ///
  /// @MainActor @Observable final class Cart {
  ///   var prices: [Int] = []
  ///   var isEmpty: Bool { prices.isEmpty }
  /// }
  ///
  /// @MainActor func watch(_ cart: Cart) {
  ///   Signal.observingOnMain { cart.prices.reduce(0, +) }
  ///     .removeDuplicates()
  ///     .subscribe { print("together \($0)") }  // together 0
  ///     .retained()
  ///   cart.prices.append(3)
  ///   cart.prices.append(4)  // A little later: together 7
  /// }
  /// ```
  ///
  /// The system announces a change before it is made. So the closure runs again in the next turn of the main queue, when the change is complete, and changes of
  /// one turn come as one value: the newest. The last value is never missed, as long as the objects are changed on the main actor. Values may be equal to the one
  /// before: put ``removeDuplicates(fileID:line:function:)`` below where that matters.
  ///
  /// It is for objects that belong to the main actor. The system loses a change that another thread makes while the closure is reading, so an object with a
  /// lock of its own is better off with a ``Property``.
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** never. The closure keeps the objects that it captures until the subscription ends.
  /// - **Order and threads:** everything on the main queue, which the program has to serve. The first value comes inside subscribe where that is on the main queue.
  /// - **Allocations:** those of the system, which registers anew after each change.
  /// - Parameter value: Reads what is to be delivered. It is called when somebody subscribes, and after each change of a property that it read the last time.
  ///
  /// See also ``observing(_:_:fileID:line:function:)`` and ``observing(onActor:fileID:line:function:_:)``; ``Observed`` and ``Property`` for variables that do not need
  /// `@Observable`.
  public static func observingOnMain(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ value: @escaping @MainActor () throws -> Value
  ) -> Signal<Value> {
    Signal(named: "observing", fileID: fileID, line: line, function: function) { producer in
      let loop = ObservationLoop(producer, later: { MainScheduler.main.schedule($0) }) {
        try MainActor.assumeIsolated { try value() }
      }
      loop.begin { MainScheduler.isHere ? $0() : MainScheduler.main.schedule($0) }
    }
  }

  /// Delivers a property of an `@Observable` object that belongs to the main actor: its value now, and after each change.
  ///
  /// ```swift
  /// import Observation
  /// import Signals
  ///
  /// @MainActor @Observable final class Cart {
  ///   var note = ""
  /// }
  ///
  /// @MainActor func watch(_ cart: Cart) {
  ///   Signal.observing(cart, \.note)
  ///     .debounce(for: .milliseconds(300), on: .main)
  ///     .subscribe { print("saving \($0)") }
  ///     .retained()
  /// }
  /// ```
  ///
  /// The object is held weakly; otherwise it is as with ``observingOnMain(fileID:line:function:_:)``, see there. The object need not be `Sendable`.
  ///
  /// - **Errors:** none.
  /// - **Ends:** never; nothing comes after the object has gone. Who subscribes then gets the end.
  /// - **Order and threads:** everything on the main queue, which the program has to serve. The first value comes inside subscribe where that is on the main queue.
  /// - Parameters:
  ///   - object: What is observed.
  ///   - keyPath: The property, which may be a computed one.
  @MainActor
  public static func observing<Object: AnyObject & Observable>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let read: @MainActor () -> Value? = { [weak object] in object?[keyPath: keyPath] }
    return Signal(named: "observing", fileID: fileID, line: line, function: function) { producer in
      let loop = ObservationLoop(producer, later: { MainScheduler.main.schedule($0) }) {
        MainActor.assumeIsolated { read() }
      }
      loop.begin { MainScheduler.isHere ? $0() : MainScheduler.main.schedule($0) }
    }
  }

  /// Delivers what a closure that is isolated to an actor reads from `@Observable` objects of the actor, now and after each change of what it has read.
  ///
  /// ```swift
  /// import Observation
  /// import Signals
  ///
  /// @Observable final class Queue {
  ///   var waiting = 0
  /// }
  ///
  /// actor Printer {
  ///   let queue = Queue()
  ///   nonisolated var waiting: Signal<Int> { .observing(onActor: self) { $0.queue.waiting } }
  /// }
  /// ```
  ///
  /// It is as with ``observingOnMain(fileID:line:function:_:)``, on another actor: changes that are made in one turn of the actor come as one value, and the last value is never
  /// missed. The actor is held weakly.
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** never; nothing comes after the actor has gone.
  /// - **Order and threads:** everything on the actor, never inside subscribe.
  /// - Parameters:
  ///   - actor: What the objects belong to.
  ///   - value: Reads what is to be delivered, on the actor.
  public static func observing<Isolation: Actor>(
    onActor actor: Isolation,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ value: @escaping @Sendable (isolated Isolation) throws -> Value
  ) -> Signal<Value> {
    let scheduler = ActorScheduler(actor)
    return Signal(named: "observing", fileID: fileID, line: line, function: function) { [weak actor] producer in
      let loop = ObservationLoop(producer, later: { scheduler.schedule($0) }) { [weak actor] in
        try actor?.assumeIsolated { try value($0) }
      }
      loop.begin { scheduler.schedule($0) }
    }
  }
}

/// Reads a value and, after each change of what it has read, again. Everything but what announces a change runs where the objects belong.
private final class ObservationLoop<Value: Sendable>: Sendable {
  typealias Run = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  private let producer: Producer<Value>
  /// Runs work when the change that is being made is complete.
  private let later: Run
  /// Nil when what is observed has gone.
  private let read: @Sendable () throws -> Value?

  init(_ producer: Producer<Value>, later: @escaping Run, _ read: @escaping @Sendable () throws -> Value?) {
    self.producer = producer
    self.later = later
    self.read = read
  }

  func begin(_ run: Run) {
    // The system keeps a registration until the next change. So it holds the loop weakly, and the producer keeps it for as long as somebody listens.
    producer.onDisposal { withExtendedLifetime(self) {} }
    run { [weak self] in self?.readOnce() }
  }

  private func readOnce() {
    guard producer.isActive else { return }
    let result = withObservationTracking {
      Result { try read() }
    } onChange: { [weak self, later] in
      later { [weak self] in self?.readOnce() }
    }
    // Registered before it is delivered: a handler may change the object.
    switch result {
    case .success(let value?): producer.send(value)
    case .success(nil): producer.finish()
    case .failure(let error): producer.fail(error)
    }
  }
}
