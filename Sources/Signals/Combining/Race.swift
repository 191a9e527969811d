public import Synchronization

/// Delivers the events of the signal that delivers first, and unsubscribes from the others.
///
/// Same as the method ``Signal/race(with:fileID:line:function:)``, for signals of equal rank.
///
/// ```swift
/// let bag = DisposeBag()
/// let near = Signal.timer(after: .milliseconds(30), on: .main).map { "the near server" }
/// let far = Signal.timer(after: .milliseconds(80), on: .main).map { "the far server" }
/// race(near, far)
///   .subscribe { answer in print("answered by \(answer)") }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the winner, even if its failure is the first event of all.
/// - **Ends:** with the winner, even if that finishes without a value before the others deliver anything; at once
///   without signals.
/// - **Order and threads:** the inputs are subscribed to in the order of the arguments, until one delivers inside
///   subscribe: those after it are not subscribed to at all. The others are unsubscribed before the first event is
///   passed on. It is delivered where its signal delivers it.
/// - **Allocations:** none for a value.
/// - Parameter signals: The signals.
///
/// See also ``merge(_:fileID:line:function:)-(Signal<Value>...,_,_,_)``.
@inlinable
public func race<Value: Sendable>(
  _ signals: Signal<Value>...,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<Value> {
  Signal.race(signals, fileID: fileID, line: line, function: function)
}

/// Delivers the events of the signal of an array that delivers first; see ``Signal/race(with:fileID:line:function:)``.
///
/// Finishes at once if there are no signals.
///
/// - Parameter signals: The signals, which are subscribed to in this order.
@inlinable
public func race<Value: Sendable>(
  _ signals: [Signal<Value>],
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<Value> {
  Signal.race(signals, fileID: fileID, line: line, function: function)
}

extension Signal {
  /// Delivers the events of this signal or of another one, whichever delivers first, and unsubscribes from the others.
  ///
  /// ![race, as a marble diagram](race-with)
  ///
  /// ```text
  /// source             ---a---b---|
  /// other              -----1---2-|
  ///                    source.race(with: other)
  /// result             ---a---b---|
  /// source subscribed  ^----------!
  /// other subscribed   ^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let answer = Emitter<String>()
  /// answer.signal
  ///   .race(with: Signal.timer(after: .seconds(5), on: .main).map { "no answer" })
  ///   .subscribe { text in print(text) }
  ///   .store(in: bag)
  /// answer.send("yes")
  /// answer.send("of course")
  /// ```
  ///
  /// - **Errors:** fails with the winner, even if its failure is the first event of all.
  /// - **Ends:** with the winner, even if that finishes without a value before the others deliver anything.
  /// - **Order and threads:** this signal is subscribed to first, then the others in their order, until one delivers
  ///   inside subscribe: those after it are not subscribed to at all. The others are unsubscribed before the first
  ///   event is passed on. It is delivered where its signal delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter others: The signals that this one races with.
  ///
  /// See also ``merge(with:fileID:line:function:)`` and ``timeout(after:on:fallback:fileID:line:function:)``.
  @inlinable
  public func race(
    with others: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.race([self] + others, fileID: fileID, line: line, function: function)
  }

  /// Delivers the events of the signal that delivers first; see ``race(with:fileID:line:function:)``.
  ///
  /// - Parameter signals: The signals, which are subscribed to in this order.
  @inlinable
  public static func race(
    _ signals: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.race(signals, fileID: fileID, line: line, function: function)
  }

  /// Delivers the events of the signal of an array that delivers first; see ``race(with:fileID:line:function:)``.
  ///
  /// Finishes at once if there are no signals.
  ///
  /// - Parameter signals: The signals, which are subscribed to in this order.
  @inlinable
  public static func race(
    _ signals: [Signal<Value>],
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let site = Site("race", fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: signals) { downstream, subscription in
      guard !signals.isEmpty else { return subscription.end(downstream, .finished) }
      let junction = Junction(downstream, subscription)
      let runners = Runners(junction: junction)
      // Inside the gate: so the winner is known before the next signal is subscribed to.
      junction.run { runners.start(signals) }
    }
  }
}

/// The racing signals of one subscription.
// Safe: touched only inside the junction's gate. Unchecked exclusivity: nothing is called while one of the two is changed.
@usableFromInline
final class Runners<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let junction: Junction<Value>
  @exclusivity(unchecked) @usableFromInline var keys: [Int] = []
  /// The key of the winner.
  @exclusivity(unchecked) @usableFromInline var winner: Int?

  @inlinable
  init(junction: Junction<Value>) {
    self.junction = junction
  }

  @inlinable
  func start(_ signals: [Signal<Value>]) {
    for signal in signals {
      // There is a winner, or a handler has disposed.
      if winner != nil || junction.isClosed.load(ordering: .relaxed) { return }
      let key = junction.reserveKey()
      keys.append(key)
      junction.beginConnecting(key)
      junction.connect(signal, key: key) { value in
        if self.isFirst(key) { try self.junction.emit(value) }
      } end: { completion in
        if self.isFirst(key) { self.junction.end(completion) }
      }
      junction.endConnecting(key)
    }
  }

  /// Whether an event is the winner's; the first event decides the winner.
  @inlinable
  func isFirst(_ key: Int) -> Bool {
    // A loser may be in the middle of an event on another thread.
    if let winner { return winner == key }
    win(key)
    return true
  }

  /// Unsubscribes from the others, the newest first.
  @usableFromInline
  func win(_ key: Int) {
    junction.assertInside()
    winner = key
    let losers = keys
    keys = []
    for loser in losers.reversed() where loser != key { junction.drop(loser) }
  }
}
