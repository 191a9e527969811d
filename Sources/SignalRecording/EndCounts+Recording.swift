import SignalGraph
import Synchronization

extension EndCounts {
  /// Counts the end of a subscription.
  ///
  /// - Parameters:
  ///   - ending: The delivered end.
  ///   - isUnused: Whether it ended at once, without a value.
  ///   - isReleased: Whether it was released, and no value came.
  ///   - isLate: Whether its source had ended before, and no value came.
  mutating func add(_ ending: NodeGroup.Life, isUnused: Bool, isReleased: Bool, isLate: Bool) {
    switch ending {
    case .finished: finished += 1
    case .failed: failed += 1
    case .live:
      disposed += 1
      if isUnused { unused += 1 }
      if isReleased { released += 1 }
    }
    if isLate { late += 1 }
  }

  /// Counts a disposal at an operator with a queue.
  ///
  /// - Parameters:
  ///   - values: The number of waiting values.
  ///   - delivered: The number of delivered values.
  ///   - isCounted: Whether the end of this node is already counted, as the lowest one of its chain.
  mutating func addDisposal(losing values: UInt64, after delivered: UInt64, isCounted: Bool) {
    if !isCounted { disposed += 1 }
    guard values > 0 else { return }
    lost += values
    losing += 1
    if delivered == 0 { losingAll += 1 }
  }
}

extension EndCounts {
  /// Adds the counts of another part of the recorder.
  mutating func add(_ other: EndCounts) {
    finished += other.finished
    failed += other.failed
    disposed += other.disposed
    unused += other.unused
    released += other.released
    late += other.late
    unhandled += other.unhandled
    lost += other.lost
    losing += other.losing
    losingAll += other.losingAll
    lastUnhandled = other.lastUnhandled ?? lastUnhandled
    guard let more = other.caught else { return }
    caught = (caught ?? 0) + more
    lastCaught = other.lastCaught ?? lastCaught
  }

  /// Counts a failure that an operator replaced.
  mutating func addCaught(_ failure: String?) {
    caught = (caught ?? 0) + 1
    lastCaught = failure ?? lastCaught
  }

  fileprivate mutating func addUnhandled(_ text: String) {
    unhandled += 1
    lastUnhandled = text
  }
}

extension GraphRecorder {
  /// Notes a failure that reached a subscriber without a closure for failures.
  package func noteUnhandled(_ error: any Error, at site: Site) {
    // It is retained for as long as the program runs.
    let text = link.words(of: error)
    state.withLock { state in
      guard !state.isClosed else { return }
      state.unhandled[site, default: EndCounts()].addUnhandled(text)
    }
  }
}
