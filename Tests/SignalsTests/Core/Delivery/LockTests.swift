import Probes
import Synchronization
import Testing

@testable import Signals

@Suite("The lock of the event path")
struct LockTests {
  @Test func oneThreadAtATimeHasIt() {
    // Safe: the count is touched only under the lock.
    final class Counter: @unchecked Sendable {
      let lock = Lock()
      var count = 0
    }
    let counter = Counter()
    onThreads(8) { _ in
      for _ in 0..<10_000 { counter.lock.withLock { counter.count += 1 } }
    }
    #expect(counter.count == 80_000)
  }

  #if os(Linux) || os(Android)
    @Test("threads that sleep for it are woken one after the other", .timeLimit(.minutes(20)))
    func sleepersAreWoken() {
      final class Shared: Sendable {
        let lock = FutexLock(())
        let turns = Atomic<Int>(0)
      }
      let shared = Shared()
      let threads = 4
      // Three sleep, or are about to; the fourth lets go of it when one of them has said that it will.
      shared.lock._unsafeLock()
      let isHeld = Atomic<Bool>(true)
      onThreads(threads) { _ in
        if isHeld.exchange(false, ordering: .relaxed) {
          while shared.lock.state.load(ordering: .relaxed) != 2 {}
        } else {
          shared.lock._unsafeLock()
          shared.turns.add(1, ordering: .relaxed)
        }
        shared.lock._unsafeUnlock()
      }
      #expect(shared.turns.load(ordering: .relaxed) == threads - 1)
      #expect(shared.lock.state.load(ordering: .relaxed) == 0, "nobody has it")
    }
  #endif
}
