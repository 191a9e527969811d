import Testing

/// The error with which a call ends a test whose failure it has reported.
///
/// Swift Testing records each error that a test throws as one more issue, but for that of `#require`, which has recorded its own. So a test of that
/// framework gets such an error.
///
/// - Parameter error: What is thrown elsewhere.
func reportedFailure(_ error: any Error) -> any Error {
  guard Test.current != nil, FailureCapture.current == nil else { return error }
  var thrown = error
  // The issue of this requirement is no news.
  FailureCapture().hold {
    do { try #require(Bool(false)) } catch { thrown = error }
  }
  return thrown
}
