import Synchronization

// Timers of operators.

extension VirtualTimeScheduler {
  /// Sets an alarm.
  ///
  /// - Returns: The number of the setting, and a list entry that is no longer needed.
  func set(
    _ alarm: Alarm, after delay: Duration, noting token: WorkToken?
  ) -> (number: UInt64, unused: WorkToken?) {
    var forgotten = WorkQueue.Forgotten()
    watch?.noteScheduling()
    let result = state.withLock { state in
      let key = state.nextKey(state.moment(after: delay), .work)
      let (isQueueing, unused) = alarm.set(to: key, noting: token)
      if isQueueing { state.queue.insert(WorkQueue.Entry(key: key, work: .passRetained(alarm)), forgotten: &forgotten) }
      if state.readyCount > 0 { state.departures.note(alarm) }
      return (key.order, unused)
    }
    withExtendedLifetime(forgotten) {}
    return result
  }

  /// Clears an alarm; if permanently, it cannot be set any more.
  ///
  /// - Returns: A list entry that is no longer needed.
  func clear(_ alarm: Alarm, forGood: Bool = false) -> WorkToken? {
    state.withLock { state in
      if state.readyCount > 0 { state.departures.note(alarm) }
      return alarm.clear(forGood: forGood)
    }
  }

  func isOver(_ alarm: Alarm) -> Bool { state.withLock { _ in alarm.isOver } }
}
