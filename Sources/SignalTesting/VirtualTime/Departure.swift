import Signals

/// An escape from the virtual time of a test, an entry from elsewhere, or a remainder at the end.
struct Departure {
  var cause: Cause
  /// The declaration of the test that started it.
  var origin: MarbleSource?
  /// The operator that scheduled it.
  var site: Site?
  /// The backtrace of the task's start, or of its sleep in real time.
  var trace: CreationTrace?
  /// The functions in which the task is suspended.
  var wait: CreationTrace?
  /// The duration of a task's sleep in real time.
  var duration: Duration?
  /// The instant until which a task sleeps in virtual time, or at which the test stopped.
  var moment: SchedulerInstant?
  /// Further facts, a line each.
  var details: [String] = []
  /// The type of the actor that another test uses too.
  var actor: String?
  /// Whether a closure of the test caused it, such as that of `m.at`.
  var isOfTest = false
}

extension Departure {
  /// The kind of escape or entry.
  enum Cause: Int, CaseIterable {
    /// An operator, or the test, uses a system scheduler.
    case realScheduler
    /// An operator, or the test, reads the time of a system scheduler.
    case realTimeRead
    /// A task of the test has not finished although no work is left.
    case unfinishedDeclaration
    /// A task sleeps in real time.
    case realSleep
    /// A dispatch source has a timer.
    case realTimer
    /// A task switches to the main actor.
    case mainActor
    /// Code that checks that it runs on the main actor ran elsewhere.
    case offMainActor
    /// A task, or another work item, submitted work to a dispatch queue.
    case dispatched
    /// Code submitted work to the main queue while the test runs elsewhere.
    case mainQueue
    /// A thread waits for something that nothing in virtual time brings.
    case blocked
    /// More code waits, each inside the wait of other code, than the stack can hold.
    case nestedTooDeeply
    /// A task ran in the virtual time of another test.
    case otherTest
    /// A task was resumed by another thread.
    case cameBack
    /// Another thread scheduled work.
    case scheduledElsewhere
    /// Code in a nested virtual time scheduled work here.
    case scheduledInside
    /// An expectation, a probe or a recorder received an event on another thread.
    case eventElsewhere
    /// Time has not advanced, and work is left.
    case neverDue
    /// A task sleeps in virtual time at the end of the test.
    case asleep
    /// A task keeps running after its cancellation.
    case endless
    /// A task has not finished at the end of the test, and ignores cancellation.
    case unfinished

    /// Reasons that name a remedy: tasks that do not finish, or come back, are consequences.
    static let known: Set<Self> = [
      .realScheduler, .realTimeRead, .realSleep, .realTimer, .mainActor, .offMainActor, .dispatched, .mainQueue,
      .blocked, .nestedTooDeeply, .otherTest,
    ]
  }

  /// How a test uses virtual time, on which the remedies depend.
  struct Use {
    /// What provides the virtual time.
    enum Form { case marbles, closure, trait }

    var form = Form.marbles
    /// Whether the clocks and the queues of the system are virtual.
    var isSystemVirtual = false

    /// What starts a task that has no end, with a preposition.
    var background: String {
      switch form {
      case .marbles: "in `m.background { }`"
      case .closure: "in `time.background { }`"
      case .trait:
        "in `time.background { }`, with `try withVirtualTime(systemTime: .virtual) { time in … }` instead of the trait,"
      }
    }

    /// What brings what a task waits for into virtual time.
    var replacement: String {
      isSystemVirtual
        ? "Replace that in the test, or wait for it in `withRealTime { }`."
        : "Replace that in the test with something that takes its time from the scheduler."
    }

    /// The page with the escapes that cannot be detected.
    var limits: String {
      (isSystemVirtual
        ? "VirtualSystemTime.md in SignalTesting.docc lists what stays in real time, such as a thread, a `Timer` or a file."
        : "VirtualTimeForAnyCode.md in SignalTesting.docc lists what cannot be reported, such as a `Timer`, `Thread.sleep` or a read of a real clock.")
        + (TaskHooks.areThere
          ? ""
          : " The Swift runtime of this platform does not report unstructured and detached tasks: those are outside virtual time here.")
    }
  }
}
