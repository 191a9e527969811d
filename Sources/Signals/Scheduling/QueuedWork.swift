/// An entry in the queue of a virtual-time scheduler.
///
/// The queue stores the deadline at which the work was enqueued. The work may have been cancelled or postponed since:
/// that is checked when its turn comes, so that neither has to search the queue.
// Safe: this class has no state; each subclass argues for its own.
class QueuedWork: @unchecked Sendable {
  /// The deadline of work, and its position among work with the same deadline.
  struct Key: Equatable, Sendable {
    /// Attoseconds after the origin: `Duration` compares by a call into the standard library, this by two instructions.
    var deadline: Int128
    /// The phase in the two upper bits, above the number in scheduling order.
    var order: UInt64

    init(deadline: Int128, phase: VirtualTimeScheduler.Phase, sequence: UInt64) {
      self.deadline = deadline
      order = UInt64(phase.rawValue) << 62 | sequence
    }

    @inline(__always)
    static func < (left: Key, right: Key) -> Bool {
      left.deadline == right.deadline ? left.order < right.order : left.deadline < right.deadline
    }

    /// The phase's number.
    var phase: Int { Int(order >> 62) }
  }

  enum Claim {
    /// The work was cancelled, or is queued a second time.
    case over
    /// The work was postponed.
    case later(Key)
    /// The work is to be run, by ``QueuedWork/runClaimed()``.
    case due
  }

  /// The actual deadline; nil if this entry of the queue no longer counts. Under the scheduler's lock.
  func moment(queuedFor key: Key) -> Key? { nil }

  /// Claims the work for running when its turn has come. Under the scheduler's lock; work that is over or due has been
  /// removed from the queue.
  func claim(queuedFor key: Key) -> Claim { .over }

  /// Runs the work after it was claimed, on the same thread, without a lock.
  func runClaimed() {}

  /// Lets the work report when it may have to leave the ready work. Under the scheduler's lock.
  ///
  /// - Returns: Whether it is not over.
  func report(to departures: Departures) -> Bool { true }

  /// Notes that the queue dropped the work because it no longer had a deadline. Under the scheduler's lock.
  func forgotten(queuedFor key: Key) {}
}
