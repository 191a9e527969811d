package import Signals

/// Something that a check found to outlive its scope.
package struct Leak: Hashable, Sendable {
  /// The sorts of leaks.
  package enum Kind: Int, CaseIterable, Sendable {
    /// The subscription was not disposed, and its signal has not ended.
    case neverDisposed
    /// The subscription has ended, but closures of its chain are still retained.
    case stillRetained
    /// An operator delivered its end, but its upstream is still connected.
    case upstreamStillSubscribed
    /// A scheduler still holds work.
    case workStillPending
    /// A task has not finished.
    case taskStillRunning
    /// A step of another pipeline has not ended.
    case stillReported

    /// What a report calls it.
    package var title: String {
      switch self {
      case .neverDisposed: "subscription never disposed"
      case .stillRetained: "disposed but still retained"
      case .upstreamStillSubscribed: "ended but upstream still subscribed"
      case .workStillPending: "timer or other scheduled work still pending"
      case .taskStillRunning: "task still running"
      case .stillReported: "step of a pipeline that has not ended"
      }
    }
  }

  package var kind: Kind
  /// Where the subscription, or the work, was made; nil when that is not known.
  package var site: Site?
  /// From what leaked up to the source, each with its kind, name, file and line.
  package var chain: String
  /// What else is known, a line each.
  package var details: [String]
  /// What to do about it.
  package var advice: String
  /// How the program came to make it, where that was captured.
  var trace: CreationTrace?
  /// How often the same was found.
  package var count = 1

  /// The whole report.
  package var message: String {
    let times = count == 1 ? "" : " (\(count) times)"
    let lines = details + (trace?.lines ?? []) + [advice]
    return (["\(kind.title)\(times): \(chain)"] + lines.map { "  " + $0 }).joined(separator: "\n")
  }
}
