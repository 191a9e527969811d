public import Synchronization

/// The junction of an operator that maps each value to a signal and delivers the values of these signals.
// Safe: as in the superclass; the members that this class adds are constant.
@usableFromInline
class Flattening<Output: Sendable>: Junction<Output>, @unchecked Sendable {
  /// Handles the end of an inner signal; inside the gate. It gets this junction or the inner signal's owner, so that it
  /// need not retain either.
  @usableFromInline typealias InnerEnd = @Sendable (Flattening<Output>, _ owner: AnyObject?, Completion) -> Void

  /// Created where the types are known: a virtual function is not specialised.
  @usableFromInline final let innerEnded: InnerEnd

  @inlinable
  init(_ observer: Observer<Output>, _ subscription: Subscription, innerEnded: @escaping InnerEnd) {
    self.innerEnded = innerEnded
    super.init(observer, subscription)
  }

  /// A key for an inner signal. Inside the gate, and only if no other code reserves keys outside it in the meantime.
  @inlinable
  final func reserveInnerKey() -> Int {
    assertInside()
    let key = lastKey.load(ordering: .relaxed) &+ 1
    lastKey.store(key, ordering: .relaxed)
    return key
  }

  /// Connects an inner signal, like ``Junction/connectInside(_:as:key:receive:end:)``.
  ///
  /// - Parameters:
  ///   - owner: An object that the inner signal retains until it has ended. An object captured here stays as long as
  ///     the subscription below.
  ///   - old: The key of an input to drop before, or 0.
  @inlinable
  final func connectInner(_ signal: borrowing Signal<Output>, key: Int, owner: AnyObject? = nil, dropping old: Int = 0)
  {
    let input = InnerInput(of: self, key, owner)
    beginConnecting(key)
    defer { endConnecting(key) }
    if node.isRecorded {
      // In this order, so that the graph shows it.
      if old != 0 { drop(old) }
      input.beginRecording(copy signal, as: .inner, of: node)
    }
    defer { input.recording.connected() }
    guard adopt(input, as: key, dropping: old) else { return }
    signal.connect(input.observer, input)
  }
}

/// An inner signal of an operator: the subscription to it and the handling of its events, in one object.
///
/// A separate type from ``JunctionInput`` because it stores no closures: there is one for each value.
// Safe: the members that this class adds are constant; the object in `owner` is touched only inside the gate.
@usableFromInline
final class InnerInput<Output: Sendable>: Subscription, @unchecked Sendable {
  @usableFromInline let junction: Flattening<Output>
  @usableFromInline let key: Int
  @usableFromInline let owner: AnyObject?

  @inlinable
  init(of junction: Flattening<Output>, _ key: Int, _ owner: AnyObject?) {
    self.junction = junction
    self.key = key
    self.owner = owner
    super.init(at: junction.site, tag: junction.tag, isShared: true)
  }

  /// The downstream of the signal.
  @inlinable
  var observer: Observer<Output> {
    Observer(receive: { value in self.take(value) }, end: { completion in self.finish(completion) })
  }

  /// Takes a value, inside the gate.
  @inlinable
  func take(_ value: Output) {
    if junction.enter() {
      handle(value)
      junction.leave()
    } else if junction.continueInside(key) {
      handle(value)
    } else {
      junction.perform(for: key) { self.handle(value) }
    }
  }

  @inlinable
  @inline(__always)
  func handle(_ value: Output) {
    // It may have been dropped while it was delivering on another thread.
    if junction.isLive(self) { junction.attempt { try junction.handDown(value) } }
  }

  /// Takes the end, inside the gate.
  @inlinable
  func finish(_ completion: Completion) {
    if junction.enter() {
      handleEnd(completion)
      junction.leave()
    } else if junction.continueInside(key) {
      handleEnd(completion)
    } else {
      junction.perform(for: key) { self.handleEnd(completion) }
    }
  }

  @inlinable
  func handleEnd(_ completion: Completion) {
    guard junction.isLive(self) else { return }
    junction.drop(key)
    junction.innerEnded(junction, owner, completion)
  }
}
