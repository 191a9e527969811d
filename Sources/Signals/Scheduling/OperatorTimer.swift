/// A timer that an operator sets again and again: each setting takes the place of the one before.
///
/// An operator whose timer starts anew with each value would otherwise make and cancel a piece of work for each. All is as if it did: the moment,
/// and the place among other work that is due at the same moment, are those of the latest setting.
///
/// Everything but `dispose()` belongs inside the operator's gate.
@usableFromInline
class OperatorTimer: Disposable, @unchecked Sendable {
  // Safe: `setting` is touched only inside the gate.
  private let gate: Gate
  private let action: @Sendable (OperatorTimer) -> Void
  /// The operator's place in the graph, when the graph is on.
  let trace: ChainPlace?
  /// The number of the setting that counts; 0 when none does.
  @exclusivity(unchecked) final var setting: UInt64 = 0

  init(_ gate: Gate, _ trace: ChainPlace?, _ action: @escaping @Sendable (OperatorTimer) -> Void) {
    self.gate = gate
    self.trace = trace
    self.action = action
  }

  /// Makes a timer on a scheduler, whose action runs inside a gate.
  @usableFromInline
  static func make(
    on scheduler: any Scheduler, tolerance: Duration?, _ gate: Gate, _ trace: ChainPlace?,
    _ action: @escaping @Sendable (OperatorTimer) -> Void
  ) -> OperatorTimer {
    if let scheduler = scheduler as? VirtualTimeScheduler {
      VirtualTimer(scheduler, gate, trace, action)
    } else {
      SchedulerTimer(scheduler, tolerance, gate, trace, action)
    }
  }

  /// Lets the action run after a delay, and not at the time that was set before.
  @usableFromInline
  func set(after delay: Duration) {}

  /// Runs the action, unless the timer was set anew since.
  final func fire(_ setting: UInt64) {
    if gate.enter() {
      act(setting)
      gate.leave()
    } else {
      gate.perform { self.act(setting) }
    }
  }

  private func act(_ setting: UInt64) {
    guard setting == self.setting else { return }
    self.setting = 0
    action(self)
  }

  @usableFromInline
  func dispose() {}

  @usableFromInline
  var isDisposed: Bool { true }
}
