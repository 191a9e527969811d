import SignalGraph

extension Demand {
  /// Describes which side waits, and for how long.
  ///
  /// - Parameter now: When the snapshot was taken, in seconds since 1970.
  func words(at now: Double) -> String {
    // The timestamps are coarse.
    let time = now - since >= 0.02 ? " for \(Seconds(now - since).words)" : ""
    return isAsked
      ? "its consumer waits\(time) for the next one, and it waits for its upstream"
      : "its consumer has been busy\(time) with the last one, and has not requested the next"
  }
}
