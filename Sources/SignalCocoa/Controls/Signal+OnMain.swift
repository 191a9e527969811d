public import Signals

extension Signal {
  /// Creates a signal of a main actor source: a closure starts listening, and the closure that it returns stops
  /// listening.
  ///
  /// ```swift
  /// import SignalCocoa
  /// import Signals
  ///
  /// @MainActor final class Dial {
  ///   private(set) var position = 0
  ///   var onTurn: (() -> Void)?
  ///
  ///   var positions: Signal<Int> {
  ///     .onMain { [weak self] producer in
  ///       self?.onTurn = { if let self { producer.send(self.position) } }
  ///       return { self?.onTurn = nil }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// For a subscriber on the main actor, listening has begun when `subscribe` returns; otherwise it begins on the main
  /// queue soon. It stops in the same way: at once if the subscription ends on the main actor, and soon otherwise. Each
  /// closure runs at most once.
  ///
  /// - Parameter start: Starts listening, for each subscription. It may send to the producer before it returns. It
  ///   returns a closure that stops listening.
  ///
  /// See also ``EventSender``, which does this for objects that send events to targets.
  public static func onMain(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ start: @escaping @MainActor (Producer<Value>) -> @MainActor () -> Void
  ) -> Signal<Value> {
    Signal(fileID: fileID, line: line, function: function) { producer in
      let listening = Listening()
      producer.onDisposal { onMainActor { listening.end() } }
      onMainActor {
        if producer.isActive { listening.began(start(producer)) }
      }
    }
  }
}

/// Runs work on the main actor: at once if this is the main queue, whatever is waiting there, and soon if not.
func onMainActor(_ work: @escaping @MainActor () -> Void) {
  if MainScheduler.isHere { return MainActor.assumeIsolated { work() } }
  MainScheduler.main.schedule { MainActor.assumeIsolated { work() } }
}

/// The closure that stops listening, and whether that is due.
@MainActor
private final class Listening {
  private var stop: (@MainActor () -> Void)?
  private var isOver = false

  nonisolated init() {}

  func began(_ stop: @escaping @MainActor () -> Void) {
    // The subscriber may have left while the closure was sending.
    if isOver { stop() } else { self.stop = stop }
  }

  func end() {
    isOver = true
    let stop = stop
    self.stop = nil
    stop?()
  }
}
