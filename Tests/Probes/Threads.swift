import Dispatch
import Foundation
import Synchronization

/// Runs work items on a thread each, all started together, and returns when all have ended.
package func onThreads(_ work: (@Sendable () -> Void)...) {
  onThreads(work.count) { work[$0]() }
}

/// Waits for another thread, at first without blocking, so that both go on at once. Where no core is free for that thread,
/// this one makes room: one that only yields uses up its share of a busy core.
package func spin(while condition: () -> Bool) {
  var turns = 0
  while condition() {
    turns += 1
    // Safe: only a pause between two looks. To be woken needs a lock, which would order what threads are meant to do at once.
    if turns > 2_000 { usleep(50) } else if turns.isMultiple(of: 100) { sched_yield() }
  }
}

/// Runs work on so many threads, all started together, and returns when all have ended.
package func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let ready = DispatchGroup()
  let done = DispatchGroup()
  let start = DispatchSemaphore(value: 0)
  for index in 0..<count {
    ready.enter()
    done.enter()
    let thread = Thread {
      ready.leave()
      start.wait()
      work(index)
      done.leave()
    }
    thread.stackSize = 8 << 20
    thread.start()
  }
  ready.wait()
  for _ in 0..<count { start.signal() }
  done.wait()
}

/// Runs two work items on a thread each, so many times, side by side: each waits for the other before every twentieth time.
package func meeting(
  _ rounds: Int, _ first: @escaping @Sendable (Int) -> Void, _ second: @escaping @Sendable (Int) -> Void
) {
  let arrived = Atomic<Int>(0)
  onThreads(2) { index in
    for round in 0..<rounds {
      if round.isMultiple(of: 20) {
        let total = arrived.add(1, ordering: .acquiringAndReleasing).newValue
        spin { arrived.load(ordering: .acquiring) < (total + 1) / 2 * 2 }
      }
      if index == 0 { first(round) } else { second(round) }
    }
  }
}
