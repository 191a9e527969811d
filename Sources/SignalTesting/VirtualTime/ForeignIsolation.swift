import CTaskHooks
import Signals

/// An actor that a test is isolated to, other than the main actor; also detected in a nonisolated function called from
/// there.
///
/// Tasks that inherit its isolation wait until the test has left the actor, so virtual time cannot run them.
struct ForeignIsolation {
  private let actor: String

  init?(_ isolation: (any Actor)?) {
    guard isolation !== MainActor.shared, !MainScheduler.isHere else { return nil }
    if let isolation {
      actor = "\(type(of: isolation))"
      return
    }
    guard let executor = task_hooks_current_executor().identity else { return nil }
    // Safe: the runtime's own reference to an actor, or to a custom executor, that this thread runs on.
    actor = "\(type(of: Unmanaged<AnyObject>.fromOpaque(executor).takeUnretainedValue()))"
  }

  var message: String {
    "The test is isolated to \(actor). Its tasks cannot run before the test has returned, so virtual time cannot run them. Isolate the test to the "
      + "main actor, @MainActor @Test func …, or to no actor."
  }
}
