public import Synchronization

extension Signal {
  /// Creates an operator with its own state for each subscription.
  ///
  /// `receive` is called with each value, one call at a time, and sends any values downstream. The end is passed on.
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
  /// - **Order and threads:** `receive` is called on the thread that delivers the value. Values it sends are delivered
  ///   before ``Downstream/send(_:)`` returns.
  /// - Parameters:
  ///   - site: The operator's name in the graph, and the call site: pass on `fileID`, `line` and `function`.
  ///   - initial: The initial state of each subscription; it is copied.
  ///   - receive: Takes a value, changes the state and sends values downstream.
  /// - Complexity: no heap allocation for a value.
  ///
  /// See also ``lift(_:stateless:)``, which is fused with its neighbours, and ``lift(_:state:_:end:)``.
  @inlinable
  @inline(__always)
  public func lift<State: Sendable, Output>(
    _ site: Site, state initial: State,
    _ receive:
      @escaping @Sendable (
        _ state: inout State, _ value: Value, _ downstream: borrowing Downstream<Output>
      ) throws -> Void
  ) -> Signal<Output> {
    lift(site, state: initial, receive, end: { _, _, _ in })
  }

  /// Creates an operator with its own state for each subscription and a closure for the end.
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
  /// `receive` is called as in ``lift(_:state:_:)``. `end` is called once, when upstream has finished or failed; it may
  /// send more values. Then the end is passed on, unless `end` has finished the signal itself, or throws, which fails
  /// it. It is not called when the subscriber leaves.
  ///
  /// - Parameters:
  ///   - site: The operator's name in the graph, and the call site: pass on `fileID`, `line` and `function`.
  ///   - initial: The initial state of each subscription; it is copied.
  ///   - receive: Takes a value, changes the state and sends values downstream.
  ///   - end: Called before the end is passed on; it may send values.
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
    let upstream = self
    return Signal<Output>(site, derivedFrom: self) { downstream, subscription in
      let lifted = LiftedState(initial, Downstream(downstream, subscription))
      let observer = Observer<Value>(
        receive: { value in
          lifted.downstream.beginValue()
          do {
            try receive(&lifted.value, value, lifted.downstream)
          } catch {
            // The error belongs downstream, so it must not return as if it came from upstream.
            throw lifted.downstream.stop(after: error)
          }
          if lifted.downstream.hasEnded { throw lifted.downstream.reason }
        },
        end: { completion in
          if lifted.downstream.hasEnded { return }
          let ending = lifted.downstream.beginEnd()
          do {
            try end(&lifted.value, completion, lifted.downstream)
            // Over already: finished by the closure, or stopped by an error that the closure did not rethrow.
            if lifted.downstream.isOver { lifted.downstream.end(after: StopDelivery()) }
            lifted.downstream.end(completion)
          } catch {
            lifted.downstream.end(after: error)
          }
          ending?.end()
        })
      upstream.connect(observer, subscription)
    }
  }
}

/// Where an operator created with ``Signal/lift(_:state:_:)`` sends its values.
///
/// The operator's closures borrow it for a call: it can neither be stored nor passed to another thread, so that values
/// reach the subscriber one at a time.
public struct Downstream<Value: Sendable>: ~Copyable {
  /// The progress of a call of the operator's closure. The first value of a call needs no further check.
  @usableFromInline
  enum Stage: UInt8, AtomicRepresentable {
    /// Nothing was sent.
    case fresh
    /// A value was sent: its handler may have disposed the subscription since.
    case used
    /// Upstream has ended, and the operator may still send values.
    case ending
    case over
  }

  @usableFromInline let observer: Observer<Value>
  // Atomic only because a borrowed value cannot be changed otherwise.
  @usableFromInline let stage = Atomic<Stage>(.fresh)
  private let stopping = Mutex<(any Error)?>(nil)
  /// Weak, as upstream retains this, and the subscription retains upstream.
  private weak let subscription: Subscription?

  @usableFromInline
  init(_ observer: consuming Observer<Value>, _ subscription: Subscription) {
    self.observer = observer
    self.subscription = subscription
  }

