import Signals
import Synchronization

/// The violations in the events of a subscriber.
protocol RaceLogCheck {
  var faults: [String] { get }
  func dispose()
}

/// The events of a subscriber of a race; see ``Race/observe(_:)``.
public final class RaceLog<Value: Sendable>: Sendable, RaceLogCheck {
  private struct State: Sendable {
    var values: [Value] = []
    var hasEnded = false
    var error: (any Error)?
    var lateCount = 0
    var faults: Set<String> = []
    var subscription: Subscription?
    /// The number at which the disposal had returned, as counted by ``RaceNotes/tick()``.
    var disposal: Int?
  }

  private let state = SeenLock(State())
  private let inside = Atomic<Int>(0)
  private let notes: RaceNotes

  init(_ notes: RaceNotes = RaceNotes()) { self.notes = notes }

  /// The values, in order.
  public var values: [Value] { state.withLock { $0.values.map { $0 } } }

  /// Whether the end or a failure has come.
  public var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// The failure, if one has come.
  public var error: (any Error)? { state.withLock { $0.error } }

  /// Disposes the subscription, on any thread. After that at most a pending event may still come.
  public func dispose() {
    let subscription = state.withLock { $0.subscription }
    subscription?.dispose()
    let now = notes.tick()
    state.withLock { $0.disposal = $0.disposal ?? now }
  }

  func subscribe(to signal: Signal<Value>) {
    let subscription = signal.subscribeToEvents { [self] event in note(event) }
    state.withLock { $0.subscription = subscription }
  }

  func note(_ event: Event<Value>) {
    if inside.add(1, ordering: .relaxed).oldValue > 0 {
      _ = state.withLock {
        $0.faults.insert("A subscriber was called again before its previous call had returned (law 3).")
      }
    }
    state.withLock { state in
      if state.hasEnded { state.faults.insert("An event arrived after the end (law 1).") }
      if let disposal = state.disposal {
        state.lateCount += 1
        if let step = RaceNotes.step, step > disposal {
          state.faults.insert("An event arrived in a step that began after the disposal (law 7).")
        } else if state.lateCount > 1 {
          state.faults.insert("Events arrived after the disposal (law 7).")
        }
      }
      switch event {
      case .value(let value): state.values.append(value)
      case .failed(let error):
        state.hasEnded = true
        state.error = error
      case .finished: state.hasEnded = true
      }
    }
    inside.subtract(1, ordering: .relaxed)
  }

  var faults: [String] { state.withLock { $0.faults.sorted() } }
}
