package import Signals

/// Something that a check found to outlive its scope.
package struct Leak: Hashable, Sendable {
  /// The four sorts of leaks.
  package enum Kind: Int, CaseIterable, Sendable {
    /// Nobody disposed the subscription, and its signal has not ended.
    case neverDisposed
    /// The subscription is over, but something holds closures of its chain.
    case stillRetained
    /// An operator delivered its end, but what is above it is still connected.
    case upstreamStillSubscribed
    /// A scheduler still holds work.
    case workStillPending

    /// What a report calls it.
    package var title: String {
      switch self {
      case .neverDisposed: "subscription never disposed"
      case .stillRetained: "disposed but still retained"
      case .upstreamStillSubscribed: "ended but upstream still subscribed"
      case .workStillPending: "timer or other scheduled work still pending"
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
  /// How often the same was found.
  package var count = 1

  /// The whole report.
  package var message: String {
    let times = count == 1 ? "" : " (\(count) times)"
    return (["\(kind.title)\(times): \(chain)"] + (details + [advice]).map { "  " + $0 }).joined(separator: "\n")
  }
}
