/// Watches work that enters and leaves the virtual time of a scheduler, in a test. Everything is called without a lock.
package protocol VirtualTimeWatch: AnyObject, Sendable {
  /// Runs a closure whose started work belongs to the virtual time.
  func inside<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  /// Whether the virtual time still takes jobs. Rejected jobs run elsewhere.
  func admits(_ job: UnownedJob) -> Bool
  /// Notes that a job begins to run.
  func noteRunning()
  /// Notes the time, in attoseconds since the origin, before each work item and at the end. On the thread that advances time.
  func noteTime(_ now: Int128)
  /// Runs a job that is not the main actor's.
  func runOffMainActor(_ job: () -> Void)
  /// Whether the virtual time is still running.
  var isOpen: Bool { get }
  /// Notes that this thread is about to schedule work.
  func noteScheduling()
  /// Notes that the current task sleeps until an instant.
  func noteSleep(until deadline: SchedulerInstant)
  /// Notes that the current task no longer sleeps.
  func noteWaking()
  /// Notes that a cancelled task is about to sleep, which throws at once.
  ///
  /// - Returns: Whether it has to let other work run first, as such sleeps never end.
  func mustYieldBeforeCancelledSleep() -> Bool
  /// Notes that an expectation, a probe or a recorder of the test receives an event on this thread.
  func noteEvent()
}
