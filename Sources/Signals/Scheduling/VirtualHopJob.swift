import Synchronization

/// A hop's job on a virtual-time scheduler: it can be cancelled, and requesting it repeatedly allocates nothing.
// Safe: `phase` is atomic; `token` is touched only by the thread that moved `phase` to or from `waiting`, or is about
// to move it there. A hop requests one job at a time.
final class VirtualHopJob: QueuedWork, @unchecked Sendable {
  private enum Phase {
    static let idle: UInt8 = 0
    static let waiting: UInt8 = 1
    static let over: UInt8 = 2
  }

  /// The job may stay in the scheduler's queue for ever, so it must not retain it.
  // Safe: only the hop, which retains the scheduler, and the scheduler itself use it. So it need not be retained for a
  // call either.
  private let scheduler: Unmanaged<VirtualTimeScheduler>
  private let work: @Sendable () -> Void
  private let phase = Atomic<UInt8>(Phase.idle)
  /// The job's entry in the graph's list of pending work.
  // Safe: no access to one of the two overlaps another, as nothing is called while it is read or written.
  @exclusivity(unchecked) private var token: WorkToken?
  /// The entry of the running job. It belongs to the one thread that advances time.
  @exclusivity(unchecked) private var claimed: WorkToken?

  init(_ scheduler: VirtualTimeScheduler, _ work: @escaping @Sendable () -> Void) {
    self.scheduler = .passUnretained(scheduler)
    self.work = work
  }

  /// Schedules the job at the current instant, after work that was scheduled before.
  func request(by node: OperatorNode) {
    let token =
      node.isRecorded || Recorder.isAnyOn
      ? node.asAuthor { WorkToken(.queued, scheduler._withUnsafeGuaranteedRef { $0.recorder }) } : nil
    self.token = token
    if move(from: Phase.idle, to: Phase.waiting) {
      scheduler._withUnsafeGuaranteedRef { $0.addNow(self) }
    } else {
      token?.end()
    }
  }

  /// Cancels the job permanently.
  func cancel() {
    guard phase.exchange(Phase.over, ordering: .acquiringAndReleasing) == Phase.waiting else { return }
    scheduler._withUnsafeGuaranteedRef { $0.noteOver(self) }
    token?.end()
  }

  private func move(from old: UInt8, to new: UInt8) -> Bool {
    phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }

  // MARK: In the queue

  override func moment(queuedFor key: Key) -> Key? {
    phase.load(ordering: .acquiring) == Phase.waiting ? key : nil
  }

  override func claim(queuedFor key: Key) -> Claim {
    let token = token
    guard move(from: Phase.waiting, to: Phase.idle) else { return .over }
    claimed = token
    return .due
  }

  override func runClaimed() {
    let token = claimed
    claimed = nil
    guard let token else { return work() }
    token.run(work)
    token.end()
  }
}