  /// Sends a value downstream.
  ///
  /// - Parameter value: The value.
  /// - Throws: If the signal takes no more values. Rethrow the error: the operator is over.
  @inlinable
  @inline(__always)
  public borrowing func send(_ value: Value) throws {
    if stage.load(ordering: .relaxed) == .fresh {
      stage.store(.used, ordering: .relaxed)
    } else if isOver {
      throw StopDelivery()
    }
    do {
      try observer.receive(value)
    } catch {
      throw stop(after: error)
    }
  }

  /// Finishes the signal and unsubscribes from upstream. Later values are ignored.
  @inlinable
  public borrowing func finish() {
    end(.finished)
  }

  /// Whether nothing may be sent any more: the signal has ended, or its subscription was disposed, perhaps by its source.
  ///
  /// A disposed subscription's source stops by itself, but not in the middle of a call; and at its end it has already
  /// forgotten the subscription. So an operator that sends more than one event checks this.
  @usableFromInline
  var isOver: Bool {
    switch stage.load(ordering: .relaxed) {
    case .fresh: false
    // No strong reference remains: it was released, which disposes it.
    case .used: subscription?.wasSilenced ?? true
    // One that has ended may be released at any time: that is no disposal.
    case .ending: subscription?.wasDisposed ?? false
    case .over: true
    }
  }

  /// Whether the end was passed on, or a closure threw.
  @inlinable var hasEnded: Bool { stage.load(ordering: .relaxed) == .over }

  /// Notes that upstream delivers a value.
  @inlinable
  @inline(__always)
  borrowing func beginValue() {
    if stage.load(ordering: .relaxed) == .used { stage.store(.fresh, ordering: .relaxed) }
  }

  /// Notes that upstream has ended.
  @usableFromInline
  borrowing func beginEnd() -> EndingSubscription? {
    stage.store(.ending, ordering: .relaxed)
    return subscription.map(EndingSubscription.init)
  }

  /// Passes the end on, once.
  @usableFromInline
  borrowing func end(_ completion: Completion) {
    if isOver { return }
    stage.store(.over, ordering: .relaxed)
    observer.end(completion)
  }

  /// Stops taking values because a closure threw, and returns the error to throw to the source.
  @usableFromInline
  borrowing func stop(after error: any Error) -> any Error {
    if isOver { return reason }
    stage.store(.over, ordering: .relaxed)
    let reason = observer.stop(after: error)
    stopping.withLock { $0 = reason }
    return reason
  }

  /// The error to throw once it is over: also if the operator's closure did not rethrow it.
  @usableFromInline
  var reason: any Error { stopping.withLock { $0 } ?? StopDelivery() }

  /// Ends the signal because a closure threw at the end.
  @usableFromInline
  borrowing func end(after error: any Error) {
    let error = isOver ? reason : error
    stage.store(.over, ordering: .relaxed)
    endChain(observer.end, after: error)
  }
}

@available(*, unavailable)
extension Downstream: Sendable {}

/// An ended subscription below which an operator still sends values.
///
/// It is retained during that time, so that the operator can check whether a handler has disposed it; and its source
/// knows of it, so that it is disposed with all the others.
@usableFromInline
struct EndingSubscription {
  private let subscription: Subscription
  private let origin: Origin?

  init(_ subscription: Subscription) {
    self.subscription = subscription
    origin = subscription.withOrigin { $0 }
    origin?.beginEnding(subscription)
  }

  @usableFromInline
  func end() {
    origin?.endEnding(subscription)
  }
}

/// The state and the downstream of one subscription of an operator.
// Safe: as in the superclass; only the operator's closures have this.
@usableFromInline
final class LiftedState<State: Sendable, Output: Sendable>: SerialState<State>, @unchecked Sendable {
  @usableFromInline let downstream: Downstream<Output>

  @inlinable
  init(_ state: State, _ downstream: consuming Downstream<Output>) {
    self.downstream = downstream
    super.init(state)
  }
}
