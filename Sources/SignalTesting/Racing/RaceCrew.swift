import Foundation
import Synchronization

/// Threads that repeatedly run work items at the same instant.
///
/// Its lock is one that Thread Sanitizer sees. A waiting thread polls continuously: a thread that a condition wakes
/// begins later than the others, and on a busy machine they hardly ever meet.
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

  /// Runs work items, each on its own thread, all begun together.
  ///
  /// - Returns: Whether all ended in time. If not, the threads cannot be used any more.
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
      // Safe: only a pause between two polls of the state under the lock.
      usleep(tries > 2_000 ? 100 : 0)
    }
    state.withLock { $0.works = [] }
    return true
  }

  /// Ends the threads.
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
        // Safe: only a pause between two polls, as above.
        usleep(tries > 5_000 ? 1_000 : tries > 50 ? 20 : 0)
        continue
      }
      tries = 0
      arrived.add(1, ordering: .acquiringAndReleasing)
      // No waiting thread yields the CPU here, so that they begin together; but not for ever, in case there are few
      // CPUs.
      var waits = 0
      while arrived.load(ordering: .acquiring) < next.count {
        waits += 1
        // Safe: only a pause between two polls, as above.
        if waits > 10_000 { usleep(10) }
      }
      next.work()
      state.withLock { $0.unfinished -= 1 }
    }
  }
}

/// A variable under a lock that Thread Sanitizer sees: on Linux it does not see `Mutex`.
// Safe: `value` is touched only under `lock`.
final class SeenLock<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}

/// Waits for a short time without yielding the CPU.
func raceSpin(_ steps: Int) {
  for _ in 0..<steps { _ = idleWord.load(ordering: .acquiring) }
}

/// Read to pass the time: the optimiser may not remove that.
private let idleWord = Atomic<Int>(0)
