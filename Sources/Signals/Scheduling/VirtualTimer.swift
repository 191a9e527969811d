import Synchronization

/// An operator's timer on a virtual-time scheduler. Setting it again only stores the new deadline; nothing is
/// allocated.
// Safe: nothing is written after the initialiser.
final class VirtualTimer: OperatorTimer, @unchecked Sendable {
  private let scheduler: VirtualTimeScheduler
  private let alarm = Alarm()

  init(
    _ scheduler: VirtualTimeScheduler, _ gate: Gate, _ node: OperatorNode,
    _ action: @escaping @Sendable (OperatorTimer) -> Void, afterwards: (@Sendable () -> Void)?
  ) {
    self.scheduler = scheduler
    super.init(gate, node, action, afterwards: afterwards)
    alarm.timer.withLock { $0 = self }
  }

  override func set(after delay: Duration) {
    assertInside()
    guard node.isRecorded || Recorder.isAnyOn else {
      let (number, token) = scheduler.set(alarm, after: delay, noting: nil)
      setting = number
      token?.end()
      return
    }
    scheduler.clear(alarm)?.end()
    let token = node.asAuthorOfTimer { WorkToken(.waiting, scheduler.recorder) }
    let (number, unused) = scheduler.set(alarm, after: delay, noting: token)
    setting = number
    unused?.end()
  }

  override func dispose() {
    scheduler.clear(alarm, forGood: true)?.end()
    // The thread that disposes it releases it after this.
    alarm.timer.withLock { $0 = nil }
  }

  override var isDisposed: Bool { scheduler.isOver(alarm) }
}

/// The queue entry of an operator's timer: it may stay there for a while after the timer was disposed, so it retains
/// nothing.
///
/// At most one queue entry is current. If it was set to a later time, it is moved when its turn comes.
// Safe: `timer` is in a mutex. `claimed` belongs to the one thread that advances time. The rest is touched under the scheduler's lock.
final class Alarm: QueuedWork, @unchecked Sendable {
  /// Nil once it is disposed. Not weak: that would need a separate allocation.
  fileprivate let timer = Mutex<OperatorTimer?>(nil)
  /// The deadline it is set to.
  private var moment: Key?
  /// Its key in the queue.
  private var queuedKey: Key?
  private(set) var isOver = false
  /// The setting's entry in the graph's list of pending work.
  private var token: WorkToken?
  private var claimed: (number: UInt64, token: WorkToken?) = (0, nil)

  /// Sets it, unless it is over.
  ///
  /// - Returns: Whether it has to be enqueued, and the list entry that is no longer needed.
  func set(to moment: Key, noting token: WorkToken?) -> (isQueueing: Bool, unused: WorkToken?) {
    guard !isOver else { return (false, token) }
    let old = self.token
    self.token = token
    self.moment = moment
    if let queuedKey, queuedKey < moment { return (false, old) }
    queuedKey = moment
    return (true, old)
  }

  /// Clears it.
  ///
  /// - Returns: The list entry that is no longer needed.
  func clear(forGood: Bool) -> WorkToken? {
    if forGood { isOver = true }
    moment = nil
    defer { token = nil }
    return token
  }

  override func moment(queuedFor key: Key) -> Key? { key == queuedKey ? moment : nil }

  override func claim(queuedFor key: Key) -> Claim {
    guard key == queuedKey else { return .over }
    queuedKey = moment
    guard let moment else { return .over }
    guard moment == key else { return .later(moment) }
    queuedKey = nil
    self.moment = nil
    claimed = (moment.order, token)
    token = nil
    return .due
  }

  override func forgotten(queuedFor key: Key) {
    if key == queuedKey { queuedKey = nil }
  }

  override func runClaimed() {
    let (number, token) = claimed
    claimed.token = nil
    guard let token else {
      timer.withLock { $0 }?.fire(number)
      return
    }
    token.run { timer.withLock { $0 }?.fire(number) }
    token.end()
  }
}
