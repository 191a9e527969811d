import Foundation
import Synchronization

/// Threads that do work items at the same moment. The one that calls ``run(_:)`` is one of them.
final class Crew: Sendable {
  let size: Int
  private let round = Atomic<Int>(0)
  private let arrived = Atomic<Int>(0)
  private let unfinished = Atomic<Int>(0)
  private let work = Guarded<[@Sendable () -> Void]>([])

  init(size: Int) {
    self.size = size
    for index in 1..<size {
      let thread = Thread { self.serve(index) }
      thread.stackSize = 16 << 20
      thread.start()
    }
  }

  /// Runs at most `size` work items, each on a thread of its own, all begun together; returns when all have ended.
  func run(_ acts: [@Sendable () -> Void]) {
    work.value = acts
    arrived.store(0, ordering: .relaxed)
    unfinished.store(size - 1, ordering: .relaxed)
    round.add(1, ordering: .releasing)
    act(0)
    patiently { unfinished.load(ordering: .acquiring) == 0 }
    work.value = []
  }

  private func serve(_ index: Int) {
    Watch.prepareThread()
    var seen = 0
    while true {
      patiently { round.load(ordering: .acquiring) != seen }
      seen += 1
      act(index)
      unfinished.subtract(1, ordering: .releasing)
    }
  }

  private func act(_ index: Int) {
    let acts = work.value
    guard index < acts.count else { return }
    arrived.add(1, ordering: .acquiringAndReleasing)
    patiently { arrived.load(ordering: .acquiring) >= acts.count }
    acts[index]()
  }
}

/// Waits for something that usually comes soon.
func patiently(_ condition: () -> Bool) {
  var tries = 0
  while !condition() {
    tries += 1
    // Safe: only a pause between two looks. To be woken needs a lock, which would order what threads are meant to do at once.
    if tries > 2_000 { usleep(50) } else if tries > 100 { sched_yield() }
  }
}

/// Waits for something, but not for ever.
///
/// - Returns: Whether it came.
func wait(seconds: Double = Watch.patience, for condition: () -> Bool) -> Bool {
  let deadline = DispatchTime.now() + seconds
  var tries = 0
  while !condition() {
    tries += 1
    if tries > 100 {
      if DispatchTime.now() > deadline { return false }
      // Safe: only a pause between two looks, as above.
      if tries > 1_000 { usleep(100) } else { sched_yield() }
    }
  }
  return true
}
