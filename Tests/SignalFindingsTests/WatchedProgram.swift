import SignalFindings
import SignalGraph
import Signals

/// Real signals, recorded, and looked at before and after something happens.
struct WatchedProgram {
  let recorder = GraphRecorder()

  /// Makes signals and subscriptions that are recorded.
  func make<Result>(_ body: () throws -> Result) rethrows -> Result { try recorder.record(body) }

  /// What is found when something happens meanwhile.
  ///
  /// - Parameters:
  ///   - seconds: How long the program is said to have been watched.
  ///   - body: Sends values, or lets time pass.
  func findings(for seconds: Double = 10, while body: () throws -> Void) rethrows -> [Finding] {
    let before = recorder.snapshot()
    try recorder.record(body)
    var after = recorder.snapshot()
    after.takenAt = before.takenAt + seconds
    return Rules.findings(in: Observation(after, since: before))
  }
}
