public import Observation

extension Signal {
  /// Delivers the result of a main actor closure that reads `@Observable` objects, now and after each change of a
  /// property that it has read.
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
  /// The system announces a change before it is made. So the closure runs again in the next turn of the main queue,
  /// after the change, and changes of one turn are delivered as one value: the newest. The last value is never missed,
  /// as long as the objects are changed on the main actor. A value may equal the one before it: add
  /// ``removeDuplicates(fileID:line:function:)`` below where that matters.
  ///
  /// Use it for objects of the main actor. The system loses a change that another thread makes while the closure is
  /// reading, so for an object with its own lock prefer a ``Property``.
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** never. The closure retains its captures until the subscription ends.
  /// - **Order and threads:** everything on the main queue, which the program has to run. The first value is delivered
  ///   inside subscribe if that is on the main queue.
  /// - **Allocations:** those of the system, which registers again after each change.
  /// - Parameter value: Reads the value to deliver. Called on subscription, and after each change of a property that it
  ///   read the last time.
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

  /// Delivers a property of a main actor `@Observable` object: its value now, and after each change.
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
  /// The object is referenced weakly and need not be `Sendable`. For the rest, see
  /// ``observingOnMain(fileID:line:function:_:)``.
  ///
  /// - **Errors:** none.
  /// - **Ends:** never; nothing is delivered after the object is deallocated. A subscriber after that gets the end.
  /// - **Order and threads:** everything on the main queue, which the program has to run. The first value is delivered
  ///   inside subscribe if that is on the main queue.
  /// - Parameters:
  ///   - object: The object to observe.
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

  /// Delivers the result of an actor-isolated closure that reads `@Observable` objects of the actor, now and after each
  /// change of a property that it has read.
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
  /// Like ``observingOnMain(fileID:line:function:_:)``, on another actor: changes in one turn of the actor are
  /// delivered as one value, and the last value is never missed. The actor is referenced weakly.
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** never; nothing is delivered after the actor is deallocated.
  /// - **Order and threads:** everything on the actor, never inside subscribe.
  /// - Parameters:
  ///   - actor: The actor that the objects belong to.
  ///   - value: Reads the value to deliver, on the actor.
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

/// Reads a value, and reads it again after each change of its inputs. Everything but the change notification runs in
/// the objects' isolation.
private final class ObservationLoop<Value: Sendable>: Sendable {
  typealias Run = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  private let producer: Producer<Value>
  /// Runs work after the current change.
  private let later: Run
  /// Nil when the observed object is deallocated.
  private let read: @Sendable () throws -> Value?

  init(_ producer: Producer<Value>, later: @escaping Run, _ read: @escaping @Sendable () throws -> Value?) {
    self.producer = producer
    self.later = later
    self.read = read
  }

  func begin(_ run: Run) {
    // The system retains a registration until the next change. So the registration references the loop weakly, and the
    // producer retains it as long as there is a subscriber.
    producer.onDisposal { withExtendedLifetime(self) {} }
    run { [weak self] in self?.readOnce(isFirst: true) }
  }

  private func readOnce(isFirst: Bool = false) {
    guard producer.isActive else { return }
    let result = withObservationTracking {
      Result { try read() }
    } onChange: { [weak self, later] in
      later { [weak self] in self?.readOnce() }
    }
    // Registered before the value is delivered: a handler may change the object.
    switch result {
    case .success(let value?): producer.send(value)
    // Later the signal does not end: whether a change was still waiting when the object was deallocated is chance.
    case .success(nil): if isFirst { producer.finish() }
    case .failure(let error): producer.fail(error)
    }
  }
}
