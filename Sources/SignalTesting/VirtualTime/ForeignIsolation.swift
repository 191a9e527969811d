import CTaskHooks
import Signals

/// An actor that a test is isolated to and that is not on the main actor's executor, also where a function without isolation is called from there.
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
    // Safe: the runtime's own reference to an actor, or to an executor of the program's own, that this thread runs on.
    actor = "\(type(of: Unmanaged<AnyObject>.fromOpaque(executor).takeUnretainedValue()))"
  }

  var message: String {
    "The test is isolated to \(actor). Its tasks cannot run before the test has returned, so virtual time cannot run them. Isolate the test to the "
      + "main actor, @MainActor @Test func …, or to no actor."
  }
}
