import CTaskHooks
import Signals

/// Replaces the main actor's executor in a test that runs on the main actor: work that such a test starts there waits
/// for virtual time.
///
/// There is one for the process, because tasks do not retain their executors.
final class VirtualMainExecutor: SerialExecutor {
  static let shared = VirtualMainExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !VirtualWorld.takeMain(job.address) { MainActor.shared.enqueue(job) }
  }

  // Actors and tasks of the test run on the main thread too: where a program would stop, the test fails.
  func checkIsolated() {
    precondition(isHere, "Code of the main actor runs on another thread.")
    VirtualWorld.checkMainActor()
  }

  /// Nil makes the runtime call ``checkIsolated()``.
  func isIsolatingCurrentContext() -> Bool? {
    isHere && VirtualWorld.isOffMainActor ? nil : isHere
  }

  private var isHere: Bool { MainScheduler.isHere || VirtualWorld.isInMainSync }
}
