import SignalGraph

extension Demand {
  /// Describes which side waits, and for how long.
  ///
  /// - Parameter now: When the snapshot was taken, in seconds since 1970.
  func words(at now: Double) -> String {
    // The timestamps are coarse.
    let time = now - since >= 0.02 ? " for \(Seconds(now - since).words)" : ""
    return isAsked
      ? "whoever takes its values waits\(time) for the next one, and it for what is above it"
      : "whoever takes its values has been busy\(time) with the last one, and has not asked for the next"
  }
}
