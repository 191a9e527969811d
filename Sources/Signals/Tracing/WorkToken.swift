/// An entry in the graph's list of work that schedulers have not done yet.
struct WorkToken: Sendable {
  /// How far the work is.
  typealias Stage = PendingWork.Stage

  private let token: PendingWorkToken

  /// Notes work that is being scheduled here and now, when the graph is on.
  ///
  /// - Parameter recorder: The scheduler's.
  init?(_ stage: Stage, _ recorder: Recorder) {
    guard let token = PendingWorkToken(stage, schedulerRecorder: recorder.recorder) else { return nil }
    self.token = token
  }

  /// Notes that the work is being done, and does it.
  func run(_ work: () -> Void) { token.run(work) }

  /// Notes that the work was done or cancelled, and released.
  func end() { token.end() }
}

extension Recorder {
  /// Lets work that `body` schedules show as made at a place, when no operator asks for it.
  static func attributingWork<Result>(to site: Site, _ body: () -> Result) -> Result {
    guard isAnyOn else { return body() }
    var result: Result?
    WorkAuthor.at(site) { result = body() }
    // Safe: the body has run.
    return result.unsafelyUnwrapped
  }

  /// Where the work is asked for that is scheduled here and now, when that is known.
  static var authorSite: Site? { WorkAuthor.currentSite }

  /// Runs work that a scheduler does before it returns; what that work schedules has an author of its own.
  static func withoutAuthor(_ work: () -> Void) {
    if isAnyOn { WorkAuthor.leave(work) } else { work() }
  }
}
