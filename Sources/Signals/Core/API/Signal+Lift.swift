public import Synchronization

extension Signal {
  /// Makes an operator with state of its own for each subscription.
  ///
  /// `receive` is called with each value, one call at a time, and hands on what it likes. The end is passed on.
  ///
  /// ```swift
  /// extension Signal {
  ///   /// Leaves out all but every third value, or whatever the count is.
  ///   func every(
  ///     _ count: Int, fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ///   ) -> Signal<Value> {
  ///     lift(Site("every", fileID: fileID, line: line, function: function), state: 0) { seen, value, downstream in
  ///       seen += 1
  ///       if seen.isMultiple(of: count) { try downstream.send(value) }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - **Errors:** an error that `receive` throws fails the result.
  /// - **Order and threads:** `receive` is called on the thread that delivers the value. What it hands on is delivered before
  ///   ``Downstream/send(_:)`` returns.
  /// - Parameters:
  ///   - site: What the operator is called in the graph, and the place of the call: hand on `fileID`, `line` and `function`.
  ///   - initial: The state that each subscription begins with; it is copied.
  ///   - receive: Takes a value, changes the state and hands on values.
  /// - Complexity: no heap allocation for a value.
  ///
  /// See also ``lift(_:stateless:)``, which is joined with its neighbours, and ``lift(_:state:_:end:)``.
  @inlinable
  @inline(__always)
  public func lift<State: Sendable, Output>(
    _ site: Site, state initial: State,
    _ receive:
      @escaping @Sendable (
        _ state: inout State, _ value: Value, _ downstream: borrowing Downstream<Output>
      ) throws -> Void
  ) -> Signal<Output> {
    lifted(site, state: initial, deliversAtEnd: false, receive, end: { _, _, _ in })
  }

  /// Makes an operator with state of its own for each subscription, that also does something at the end.
  ///
  /// ```swift
  /// extension Signal {
  ///   /// Delivers all values as one array, at the regular end.
  ///   func collected(
  ///     fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ///   ) -> Signal<[Value]> {
  ///     lift(Site("collected", fileID: fileID, line: line, function: function), state: [Value]()) { all, value, _ in
  ///       all.append(value)
  ///     } end: { all, completion, downstream in
  ///       if case .finished = completion { try downstream.send(all) }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// `receive` is called as in ``lift(_:state:_:)``. `end` is called once, when what is above has finished or failed; it may hand on more
  /// values. Then the end is passed on, unless `end` has finished the signal itself, or throws, which fails it. It is not called when
  /// the subscriber leaves.
  ///
  /// - Parameters:
  ///   - site: What the operator is called in the graph, and the place of the call: hand on `fileID`, `line` and `function`.
  ///   - initial: The state that each subscription begins with; it is copied.
  ///   - receive: Takes a value, changes the state and hands on values.
  ///   - end: Called before the end is passed on; it may hand on values.
  /// - Complexity: no heap allocation for a value.
  @inlinable
  @inline(__always)
  public func lift<State: Sendable, Output>(
    _ site: Site, state initial: State,
    _ receive:
      @escaping @Sendable (
        _ state: inout State, _ value: Value, _ downstream: borrowing Downstream<Output>
      ) throws -> Void,
    end:
      @escaping @Sendable (
        _ state: inout State, _ completion: Completion, _ downstream: borrowing Downstream<Output>
      ) throws -> Void
  ) -> Signal<Output> {
    lifted(site, state: initial, deliversAtEnd: true, receive, end: end)
  }

  @inlinable
  @inline(__always)
  func lifted<State: Sendable, Output>(
    _ site: Site, state initial: State, deliversAtEnd: Bool,
    _ receive: @escaping @Sendable (inout State, Value, borrowing Downstream<Output>) throws -> Void,
    end: @escaping @Sendable (inout State, Completion, borrowing Downstream<Output>) throws -> Void
  ) -> Signal<Output> {
    let upstream = self
    return Signal<Output>(site, derivedFrom: self) { downstream, subscription in
      let lifted = LiftedState(initial, Downstream(downstream, endingWith: deliversAtEnd ? subscription : nil))
      let observer = Observer<Value>(
        receive: { value in
          do {
            try receive(&lifted.value, value, lifted.downstream)
          } catch {
            // It belongs to what is below, so it must not come back as if it came from above.
            throw lifted.downstream.stop(after: error)
          }
          if lifted.downstream.isOver { throw lifted.downstream.reason }
        },
        end: { completion in
          if lifted.downstream.isOver { return }
          lifted.downstream.beginEnd()
          do {
            try end(&lifted.value, completion, lifted.downstream)
            // Over already: finished by the closure, or stopped by an error that the closure kept to itself.
            if lifted.downstream.isOver { lifted.downstream.end(after: StopDelivery()) }
            lifted.downstream.end(completion)
          } catch {
            lifted.downstream.end(after: error)
          }
        })
      upstream.connect(observer, subscription)
    }
  }
}

