import Synchronization

extension VirtualTimeScheduler {
  /// The deadline of the first waiting work item, or an earlier one if that was cancelled or postponed; nil if none
  /// waits.
  package var nextMoment: SchedulerInstant? {
    let moment = state.withLock { state -> Int128? in
      guard state.pendingCount > 0 else { return nil }
      if !state.behind.isEmpty { return state.now }
      let ready = state.readyCount > 0 ? state.readyDeadline : nil
      guard let first = state.queue.first?.key.deadline else { return ready }
      return min(first, ready ?? first)
    }
    return moment.map { SchedulerInstant(sinceOrigin: Duration(attoseconds: $0)) }
  }
}
