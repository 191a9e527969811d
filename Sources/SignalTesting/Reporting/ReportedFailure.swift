import Testing

/// The error with which a call ends a test whose failure it has already reported.
///
/// Swift Testing records each error that a test throws as another issue, except that of `#require`, which has recorded
/// its own. So a test of that framework gets such an error.
///
/// - Parameter error: The error for other frameworks.
func reportedFailure(_ error: any Error) -> any Error {
  guard Test.current != nil, FailureCapture.current == nil else { return error }
  var thrown = error
  // The issue of this requirement is suppressed.
  FailureCapture().hold {
    do { try #require(Bool(false)) } catch { thrown = error }
  }
  return thrown
}

extension Error {
  /// Whether a separate failure of the test has the reason.
  var isReported: Bool { self is ExpectationFailedError || self is VirtualTimeStopped || self is WaitFailed }
}
