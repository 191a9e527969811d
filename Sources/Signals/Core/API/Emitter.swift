/// The write side: sends values to everybody who subscribed to its signal.
///
/// Sending is thread-safe, and synchronous when nothing else is being delivered: when `send` returns, the value has been handled. What is sent
/// while another value is on its way (from another thread, or inside a handler) is delivered right after that one (laws 2 and 3). No
/// lock is held while handlers run.
///
/// An emitter that goes away finishes its signal, as nobody is left to send.
public final class Emitter<Value: Sendable>: Sendable {
  @usableFromInline let core: EmitterCore<Value>

  /// Makes an emitter.
  ///
  /// - Parameter replay: How many of the latest values a new subscriber gets first. A negative number counts as 0.
  @inlinable
  public init(
    replay: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    core = EmitterCore(
      newest: nil, limit: max(0, replay), site: Site("emitter", fileID: fileID, line: line, function: function))
  }

  deinit {
    core.complete(.finished)
  }

  /// Sends a value to all subscribers. After the end it does nothing.
  ///
  /// - Complexity: O(*n*) in the number of subscribers; no heap allocation.
  @inlinable
  public func send(_ value: Value) {
    core.send(value)
  }

  /// Ends the signal because of an error.
  public func fail(_ error: any Error) {
    core.complete(.failed(error))
  }

  /// Ends the signal.
  public func finish() {
    core.complete(.finished)
  }

  /// Sends an event: a value or the end.
  public func send(event: Event<Value>) {
    switch event {
    case .value(let value): core.send(value)
    case .failed(let error): core.complete(.failed(error))
    case .finished: core.complete(.finished)
    }
  }

  /// The read side.
  @inlinable
  public var signal: Signal<Value> { Signal(emitter: core) }

  /// How many subscriptions there are now. Those made with `subscribe(with:)` whose owner is gone are ended first.
  ///
  /// Not so those in a bag that outlived the owner, see ``DisposeBagOwner``.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions of the process that have an owner.
  public var subscriberCount: Int { core.subscriberCount }

  /// How many values were accepted and wait for their turn.
  ///
  /// Values wait while another one is being delivered: those that a handler sends, and those that other threads send meanwhile. Whoever
  /// is delivering delivers them too, one after the other, before its own call returns. When other threads send faster than the handlers
  /// work, that call may never return, and this number grows without bound: send less often, or do less in the handlers. The live graph
  /// shows the number where it is above zero.
  ///
  /// - Complexity: O(1).
  public var waitingCount: Int { core.waitingCount }

  /// How many values were delivered since the beginning, or since ``resetSentCount()``.
  public var sentCount: Int { Int(clamping: core.sentCount) }

  /// Starts ``sentCount`` again from 0.
  public func resetSentCount() { core.resetSentCount() }

  /// Ends all subscriptions that there are now, without an event.
  public func disposeAllSubscriptions() { core.disposeAll() }
}

extension Emitter where Value == Void {
  /// Sends the only value there is.
  @inlinable
  public func send() { send(()) }
}
