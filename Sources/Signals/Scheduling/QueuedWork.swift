/// Something that waits in the queue of a virtual-time scheduler.
///
/// The queue keeps the moment for which the work was put into it. The work may have been cancelled or put off since: it is asked when its turn
/// comes, so that neither has to search the queue.
// Safe: this class has no state; each subclass argues for its own.
class QueuedWork: @unchecked Sendable {
  /// When work is due, and its place among what is due at the same time.
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
    /// The work was cancelled, or is in the queue a second time.
    case over
    /// The work has been put off.
    case later(Key)
    /// The work is to be run, by ``QueuedWork/runClaimed()``.
    case due
  }

  /// When the work is really due; nil if it is not to be run on behalf of this place in the queue. Under the scheduler's lock.
  func moment(queuedFor key: Key) -> Key? { nil }

  /// Takes the work for running when its turn has come. Under the scheduler's lock; if it is over or due, it is out of the queue then.
  func claim(queuedFor key: Key) -> Claim { .over }

  /// Runs the work after it was claimed, on the same thread, without a lock.
  func runClaimed() {}

  /// Lets the work tell when it may have to leave those that a chooser may choose from. Under the scheduler's lock.
  ///
  /// - Returns: Whether it is not over.
  func report(to departures: Departures) -> Bool { true }

  /// Notes that the queue forgot the work because it had no moment any more. Under the scheduler's lock.
  func forgotten(queuedFor key: Key) {}
}
