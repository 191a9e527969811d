import SignalFindings
import SignalGraph
import Signals
import Synchronization

/// What a check of health has seen while its body ran: under virtual time it looks at chains while they live.
final class HealthWatch: Sendable {
  private static let watches = Mutex<[ObjectIdentifier: HealthWatch]>([:])

  private let recorder: GraphRecorder
  private let seen = Mutex<[HealthSight]>([])

  /// The watch of the check around this, if there is one.
  static var current: HealthWatch? {
    guard let recorder = GraphRecorder.ofTask else { return nil }
    return watches.withLock { $0[ObjectIdentifier(recorder)] }
  }

  /// Begins to watch what a recorder records, until ``end()``.
  init(_ recorder: GraphRecorder) {
    self.recorder = recorder
    Self.watches.withLock { $0[ObjectIdentifier(recorder)] = self }
  }

  /// Ends watching, and returns what was seen.
  func end() -> [HealthSight] {
    _ = Self.watches.withLock { $0.removeValue(forKey: ObjectIdentifier(recorder)) }
    return seen.withLock { $0 }
  }

  /// Looks at the graph at the end of a stretch of virtual time.
  ///
  /// - Parameter stretch: Where it began.
  fileprivate func look(since stretch: VirtualStretch) {
    let elapsed = stretch.beganAt.duration(to: stretch.scheduler.now) / .seconds(1)
    guard elapsed > 0 else { return }
    var now = recorder.snapshot()
    now.takenAt = stretch.before.takenAt + elapsed
    // When something was made within the virtual time is not known.
    let known = Set(stretch.before.nodes.map(\.id))
    for index in now.nodes.indices where !known.contains(now.nodes[index].id) { now.nodes[index].since = nil }
    let sight = HealthSight(
      now: now, findings: Rules.findings(in: Observation(now, since: stretch.before, time: .virtual)))
    seen.withLock { $0.append(sight) }
  }
}

/// A snapshot, and what was found in it.
struct HealthSight: Sendable {
  let now: GraphSnapshot
  let findings: [Finding]
}

/// A stretch of virtual time that a check of health looks at.
struct VirtualStretch {
  fileprivate let before: GraphSnapshot
  fileprivate let beganAt: SchedulerInstant
  fileprivate let scheduler: VirtualTimeScheduler
  private let watch: HealthWatch

  /// Begins one here and now; nil where nobody checks.
  init?(of scheduler: VirtualTimeScheduler) {
    guard let watch = HealthWatch.current else { return nil }
    self.init(of: scheduler, seenBy: watch)
  }

  /// Begins one here and now.
  init(of scheduler: VirtualTimeScheduler, seenBy watch: HealthWatch) {
    self.watch = watch
    self.scheduler = scheduler
    beganAt = scheduler.now
    before = watch.snapshot()
  }

  /// Ends it, while what was made still lives.
  func end() { watch.look(since: self) }
}

extension HealthWatch {
  fileprivate func snapshot() -> GraphSnapshot { recorder.snapshot() }
}
