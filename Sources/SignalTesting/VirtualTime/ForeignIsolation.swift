import Signals

/// An actor that a test is isolated to and that is not on the main actor's executor.
///
/// Tasks that inherit its isolation wait until the test has left the actor, so virtual time cannot run them.
struct ForeignIsolation {
  private let actor: String

  init?(_ isolation: (any Actor)?) {
    guard let isolation, isolation !== MainActor.shared, !MainScheduler.isHere else { return nil }
    actor = "\(type(of: isolation))"
  }

  var message: String {
    "The test is isolated to \(actor). Its tasks cannot run before the test has returned, so virtual time cannot run them. Isolate the test to the "
      + "main actor, @MainActor @Test func …, or to no actor."
  }
}
