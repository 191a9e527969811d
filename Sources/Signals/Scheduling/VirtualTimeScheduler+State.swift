extension VirtualTimeScheduler {
  /// What time it is, and what waits.
  struct State {
    var now: Int128 = 0
    var sequence: UInt64 = 0
    var queue = WorkQueue()
    var isAdvancing = false
    var ranCount = 0
    var chooser: Chooser?
    var director: Director?
    /// Whether the director picks from hot sources and other work together.
    var mixesSources = false
    /// What the chooser may choose from, by phase: all that was in the queue for ``readyDeadline``. The last is
    /// for ``lastKey(_:)``. Empty while there is no chooser.
    var ready = [ReadyWork(), ReadyWork(), ReadyWork(), ReadyWork()]
    var readyCount = 0
    var readyDeadline: Int128 = 0
    let departures = Departures()
    /// What runs directly behind the work item that is running.
    var behind: WorkQueue.Forgotten = []

    /// The moment a delay after now, or the last one that there is.
    func moment(after delay: Duration) -> Int128 {
      let (moment, isTooLate) = now.addingReportingOverflow(max(0, delay.attoseconds))
      return isTooLate ? .max : moment
    }

    /// The next place in scheduling order, at a moment or, if that is over, now.
    mutating func nextKey(_ deadline: Int128, _ phase: Phase) -> QueuedWork.Key {
      sequence += 1
      return QueuedWork.Key(deadline: max(now, deadline), phase: phase, sequence: sequence)
    }

    /// The key of work that comes after all other work of its moment.
    mutating func lastKey(_ deadline: Int128) -> QueuedWork.Key {
      var key = nextKey(deadline, .work)
      key.order |= 3 << 62
      return key
    }

    /// Takes out the first work that is due, and moves time to it.
    mutating func claimNext(until target: Int128, forgotten: inout WorkQueue.Forgotten) -> QueuedWork? {
      while let first = queue.first, first.key.deadline <= target {
        switch first.claim() {
        case .over:
          queue.removeFirst()
          forgotten.append(first.work.takeRetainedValue())
        case .later(let key):
          queue.replaceFirst(with: WorkQueue.Entry(key: key, work: first.work))
        case .due:
          queue.removeFirst()
          return started(first)
        }
      }
      return nil
    }

    /// Takes out the first of what runs directly behind the work item before.
    mutating func claimBehind(forgotten: inout WorkQueue.Forgotten) -> QueuedWork? {
      let key = QueuedWork.Key(deadline: now, phase: .test, sequence: 0)
      while !behind.isEmpty {
        let work = behind.removeFirst()
        if case .due = work.claim(queuedFor: key) {
          ranCount += 1
          return work
        }
        forgotten.append(work)
      }
      return nil
    }

    /// Gathers everything that a chooser may choose from; finds the first phase in which something is ready.
    ///
    /// What was gathered before stays. It comes before what came since, in scheduling order, as later work has higher numbers.
    mutating func gatherReady(until target: Int128, forgotten: inout WorkQueue.Forgotten) -> Int? {
      reviewDepartures(forgotten: &forgotten)
      // Until its first work runs, time is before the moment, and something may be scheduled for an earlier one.
      if readyCount > 0, let first = queue.first, first.key.deadline < readyDeadline {
        putReadyBack(forgotten: &forgotten)
      }
      while let next = queue.first, next.key.deadline <= (readyCount > 0 ? readyDeadline : target) {
        if next.moment == nil {
          queue.removeFirst()
          forgotten.append(next.forget())
        } else if next.moment != next.key {
          guard case .later(let key) = next.claim() else { continue }
          queue.replaceFirst(with: WorkQueue.Entry(key: key, work: next.work))
        } else if next.report(to: departures) {
          queue.removeFirst()
          readyDeadline = next.key.deadline
          ready[next.key.phase].append(next)
          readyCount += 1
        }
      }
      return readyCount > 0 && readyDeadline <= target ? ready.firstIndex { $0.count > 0 } : nil
    }

    /// Takes out what was ready and has been cancelled or put off since.
    private mutating func reviewDepartures(forgotten: inout WorkQueue.Forgotten) {
      for work in departures.takeAll() {
        for phase in ready.indices {
          guard let entry = ready[phase][work], entry.moment != entry.key else { continue }
          ready[phase].remove(work)
          readyCount -= 1
          if entry.moment == nil {
            forgotten.append(entry.forget())
          } else if case .later(let key) = entry.claim() {
            queue.insert(WorkQueue.Entry(key: key, work: entry.work), forgotten: &forgotten)
          }
        }
      }
    }

    /// Puts what a chooser might have chosen back into the queue.
    mutating func putReadyBack(forgotten: inout WorkQueue.Forgotten) {
      for phase in ready.indices {
        for entry in ready[phase].removeAll() { queue.insert(entry, forgotten: &forgotten) }
      }
      readyCount = 0
    }

    /// The phases whose work is picked from together.
    func phases(with phase: Int) -> ClosedRange<Int> {
      mixesSources && director != nil && phase == Phase.hotSource.rawValue ? phase...Phase.work.rawValue : phase...phase
    }

    /// How much is ready in the phases that are picked from together.
    func readyCount(with phase: Int) -> Int { phases(with: phase).reduce(0) { $0 + ready[$1].count } }

    /// Takes the chosen one among what is ready in a phase; nil if it was cancelled or put off since the chooser was asked.
    mutating func claim(_ index: Int, in phase: Int, forgotten: inout WorkQueue.Forgotten) -> QueuedWork? {
      var (index, phase) = (index, phase)
      if index >= ready[phase].count, phases(with: phase).contains(phase + 1) {
        index -= ready[phase].count
        phase += 1
      }
      guard let chosen = ready[phase].remove(at: index) else { return nil }
      readyCount -= 1
      switch chosen.claim() {
      case .over: forgotten.append(chosen.work.takeRetainedValue())
      case .later(let key): queue.insert(WorkQueue.Entry(key: key, work: chosen.work), forgotten: &forgotten)
      case .due: return started(chosen)
      }
      return nil
    }

    /// How many work items wait, cancelled ones not counted.
    var pendingCount: Int {
      behind.count + queue.count + ready.reduce(0) { $0 + $1.entries.count { $0.moment != nil } }
    }

    /// Whether work is due until a moment.
    func isDue(until target: Int128) -> Bool {
      !behind.isEmpty || queue.isDue(until: target)
        || ready.contains { $0.entries.contains { $0.moment.map { $0.deadline <= target } ?? false } }
    }

    /// Forgets all work.
    ///
    /// - Returns: What waited, for release once no lock is held.
    mutating func removeAll() -> WorkQueue.Forgotten {
      var forgotten = WorkQueue.Forgotten()
      putReadyBack(forgotten: &forgotten)
      defer { behind = [] }
      return forgotten + behind + queue.removeAll()
    }

    private mutating func started(_ entry: WorkQueue.Entry) -> QueuedWork {
      // A chooser may have let work for an earlier moment be scheduled.
      now = max(now, entry.key.deadline)
      ranCount += 1
      return entry.work.takeRetainedValue()
    }
  }
}
