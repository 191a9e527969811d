import CTaskHooks
import Signals

/// Stands for the main actor's executor in a test that runs on the main actor: what such a test starts there waits for virtual time.
///
/// There is one for the process, because tasks do not keep their executors.
final class VirtualMainExecutor: SerialExecutor {
  static let shared = VirtualMainExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !VirtualWorld.takeMain(job.address) { MainActor.shared.enqueue(job) }
  }

  func checkIsolated() {
    precondition(MainScheduler.isHere, "Code of the main actor runs on another thread.")
  }

  func isIsolatingCurrentContext() -> Bool? { MainScheduler.isHere }
}
