import Synchronization

extension Signal {
  /// Delivers values as long as an object lives, and finishes when it is deallocated.
  ///
  /// The object is referenced weakly. If it is deallocated before the subscription, the result finishes at once, and
  /// this signal is not subscribed to.
  ///
  /// ![prefix, as a marble diagram](prefix-duringLifetimeOf)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.prefix(duringLifetimeOf: owner)
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// final class Room: DisposeBagOwner {
  ///   let disposeBag = DisposeBag()
  /// }
  /// let messages = Emitter<String>()
  /// var room: Room? = Room()
  /// if let room {
  ///   messages.signal
  ///     .prefix(duringLifetimeOf: room)
  ///     .subscribe(onValue: { print($0) }, onFinish: { print("the room is closed") })
  ///     .retained()
  /// }
  /// messages.send("hello")
  /// room = nil  // Prints "the room is closed".
  /// print(room == nil)
  /// ```
  ///
  /// A ``DisposeBagOwner`` that alone retains its bag ends the result as soon as it is deallocated, on every platform.
  /// So does any object on Apple platforms. Elsewhere the deallocation of another object is noticed
  /// - with the next value or the end of this signal, which is not delivered any more;
  /// - when a count of subscribers, a snapshot or a check for leaks is requested;
  /// - two at a time as more is bound to owners.
  ///
  /// To dispose a subscription with an object instead, without an end, use `subscribe(with:)`.
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with the object, and then unsubscribes; or earlier, with this signal, or when the bag of a
  ///   ``DisposeBagOwner`` is emptied with ``DisposeBag/disposeAll()``.
  /// - **Order and threads:** values are delivered where this signal delivers them; the end is delivered on the thread
  ///   that deallocates the object, or where that is noticed. They never overlap.
  /// - **Allocations:** none for a value.
  /// - Parameter owner: The object whose lifetime limits the result.
  ///
  /// See also ``prefix(untilOutputFrom:fileID:line:function:)``.
  @inlinable
  public func prefix<Owner: AnyObject & Sendable>(
    duringLifetimeOf owner: Owner,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "prefix(duringLifetimeOf:)", behavior: [.passesOn, .atMostOne, .runsNoClosure, .endsByItself], fileID: fileID,
      line: line,
      function: function)
    return Signal(site, derivedFrom: self) { [weak owner] downstream, subscription in
      // Nothing here retains the owner while the source delivers inside subscribe.
      let bond = owner.map { OwnerBond($0) }
      guard let bond else { return subscription.end(downstream, .finished) }
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let lifetime = OwnerLifetime(junction)
      junction.adopt(lifetime, as: junction.reserveKey())
      lifetime.bind(to: bond)
      junction.connect(upstream) { value in
        if bond.owner == nil { return junction.end(.finished) }
        try junction.emit(value)
      } end: { completion in
        junction.end(bond.owner == nil ? .finished : completion)
      }
    }
  }
}

/// Finishes a subscription when it is disposed, as the owner's deallocation does.
// Safe: the reference is written when this is made; the run-time library clears it atomically.
@usableFromInline
final class OwnerLifetime<Value: Sendable>: Disposable, @unchecked Sendable {
  /// Weak, as the junction retains this, and a bag of the owner must not retain the chain.
  private weak var junction: Junction<Value>?

  @usableFromInline
  init(_ junction: Junction<Value>) {
    self.junction = junction
  }

  /// Binds this to the owner, whose deallocation disposes it; at once if that has happened. Called once.
  @usableFromInline
  func bind(to bond: OwnerBond) {
    guard let owner = bond.owner else { return dispose() }
    if let owner = owner as? any DisposeBagOwner {
      owner.disposeBag.insert(self)
    } else {
      bond.end(self)
    }
  }

  @usableFromInline
  func dispose() {
    guard let junction, !isDisposed else { return }
    junction.run { junction.end(.finished) }
  }

  @usableFromInline
  var isDisposed: Bool { junction?.isClosed.load(ordering: .acquiring) ?? true }
}
