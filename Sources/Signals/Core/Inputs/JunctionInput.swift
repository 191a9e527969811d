import Synchronization

/// One input of an operator: the subscription to it and the handling of its events, in one object.
///
/// The two closures of its observer capture only this, so that they need no memory. So the source's table retains it, and
/// it retains the source, as a subscription, and the junction, which retains it. ``Junction/drop(_:)`` and
/// ``Junction/close()`` break both cycles, when the input or the operator ends or the subscription below leaves.
// Safe: the members that this class adds are constant.
@usableFromInline
final class JunctionInput<Input: Sendable, Output: Sendable>: Subscription, @unchecked Sendable {
  @usableFromInline let junction: Junction<Output>
  @usableFromInline let key: Int
  /// The operator's handling of a value: passes results to ``Junction/emit(_:)``, which calls the closures below. An error
  /// that it throws closes the junction.
  @usableFromInline let receive: @Sendable (Input) throws -> Void
  @usableFromInline let end: @Sendable (Completion) -> Void

  @inlinable
  init(
    of junction: Junction<Output>, _ key: Int, receive: @escaping @Sendable (Input) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    self.junction = junction
    self.key = key
    self.receive = receive
    self.end = end
    super.init(at: junction.site, tag: junction.tag, isShared: true)
  }

  /// The downstream of the input.
  @inlinable
  var observer: Observer<Input> {
    Observer(receive: { value in self.take(value) }, end: { completion in self.finish(completion) })
  }

  @usableFromInline override var operatorBelow: OperatorBelow? { junction.below(of: key) }

  /// Takes a value, inside the gate.
  @inlinable
  func take(_ value: Input) {
    if junction.enter() {
      handle(value)
      junction.leave()
    } else if junction.continueInside(key) {
      // This thread is inside already, and is connecting this input from there.
      handle(value)
    } else {
      // For the thread inside. The key keeps the input's events in order while it is being connected.
      junction.perform(for: key) {
        if self.junction.isLive(self) { self.junction.attempt { try self.receive(value) } }
      }
    }
  }

  @inlinable
  @inline(__always)
  func handle(_ value: Input) {
    // It may have been dropped while it was delivering on another thread.
    if junction.isLive(self) { junction.attempt { try receive(value) } }
  }

  /// Takes the end, inside the gate.
  @usableFromInline
  func finish(_ completion: Completion) {
    if junction.enter() {
      junction.inputEnded(self, key, completion, end)
      junction.leave()
    } else if junction.continueInside(key) {
      junction.inputEnded(self, key, completion, end)
    } else {
      junction.perform(for: key) { self.junction.inputEnded(self, self.key, completion, self.end) }
    }
  }
}

/// The subscription to an input of an operator that handles the input's events elsewhere.
///
/// It retains an operator with one input, which retains it, as a ``JunctionInput`` does.
// Safe: the member that this class adds is constant.
@usableFromInline
final class OperatorInput: Subscription, @unchecked Sendable {
  private let below: OperatorBelow?

  @usableFromInline
  init(of below: OperatorBelow?, at site: SubscriptionSite, tag: SubscriberTag? = nil) {
    self.below = below
    super.init(at: site, tag: tag, isShared: true)
  }

  @usableFromInline override var operatorBelow: OperatorBelow? { below }
}

/// The same as ``JunctionInput`` for operators that do not know the type of the input's values. It is never connected
/// from inside the gate, so it does not check whether its thread is inside already.
// Safe: the members that this class adds are constant.
final class PointerInput<Output: Sendable>: Subscription, @unchecked Sendable {
  private let junction: Junction<Output>
  private let key: Int
  private let kind: ElementKind
  private let receive: @Sendable (UnsafeRawPointer) throws -> Void
  private let end: @Sendable (Completion) -> Void

  init(
    of junction: Junction<Output>, _ key: Int, _ kind: ElementKind,
    receive: @escaping @Sendable (UnsafeRawPointer) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    self.junction = junction
    self.key = key
    self.kind = kind
    self.receive = receive
    self.end = end
    super.init(at: junction.site, tag: junction.tag, isShared: true)
  }

  /// The downstream of the input.
  var observer: StageInput {
    StageInput(receive: { value in self.take(value) }, end: { completion in self.finish(completion) })
  }

  private func take(_ value: UnsafeRawPointer) {
    if junction.enter() {
      // Such an input is dropped only at its own end, so an open junction suffices here.
      if !junction.isClosed.load(ordering: .relaxed) {
        do { try receive(value) } catch { junction.stop(error) }
      }
      junction.leave()
    } else {
      let copy = BoxedElement(kind, copying: value)
      junction.perform {
        if self.junction.isLive(self) {
          self.junction.attempt { try withExtendedLifetime(copy) { try self.receive(copy.address) } }
        }
      }
    }
  }

  private func finish(_ completion: Completion) {
    if junction.enter() {
      junction.inputEnded(self, key, completion, end)
      junction.leave()
    } else {
      junction.perform { self.junction.inputEnded(self, self.key, completion, self.end) }
    }
  }
}
