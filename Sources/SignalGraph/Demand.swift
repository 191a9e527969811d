/// Who waits at a step that gives values only when it is asked, such as a stage of an `AsyncSequence`.
public struct Demand: Codable, Hashable, Sendable {
  /// Whether somebody waits there for the next value. If not, whoever got the last one is busy, and has not asked for another.
  public var isAsked: Bool
  /// Since when, in seconds since 1 January 1970 UTC.
  public var since: Double

  /// Makes it from its parts.
  ///
  /// - Parameters:
  ///   - isAsked: Whether somebody waits there for the next value.
  ///   - since: Since when, in seconds since 1 January 1970 UTC.
  public init(isAsked: Bool, since: Double) {
    self.isAsked = isAsked
    self.since = since
  }
}
