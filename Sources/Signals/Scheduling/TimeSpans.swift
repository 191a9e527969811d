/// Consecutive time spans without gaps: the end of each is counted from its beginning, and not from when its timer
/// fired.
///
/// Used inside the gate of the timer.
// Safe: `end` is touched only inside the gate of the timer. Unchecked exclusivity: it is read or written at once.
@usableFromInline
final class TimeSpans: @unchecked Sendable {
  private let span: Duration
  private let scheduler: any Scheduler
  @exclusivity(unchecked) private var end = SchedulerInstant(sinceOrigin: .zero)

  @usableFromInline
  init(_ span: Duration, on scheduler: any Scheduler) {
    self.span = max(span, .nanoseconds(1))
    self.scheduler = scheduler
  }

  /// Begins a span now.
  @usableFromInline
  func begin(_ timer: OperatorTimer) {
    end = scheduler.now.advanced(by: span)
    timer.set(after: span)
  }

  /// Begins a span at the end of the previous one; now, if another one would already be over.
  @usableFromInline
  func next(_ timer: OperatorTimer) {
    let now = scheduler.now
    end = end.advanced(by: span)
    guard end > now else { return begin(timer) }
    timer.set(after: now.duration(to: end))
  }
}
