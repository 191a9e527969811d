import Signals

/// Something that left the virtual time of a test, or came into it from elsewhere.
struct Departure {
  var cause: Cause
  /// The declaration of the test that it goes back to.
  var origin: MarbleSource?
  /// The operator that asked for it.
  var site: Site?
}

extension Departure {
  /// How it left, or came.
  enum Cause: Int, CaseIterable {
    /// An operator, or the test, uses a scheduler of the system.
    case realScheduler
    /// A task of the test has not finished although nothing is left to do.
    case unfinishedDeclaration
    /// A task sleeps in real time.
    case realSleep
    /// A task goes to the main actor.
    case mainActor
    /// A task handed work to a dispatch queue.
    case dispatched
    /// A task was resumed by another thread.
    case cameBack
    /// Another thread scheduled something.
    case scheduledElsewhere
    /// A task is not over at the end of the test, and does not heed cancellation.
    case unfinished

    /// What happened and what to do.
    var explanation: String {
      switch self {
      case .unfinishedDeclaration:
        "It waits for something outside virtual time, or for an event that never comes. " + Self.usualCauses
      case .realScheduler:
        "Work was scheduled in real time, on a queue of the system, where the test does not wait for it. Hand the operator the scheduler of the test."
      case .realSleep:
        "A task slept in real time, with Task.sleep or a clock of the system. Hand the code a clock, and the scheduler of the test as that clock."
      case .mainActor:
        "A task went to the main actor, which runs elsewhere. Run the test on the main actor: @MainActor @Test func …"
      case .dispatched:
        "A task handed work to a dispatch queue: when that is done is luck. Let the code take a scheduler, a clock or a closure instead of the queue, "
          + "and hand it one of the test's."
      case .cameBack:
        "A task was resumed by another thread: it waited for something outside virtual time. " + Self.usualCauses
      case .scheduledElsewhere:
        "Another thread scheduled something in this virtual time. When that comes is luck: send values, and subscribe, in the test's own thread "
          + "or in tasks that it starts."
      case .unfinished:
        "A task is still waiting after the test was over and the task was cancelled. It waits for something outside virtual time, or for a "
          + "continuation that nobody resumes. " + Self.usualCauses
      }
    }

    /// Those that tell the way out.
    static let known: Set<Self> = [.realScheduler, .realSleep, .mainActor, .dispatched]

    static let usualCauses =
      "Usual causes: a callback or a dispatch queue that resumes a continuation, a thread, a file or the network, an actor with an executor of its "
      + "own, an actor that other tests use at the same time, a task that was started outside of the test. Replace it in the test by something that "
      + "takes its time from the scheduler."
      + (TaskHooks.areThere
        ? ""
        : " The Swift runtime of this platform does not tell of unstructured and detached tasks: those are outside virtual time here.")
  }
}
