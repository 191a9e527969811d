import SignalAttach

/// The resource limits of one inspector.
///
/// The bytes that wait to be sent need no number here: an answer is written in pieces, the next of which is made when
/// the one before is sent, and no piece reaches 1 MiB (see `JSONStream`).
struct InspectorLimits: Sendable {
  /// The limits of every server.
  var client = ClientLimits()
  /// The number of consecutive updates of a stream that a client may miss before it is dropped.
  var missedUpdates: UInt64 = 50
  /// The polling interval of a watched node.
  var watchInterval = Duration.milliseconds(100)
  /// The share of one CPU that all responses may use together; see ``ProcessorBudget``. With costs that cannot be
  /// measured, such as those of another thread on the same core, it stays below 3 %.
  var share = 0.01
  /// The CPU time that may be used in advance.
  var allowance = Duration.milliseconds(10)
  /// The maximum delay of a response, whatever was used in advance: clients do not wait for ever.
  var longestWait = Duration.seconds(5)
}
