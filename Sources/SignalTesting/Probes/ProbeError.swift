/// The failure of a step of a ``SignalProbe``. The test has already failed, at the line of the step; the error ends it.
public struct ProbeError: Error, Hashable, CustomStringConvertible {
  /// The expectation, and the actual event.
  public let description: String
}
