import Dispatch
import Foundation
import Synchronization

/// Runs the same work on two threads at once.
enum TwoThreads {
  /// Calls `work` with 0 here and with 1 on another thread; both begin when both are ready. Returns when both are done.
  static func run(_ work: @escaping @Sendable (Int) -> Void) {
    let gate = StartingGate()
    let done = DispatchSemaphore(value: 0)
    Thread {
      gate.arrive()
      work(1)
      done.signal()
    }.start()
    gate.arrive()
    work(0)
    done.wait()
  }
}

/// Holds two threads until both are there.
private final class StartingGate: Sendable {
  private let arrived = Atomic<Int>(0)

  func arrive() {
    arrived.add(1, ordering: .acquiringAndReleasing)
    while arrived.load(ordering: .acquiring) < 2 {}
  }
}
