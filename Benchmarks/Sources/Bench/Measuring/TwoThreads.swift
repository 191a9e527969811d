import Dispatch
import Foundation
import Synchronization

/// Runs the same work on two threads at once.
enum TwoThreads {
  /// Calls `work` with 0 here and with 1 on another thread; both begin when both are ready. Returns when both are done.
  static func run(_ work: @escaping @Sendable (Int) -> Void) {
    ManyThreads.run(2, work)
  }
}

/// Runs the same work on several threads at once.
enum ManyThreads {
  /// Calls `work` with 0 here, and with 1 and so on on other threads; all begin when all are ready. Returns when all are done.
  static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let gate = StartingGate(count)
    let done = DispatchSemaphore(value: 0)
    for index in 1..<count {
      Thread {
        gate.arrive()
        work(index)
        done.signal()
      }.start()
    }
    gate.arrive()
    work(0)
    for _ in 1..<count { done.wait() }
  }
}

/// Holds threads until all are there.
private final class StartingGate: Sendable {
  private let arrived = Atomic<Int>(0)
  private let count: Int

  init(_ count: Int) { self.count = count }

  func arrive() {
    arrived.add(1, ordering: .acquiringAndReleasing)
    while arrived.load(ordering: .acquiring) < count {}
  }
}
