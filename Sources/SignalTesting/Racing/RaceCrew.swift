import Foundation
import Synchronization

/// Threads that do pieces of work at the same moment, again and again.
///
/// What guards it, and wakes whoever waits, is a lock that the thread sanitizer sees.
final class RaceCrew: Sendable {
  private struct State: Sendable {
    var round = 0
    var works: [@Sendable () -> Void] = []
    var unfinished = 0
    var isOver = false
  }

  private let condition = NSCondition()
  // Safe: touched only under the lock of `condition`.
  nonisolated(unsafe) private var state = State()
  private let arrived = Atomic<Int>(0)

  init(size: Int) {
    for index in 0..<size {
      let thread = Thread { [self] in serve(index) }
      thread.stackSize = 4 << 20
      thread.start()
    }
  }

  /// Runs pieces of work, each on a thread of its own, all begun together.
  ///
  /// - Returns: Whether all ended in time. If not, the crew is of no more use.
  func run(_ works: [@Sendable () -> Void], patience: Duration) -> Bool {
    let deadline = ContinuousClock.now + patience
    return condition.withLock {
      arrived.store(0, ordering: .relaxed)
      state.works = works
      state.unfinished = works.count
      state.round += 1
      condition.broadcast()
      while state.unfinished > 0 {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return false }
        _ = condition.wait(until: Date(timeIntervalSinceNow: left / .seconds(1)))
      }
      state.works = []
      return true
    }
  }

  /// Lets the threads end.
  func close() {
    condition.withLock {
      state.isOver = true
      condition.broadcast()
    }
  }

  private func serve(_ index: Int) {
    var seen = 0
    while let next = next(index, after: &seen) {
      arrived.add(1, ordering: .acquiringAndReleasing)
      // Nobody who waits here gives the processor away, so that they begin together; but not for ever, in case there are few processors.
      var waits = 0
      while arrived.load(ordering: .acquiring) < next.count {
        waits += 1
        if waits > 10_000 { sched_yield() }
      }
      next.work()
      condition.withLock {
        state.unfinished -= 1
        if state.unfinished == 0 { condition.broadcast() }
      }
    }
  }

  /// Waits for the work of a round that a thread has not seen yet; nil if there will be none.
  private func next(_ index: Int, after seen: inout Int) -> (work: @Sendable () -> Void, count: Int)? {
    condition.withLock {
      while true {
        if state.round != seen, index < state.works.count {
          seen = state.round
          return (state.works[index], state.works.count)
        }
        if state.isOver { return nil }
        condition.wait()
      }
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
