/// The gate of an operator, or of its hop.
private protocol OperatorGate {
  func abandon()
}

extension Junction: OperatorGate {}
extension Hop: OperatorGate {
  fileprivate func abandon() { junction.abandon() }
}

/// An operator's timer that is set repeatedly: each setting replaces the one before.
///
/// An operator that restarts its timer with each value would otherwise create and cancel a work item for each. The
/// effect is the same: the deadline, and the position among other work with the same deadline, are those of the latest
/// setting. On a dispatch queue that is late, work that was scheduled after the setting may come first, see
/// ``SchedulerTimer``.
///
/// Everything but `dispose()` and `isDisposed` belongs inside the operator's gate.
// Safe: `setting` and `isOnScheduler` are touched only inside the gate. Unchecked exclusivity: each is read or written at once, by no call.
@usableFromInline
class OperatorTimer: Disposable, @unchecked Sendable {
  private let gate: Gate
  private let action: @Sendable (OperatorTimer) -> Void
  /// Called after the action, outside the gate, on the scheduler.
  private let afterwards: (@Sendable () -> Void)?
  /// The operator's node in the graph.
  let node: OperatorNode
  /// The number of the current setting; 0 if there is none.
  @exclusivity(unchecked) final var setting: UInt64 = 0

  /// Whether the action runs in the scheduler's work, and not on its behalf on a thread that was inside the gate.
  @exclusivity(unchecked) @usableFromInline final private(set) var isOnScheduler = false

  init(
    _ gate: Gate, _ node: OperatorNode, _ action: @escaping @Sendable (OperatorTimer) -> Void,
    afterwards: (@Sendable () -> Void)?
  ) {
    self.gate = gate
    self.node = node
    self.action = action
    self.afterwards = afterwards
  }

  /// Creates a timer on a scheduler, whose action runs inside a gate.
  ///
  /// - Parameter afterwards: Called after the action, outside the gate, on the scheduler.
  @usableFromInline
  static func make(
    on scheduler: any Scheduler, tolerance: Duration?, _ gate: Gate, _ node: OperatorNode,
    _ action: @escaping @Sendable (OperatorTimer) -> Void, afterwards: (@Sendable () -> Void)? = nil
  ) -> OperatorTimer {
    if let scheduler = scheduler as? VirtualTimeScheduler {
      VirtualTimer(scheduler, gate, node, action, afterwards: afterwards)
    } else {
      SchedulerTimer(scheduler, tolerance, gate, node, action, afterwards: afterwards)
    }
  }

  /// Runs the action after a delay, instead of at the deadline set before.
  @usableFromInline
  func set(after delay: Duration) {}

  /// Runs the action, unless the timer has been set again since.
  final func fire(_ setting: UInt64) {
    if gate.enter() {
      isOnScheduler = true
      act(setting)
      isOnScheduler = false
      gate.leave()
    } else {
      gate.perform { self.act(setting) }
    }
    afterwards?()
  }

  private func act(_ setting: UInt64) {
    assertInside()
    guard isDue(setting) else { return }
    self.setting = 0
    action(self)
  }

  /// Whether the work of a setting is to run the action now. Inside the gate.
  func isDue(_ setting: UInt64) -> Bool { setting == self.setting }

  /// Ends the operator without an event, because the actor of the action is deallocated.
  final func abandon() { (gate as? any OperatorGate)?.abandon() }

  /// Stops a debug build unless this thread is inside the operator's gate.
  final func assertInside(file: StaticString = #fileID, line: UInt = #line) {
    gate.assertInside(file: file, line: line)
  }

  @usableFromInline
  func dispose() {}

  @usableFromInline
  var isDisposed: Bool { true }
}
