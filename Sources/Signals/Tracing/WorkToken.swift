/// An entry in the graph's list of pending work of schedulers.
struct WorkToken: Sendable {
  /// The progress of the work.
  typealias Stage = PendingWork.Stage

  private let token: PendingWorkToken

  /// Notes work that is being scheduled here and now, if the graph is on.
  ///
  /// - Parameter recorder: The scheduler's recorder.
  init?(_ stage: Stage, _ recorder: Recorder) {
    guard let token = PendingWorkToken(stage, schedulerRecorder: recorder.recorder) else { return nil }
    self.token = token
  }

  /// Notes that the work is running, and runs it.
  func run(_ work: () -> Void) { token.run(work) }

  /// Notes that the work was done or cancelled, and released.
  func end() { token.end() }
}

extension Recorder {
  /// Attributes work that `body` schedules to a location, unless an operator requests it.
  static func attributingWork<Result>(to site: Site, _ body: () -> Result) -> Result {
    guard isAnyOn else { return body() }
    var result: Result?
    WorkAuthor.at(site) { result = body() }
    // Safe: the body has run.
    return result.unsafelyUnwrapped
  }

  /// The location that requests the work being scheduled here and now, if known.
  static var authorSite: Site? { WorkAuthor.currentSite }

  /// Runs work that a scheduler runs before it returns; work that it schedules has its own author.
  static func withoutAuthor(_ work: () -> Void) {
    if isAnyOn { WorkAuthor.leave(work) } else { work() }
  }
}
