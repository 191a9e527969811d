extension VirtualTimeScheduler {
  /// The current time, and the waiting work.
  struct State {
    var now: Int128 = 0
    var sequence: UInt64 = 0
    var queue = WorkQueue()
    var isAdvancing = false
    var ranCount = 0
    var chooser: Chooser?
    var director: Director?
    /// Whether the director picks among hot sources and other work together.
    var mixesSources = false
    /// The work offered to the chooser, by phase: all that was queued for ``readyDeadline``. The last is for
    /// ``lastKey(_:)``. Empty while there is no chooser.
    var ready = [ReadyWork(), ReadyWork(), ReadyWork(), ReadyWork()]
    var readyCount = 0
    var readyDeadline: Int128 = 0
    let departures = Departures()
    /// Work to run directly after the running work item.
    var behind: WorkQueue.Forgotten = []

    /// The instant a delay after now, or the last representable one.
    func moment(after delay: Duration) -> Int128 {
      let (moment, isTooLate) = now.addingReportingOverflow(max(0, delay.attoseconds))
      return isTooLate ? .max : moment
    }

    /// The next key in scheduling order, at an instant or, if that is past, now.
    mutating func nextKey(_ deadline: Int128, _ phase: Phase) -> QueuedWork.Key {
      sequence += 1
      return QueuedWork.Key(deadline: max(now, deadline), phase: phase, sequence: sequence)
    }

    /// The key of work that comes after all other work of its instant.
    mutating func lastKey(_ deadline: Int128) -> QueuedWork.Key {
      var key = nextKey(deadline, .work)
      key.order |= 3 << 62
      return key
    }

    /// Removes the first due work, and advances time to it.
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

    /// Removes the first item of the work that runs directly after the previous work item.
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

    /// Gathers all work for a chooser; finds the first phase with ready work.
    ///
    /// Work gathered before stays. It precedes newer work in scheduling order, as later work has higher numbers.
    mutating func gatherReady(until target: Int128, forgotten: inout WorkQueue.Forgotten) -> Int? {
      reviewDepartures(forgotten: &forgotten)
      // Until its first work runs, time is before that instant, and work may be scheduled for an earlier one.
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

    /// Removes ready work that has been cancelled or postponed since.
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

    /// Returns the work gathered for a chooser to the queue.
    mutating func putReadyBack(forgotten: inout WorkQueue.Forgotten) {
      for phase in ready.indices {
        for entry in ready[phase].removeAll() { queue.insert(entry, forgotten: &forgotten) }
      }
      readyCount = 0
    }

    /// The phases that form one choice.
    func phases(with phase: Int) -> ClosedRange<Int> {
      mixesSources && director != nil && phase == Phase.hotSource.rawValue ? phase...Phase.work.rawValue : phase...phase
    }

    /// The number of ready work items in the phases that form one choice.
    func readyCount(with phase: Int) -> Int { phases(with: phase).reduce(0) { $0 + ready[$1].count } }

    /// Takes the chosen one among the ready work of a phase; nil if it was cancelled or postponed since it was offered.
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

    /// The number of waiting work items without cancelled ones.
    var pendingCount: Int {
      behind.count + queue.count + ready.reduce(0) { $0 + $1.entries.count { $0.moment != nil } }
    }

    /// Whether work is due until an instant.
    func isDue(until target: Int128) -> Bool {
      !behind.isEmpty || queue.isDue(until: target)
        || ready.contains { $0.entries.contains { $0.moment.map { $0.deadline <= target } ?? false } }
    }

    /// Removes all work.
    ///
    /// - Returns: The waiting work, for release once no lock is held.
    mutating func removeAll() -> WorkQueue.Forgotten {
      var forgotten = WorkQueue.Forgotten()
      putReadyBack(forgotten: &forgotten)
      defer { behind = [] }
      return forgotten + behind + queue.removeAll()
    }

    private mutating func started(_ entry: WorkQueue.Entry) -> QueuedWork {
      // The chooser may have scheduled work for an earlier instant.
      now = max(now, entry.key.deadline)
      ranCount += 1
      return entry.work.takeRetainedValue()
    }
  }
}