/// Where an operator that is made with ``Signal/lift(_:state:_:)`` hands on its values.
///
/// It is lent to the closures of the operator for the length of a call: it can neither be kept nor taken to another thread, so that values
/// reach the subscriber one at a time.
public struct Downstream<Value: Sendable>: ~Copyable {
  // States. Values pass in the first one without a further look.
  @usableFromInline static var open: UInt8 { 0 }
  /// What is above has ended, and the operator may still deliver values.
  @usableFromInline static var ending: UInt8 { 1 }
  @usableFromInline static var over: UInt8 { 2 }

  @usableFromInline let observer: Observer<Value>
  // Atomic only because what is lent cannot be changed otherwise.
  @usableFromInline let state = Atomic<UInt8>(Self.open)
  private let stopping = Mutex<(any Error)?>(nil)
  /// Looked at when the operator delivers values at the end. Weak, as what is above keeps this, and the subscription what is above.
  private weak let subscription: Subscription?
  private let isWatching: Bool

  /// - Parameter subscription: At the end of what is above it is over, so its source does not hear any more that somebody disposes it: whoever
  ///   delivers values then has to ask.
  @usableFromInline
  init(_ observer: consuming Observer<Value>, endingWith subscription: Subscription?) {
    self.observer = observer
    self.subscription = subscription
    isWatching = subscription != nil
  }

  /// Hands on a value.
  ///
  /// - Parameter value: The value.
  /// - Throws: When the signal takes no more values. Let the error travel up: the operator is over.
  @inlinable
  @inline(__always)
  public borrowing func send(_ value: Value) throws {
    if isOver { throw StopDelivery() }
    do {
      try observer.receive(value)
    } catch {
      throw stop(after: error)
    }
  }

  /// Finishes the signal, and leaves what is above. Later values are not taken.
  @inlinable
  public borrowing func finish() {
    end(.finished)
  }

  @inlinable
  var isOver: Bool { state.load(ordering: .relaxed) != Self.open && isOverAtEnd }

  @usableFromInline
  var isOverAtEnd: Bool {
    state.load(ordering: .relaxed) == Self.over || (isWatching && subscription?.wasDisposed ?? true)
  }

  /// Notes that what is above has ended.
  @usableFromInline
  borrowing func beginEnd() {
    state.store(Self.ending, ordering: .relaxed)
  }

  /// Passes the end on, once.
  @usableFromInline
  borrowing func end(_ completion: Completion) {
    if isOver { return }
    state.store(Self.over, ordering: .relaxed)
    observer.end(completion)
  }

  /// Takes no more values because a closure threw, and gives the error to throw up to the source.
  @usableFromInline
  borrowing func stop(after error: any Error) -> any Error {
    if isOver { return reason }
    state.store(Self.over, ordering: .relaxed)
    let reason = observer.stop(after: error)
    stopping.withLock { $0 = reason }
    return reason
  }

  /// What to throw once it is over: also when the operator's closure kept the error to itself.
  @usableFromInline
  var reason: any Error { stopping.withLock { $0 } ?? StopDelivery() }

  /// Ends the signal because a closure threw at the end.
  @usableFromInline
  borrowing func end(after error: any Error) {
    let error = isOver ? reason : error
    state.store(Self.over, ordering: .relaxed)
    endChain(observer.end, after: error)
  }
}

@available(*, unavailable)
extension Downstream: Sendable {}

/// What one subscription of an operator keeps: its state, and where its values go.
@usableFromInline
final class LiftedState<State: Sendable, Output: Sendable>: SerialState<State>, @unchecked Sendable {
  // Safe: as in the superclass; only the operator's closures have this.
  @usableFromInline let downstream: Downstream<Output>

  @inlinable
  init(_ state: State, _ downstream: consuming Downstream<Output>) {
    self.downstream = downstream
    super.init(state)
  }
}
