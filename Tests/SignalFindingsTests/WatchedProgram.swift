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
    // New nodes are spread over that time: in fact they were created within milliseconds, and how many depends on the machine.
    let known = Set(before.nodes.map(\.id))
    let new = after.nodes.indices.filter { after.nodes[$0].since != nil && !known.contains(after.nodes[$0].id) }
    for (step, index) in new.enumerated() {
      after.nodes[index].since = before.takenAt + seconds * Double(step + 1) / Double(new.count + 1)
    }
    return Rules.findings(in: Observation(after, since: before))
  }
}
