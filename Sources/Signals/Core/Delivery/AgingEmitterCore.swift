import DequeModule

/// The core of an emitter that replays only values up to an age.
// Safe: `moments` is touched only under `lock`, in stretches that call nothing else, so that exclusivity need not be
// checked; the rest is constant.
final class AgingEmitterCore<Value: Sendable>: EmitterCore<Value>, @unchecked Sendable {
  private let scheduler: any Scheduler
  private let duration: Duration
  /// The instant of each replayed value.
  @exclusivity(unchecked) private var moments: Deque<SchedulerInstant> = []

  init(limit: Int, for duration: Duration, on scheduler: any Scheduler, site: Site) {
    self.scheduler = scheduler
    self.duration = duration
    super.init(newest: nil, limit: limit, site: site, isAging: true)
  }

  override func moment() -> SchedulerInstant? { scheduler.now }

  override func rememberLocked(_ moment: SchedulerInstant) {
    assertLocked()
    moments.append(moment)
    if moments.count > memoryLimit { moments.removeFirst() }
  }

  override func freshLocked(_ memory: Deque<Value>, at now: SchedulerInstant) -> Deque<Value> {
    assertLocked()
    // A new value is not too old, however short the duration.
    return Deque(
      zip(memory, moments).filter { $1 >= now || $1.advanced(by: duration) > now }.map { $0.0 })
  }
}
