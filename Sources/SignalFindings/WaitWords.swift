import SignalGraph

/// Describes how long values wait, in the messages of rules and explanations.
enum WaitWords {
  /// The shortest wait that is reported, in seconds.
  static var least: Double { 0.05 }

  /// The longest wait of a value at a node; nil if it is short or unknown, or was measured in a test, whose time is not
  /// real.
  static func longest(at node: Node, in observation: Observation) -> String? {
    guard case .real = observation.time, node.state == .live, let waits = node.waits, waits.longest >= least else {
      return nil
    }
    return TimeText.about(waits.longest)
  }

  /// The longest wait of a value for the main thread.
  static func longestForMain(in observation: Observation) -> String? {
    observation.now.snapshot.nodes.filter { $0.scheduler == "main" }
      .max { ($0.waits?.longest ?? 0) < ($1.waits?.longest ?? 0) }
      .flatMap { longest(at: $0, in: observation) }
  }
}
