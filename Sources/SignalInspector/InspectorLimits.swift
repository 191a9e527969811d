import SignalAttach

/// What one inspector gives away at most.
///
/// The bytes that wait to be sent need no number here: an answer is written in pieces, the next of which is made when
/// the one before is sent, and no piece reaches 1 MiB (see `SnapshotPieces`).
struct InspectorLimits: Sendable {
  /// What every server bounds.
  var client = ClientLimits()
  /// How many updates of a stream in a row a client may miss before it is dropped.
  var missedUpdates: UInt64 = 50
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
