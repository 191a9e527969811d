/// Why a step of a ``SignalProbe`` failed. The test has failed already, at the line of the step; the error ends it.
public struct ProbeError: Error, Hashable, CustomStringConvertible {
  /// What was expected, and what came.
  public let description: String
}
