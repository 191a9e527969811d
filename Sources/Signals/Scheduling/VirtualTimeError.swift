/// The reason why virtual time could not be advanced.
public enum VirtualTimeError: Error, Equatable, CustomStringConvertible {
  /// The call exceeded its limit of work items: most likely some work reschedules itself endlessly. Holds the limit,
  /// and the virtual time at which the call stopped.
  case workLimit(Int, at: Duration)
  /// Work remains after the last allowed instant. Holds that instant, as a duration since the origin, and the number of
  /// remaining work items.
  case timeLimit(Duration, pending: Int)
  /// The instant to advance to is in the past. Holds the current time and that instant, as durations since the origin.
  case intoThePast(from: Duration, to: Duration)
  /// Time is already being advanced, by a call further up the stack or by another thread.
  case alreadyAdvancing

  /// A description of the error and its remedy.
  public var description: String {
    switch self {
    case .workLimit(let limit, let time):
      "virtual time stopped at \(time): \(limit) work items ran in one call. Something probably reschedules itself endlessly; "
        + "dispose it, or advance in smaller steps."
    case .timeLimit(let limit, let pending):
      "virtual time stopped at its limit of \(limit) with \(pending) work item(s) left. Dispose repeating work, or use "
        + "advance(by:) to run for a bounded time."
    case .intoThePast(let from, let to):
      "cannot advance virtual time from \(from) back to \(to). Time only goes forward."
    case .alreadyAdvancing:
      "virtual time is being advanced already. In an asynchronous test use `try await time.sleep(for:)`; elsewhere do not advance it inside "
        + "work that it runs, or from two threads at once."
    }
  }
}
