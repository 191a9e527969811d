import SignalGraph

/// How long values wait, for the messages of rules and explanations.
enum WaitWords {
  /// From how many seconds on it is told.
  static var least: Double { 0.05 }

  /// How long the slowest of the values waited at a node; nil where that is short, not known, or measured in a test, whose time is not that of the clock.
  static func longest(at node: Node, in observation: Observation) -> String? {
    guard case .real = observation.time, node.state == .live, let waits = node.waits, waits.longest >= least else {
      return nil
    }
    return TimeText.about(waits.longest)
  }

  /// How long the slowest of all values waited for the main thread.
  static func longestForMain(in observation: Observation) -> String? {
    observation.now.snapshot.nodes.filter { $0.scheduler == "main" }
      .max { ($0.waits?.longest ?? 0) < ($1.waits?.longest ?? 0) }
      .flatMap { longest(at: $0, in: observation) }
  }
}
