import Signals

extension VirtualWorld {
  /// The record of a task.
  // Safe: the variables are used under the lock of its world.
  final class Known: @unchecked Sendable {
    /// The number of the task.
    let number: UInt64
    /// The declaration in the test that started it.
    let origin: MarbleSource?
    /// The backtrace of its start.
    let trace: CreationTrace?
    /// The task itself, if no other task awaits its end.
    let reference: TaskReference?
    /// Its entry in the list of a leak check.
    var token: PendingWorkToken?
    /// Whether the test allows it to sleep at the end.
    let isBackground: Bool
    /// Whether a closure of the test started it, such as that of `m.at`, or a task of such a closure.
    let isOfTest: Bool
    /// The number of its work items.
    var runCount = 0
    /// Its sleep in virtual time.
    var sleep: Sleep?

    init(
      _ number: UInt64, origin: MarbleSource?, reference: TaskReference?, token: PendingWorkToken? = nil,
      trace: CreationTrace?, isBackground: Bool, isOfTest: Bool
    ) {
      self.number = number
      self.origin = origin
      self.trace = trace
      self.reference = reference
      self.token = token
      self.isBackground = isBackground
      self.isOfTest = isOfTest
    }
  }

  /// A sleep in virtual time.
  struct Sleep {
    var end: SchedulerInstant
    /// The sleeper on a clock of the system; nil on the scheduler.
    var sleeper: SleepingTask?

    /// Whether it still lasts, as far as known.
    var isUnderWay: Bool { sleeper?.isAsleep ?? true }
  }

  struct State {
    /// The scheduler, which retains the world, until this is closed.
    var scheduler: VirtualTimeScheduler?
    /// The tasks, by their numbers.
    private(set) var tasks: [UInt64: Known] = [:]
    /// The one that was looked up last.
    private var latest: Known?
    /// The number of tasks at which deallocated ones are searched for next.
    var sweepCount = 64
    var departures: [Departure] = []
    /// Tasks with lower numbers were started before.
    var oldestTask: UInt64 = 0
    /// The numbers of the tasks that advance time, or run the test's closure.
    var callers: Set<UInt64> = []
    /// The numbers of the tasks that were created inside, including those that no hook has seen because they began on
    /// an actor.
    var created: Set<UInt64> = []
    /// Those of them that begin on an actor whose work this thread runs, until a hook has seen them.
    var begun: [UInt64: Known] = [:]
    /// Their number at which deallocated ones are removed next.
    var begunSweepCount = 64
    /// Whether an actor was scheduled here while a task is being created.
    var hasScheduledActor = false
    /// The number of sleeps of cancelled tasks that have begun.
    var cancelledSleepCount = 0
    /// The declaration that newly started tasks originate at.
    var origin: MarbleSource?
    var isOpened = false
    var isClosed = false
    /// Whether a work item runs a closure of the test.
    var isInTest = false
    /// Whether every task may sleep at the end.
    var areAllInBackground = false
    /// Whether each submission to a queue is noted.
    var isNotingEachDispatch = false
    /// Whether the thread is the main one.
    var isOnMain = false
    /// Whether the test runs while a global variable is being created.
    var isFirstUse = false
    /// The nesting depth of threads inside.
    var depth = 0
    /// The time at which the latest job began to run, in real time.
    var jobBegan: ContinuousClock.Instant?

    /// The task with a number. A task often asks several times in succession.
    mutating func task(_ number: UInt64) -> Known? {
      if let latest, latest.number == number { return latest }
      guard let found = tasks[number] else { return nil }
      latest = found
      return found
    }

    mutating func add(_ task: Known) { tasks[task.number] = task }

    mutating func remove(_ task: Known) {
      tasks[task.number] = nil
      if latest === task { latest = nil }
    }

    mutating func removeAllTasks() {
      tasks = [:]
      latest = nil
    }

    func known(_ number: UInt64) -> Known? { tasks[number] ?? begun[number] }

    var allKnown: [Known] { Array(tasks.values) + Array(begun.values) }

    /// Whether the running code is a closure of the test, or belongs to a task that one started.
    ///
    /// - Parameter task: The number of the running task; 0 if there is none.
    func isOfTest(_ task: UInt64) -> Bool { isInTest || known(task)?.isOfTest ?? false }
  }
}
