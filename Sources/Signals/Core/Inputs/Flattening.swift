public import Synchronization

/// The junction of an operator that makes a signal of each value and hands down what these signals deliver.
// Safe: as in the superclass; what is added is constant.
@usableFromInline
class Flattening<Output: Sendable>: Junction<Output>, @unchecked Sendable {
  /// What becomes of the end of an inner signal; inside the gate. It gets this junction or what the inner signal keeps, so that it need not
  /// keep either.
  @usableFromInline typealias InnerEnd = @Sendable (Flattening<Output>, _ owner: AnyObject?, Completion) -> Void

  /// Formed where the types are known: a virtual function is not specialised.
  @usableFromInline final let innerEnded: InnerEnd

  @inlinable
  init(_ observer: Observer<Output>, _ subscription: Subscription, innerEnded: @escaping InnerEnd) {
    self.innerEnded = innerEnded
    super.init(observer, subscription)
  }

  /// A key for an inner signal. Inside the gate, and only where nothing reserves keys outside it meanwhile.
  @inlinable
  final func reserveInnerKey() -> Int {
    assertInside()
    let key = lastKey.load(ordering: .relaxed) &+ 1
    lastKey.store(key, ordering: .relaxed)
    return key
  }

  /// Connects an inner signal, as ``Junction/connectInside(_:as:key:receive:end:)`` does.
  ///
  /// - Parameters:
  ///   - owner: What the inner signal keeps until it has ended. What is kept here stays as long as the subscription below.
  ///   - old: The key of one that is dropped before, or 0.
  @inlinable
  final func connectInner(_ signal: borrowing Signal<Output>, key: Int, owner: AnyObject? = nil, dropping old: Int = 0)
  {
    let input = InnerInput(of: self, key, owner)
    beginConnecting(key)
    defer { endConnecting(key) }
    if node.isRecorded {
      // In this order it shows.
      if old != 0 { drop(old) }
      input.beginRecording(copy signal, as: .inner, of: node)
    }
    defer { input.recording.connected() }
    guard adopt(input, as: key, dropping: old) else { return }
    signal.connect(input.observer, input)
  }
}

/// An inner signal of an operator: the subscription to it, and what its events do, in one object.
///
/// Beside ``JunctionInput`` because it keeps no closures: there is one for each value.
// Safe: what is added to the superclass is constant; what `owner` is, is touched only inside the gate.
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

  /// What the signal delivers to.
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
    } else if junction.isInsideAlready(key) {
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
    } else if junction.isInsideAlready(key) {
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
