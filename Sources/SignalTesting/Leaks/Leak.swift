package import Signals

/// An object that outlived its scope.
package struct Leak: Hashable, Sendable {
  /// The kinds of leaks.
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
    /// An object that the test tracks was not deallocated.
    case objectStillAlive

    /// The name in a report.
    package var title: String {
      switch self {
      case .neverDisposed: "subscription never disposed"
      case .stillRetained: "disposed but still retained"
      case .upstreamStillSubscribed: "ended but upstream still subscribed"
      case .workStillPending: "timer or other scheduled work still pending"
      case .taskStillRunning: "task still running"
      case .stillReported: "step of a pipeline that has not ended"
      case .objectStillAlive: "object still alive"
      }
    }
  }

  package var kind: Kind
  /// The location where the subscription, or the work, was created; nil if unknown.
  package var site: Site?
  /// The chain from the leaked object up to the source, each node with its kind, name, file and line.
  package var chain: String
  /// Further facts, a line each.
  package var details: [String]
  /// The advice.
  package var advice: String
  /// The backtrace of its creation, if captured.
  var trace: CreationTrace?
  /// The number of equal leaks.
  package var count = 1

  /// The whole report.
  package var message: String {
    let times = count == 1 ? "" : " (\(count) times)"
    let lines = details + (trace?.lines ?? []) + [advice]
    return (["\(kind.title)\(times): \(chain)"] + lines.map { "  " + $0 }).joined(separator: "\n")
  }
}
