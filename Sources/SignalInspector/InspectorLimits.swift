/// What one inspector gives away at most.
///
/// The bytes that wait to be sent need no number here: an answer is written in pieces, the next of which is made when
/// the one before is sent, and no piece reaches 1 MiB (see `SnapshotPieces`).
struct InspectorLimits: Sendable {
  /// Clients that are answered at the same time.
  var clients = 4
  /// Clients above that number that are being told so at the same time; any more are hung up on.
  var refusals = 8
  /// Bytes of a request's line and headers.
  var headBytes = 8 * 1_024
  /// Bytes of a request's body, which nothing needs.
  var bodyBytes = 4 * 1_024
  /// How long a client may take to send its whole request.
  var requestTime = Duration.seconds(5)
  /// How long a client may take to make room for one piece of an answer.
  var writeTime = Duration.seconds(10)
  /// How many updates of a stream in a row a client may miss before it is dropped.
  var missedUpdates: UInt64 = 50
  /// How long bytes are read off that a client still sends after it was refused, so that it gets to read why.
  var lingerTime = Duration.seconds(1)
  /// How often a watched node is looked at.
  var watchInterval = Duration.milliseconds(100)
  /// What part of one processor's time the answers may take together; see ``ProcessorBudget``. With what cannot be measured, such as what another
  /// thread on the same core loses meanwhile, it stays below 3 %.
  var share = 0.01
  /// How much of that may be owed.
  var allowance = Duration.milliseconds(10)
  /// How long an answer waits at most, whatever is owed: clients do not wait for ever.
  var longestWait = Duration.seconds(5)
}
