import Foundation
import Synchronization

/// Threads that repeatedly run work items at the same moment.
///
/// What guards it is a lock that the thread sanitizer sees. A waiting thread polls continuously: a thread that a condition wakes begins later than
/// the others, and on a busy machine they hardly ever meet.
final class RaceCrew: Sendable {
  private struct State: Sendable {
    var round = 0
    var works: [@Sendable () -> Void] = []
    var unfinished = 0
    var isOver = false
  }

  private let state = SeenLock(State())
  private let arrived = Atomic<Int>(0)

  init(size: Int) {
    for index in 0..<size {
      let thread = Thread { [self] in serve(index) }
      thread.stackSize = 4 << 20
      thread.start()
    }
  }

  /// Runs work items, each on a thread of its own, all begun together.
  ///
  /// - Returns: Whether all ended in time. If not, the crew is of no more use.
  func run(_ works: [@Sendable () -> Void], patience: Duration) -> Bool {
    arrived.store(0, ordering: .relaxed)
    state.withLock { state in
      state.works = works
      state.unfinished = works.count
      state.round += 1
    }
    let deadline = ContinuousClock.now + patience
    var tries = 0
    while state.withLock({ $0.unfinished > 0 }) {
      tries += 1
      guard tries > 50 else { continue }
      if tries.isMultiple(of: 64), ContinuousClock.now > deadline { return false }
      // Safe: only a pause between two looks at what the lock guards.
      usleep(tries > 2_000 ? 100 : 0)
    }
    state.withLock { $0.works = [] }
    return true
  }

  /// Lets the threads end.
  func close() { state.withLock { $0.isOver = true } }

  private func serve(_ index: Int) {
    var seen = 0
    var tries = 0
    while true {
      let (next, isOver) = state.withLock { state -> ((work: @Sendable () -> Void, count: Int)?, Bool) in
        guard state.round != seen, index < state.works.count else { return (nil, state.isOver) }
        seen = state.round
        return ((state.works[index], state.works.count), false)
      }
      if isOver { return }
      guard let next else {
        tries += 1
        // Safe: only a pause between two looks, as above.
        usleep(tries > 5_000 ? 1_000 : tries > 50 ? 20 : 0)
        continue
      }
      tries = 0
      arrived.add(1, ordering: .acquiringAndReleasing)
      // No waiting thread yields the CPU here, so that they begin together; but not for ever, in case there are few processors.
      var waits = 0
      while arrived.load(ordering: .acquiring) < next.count {
        waits += 1
        // Safe: only a pause between two looks, as above.
        if waits > 10_000 { usleep(10) }
      }
      next.work()
      state.withLock { $0.unfinished -= 1 }
    }
  }
}

/// A variable under a lock that the thread sanitizer sees: on Linux it does not see `Mutex`.
// Safe: `value` is touched only under `lock`.
final class SeenLock<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}

/// Lets a little time pass without giving the processor away.
func raceSpin(_ steps: Int) {
  for _ in 0..<steps { _ = idleWord.load(ordering: .acquiring) }
}

/// Read to pass the time: the optimiser may not leave that out.
private let idleWord = Atomic<Int>(0)
