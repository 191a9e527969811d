import SignalGraph

/// An operator's node in the graph, for its inputs and its work on a scheduler. There is none while the graph is off.
@usableFromInline
struct OperatorNode: Sendable {
  #if SIGNALS_WITHOUT_GRAPH
    @inlinable var reference: NodeReference? { nil }

    @inlinable
    init(newestOf recording: SubscriptionRecording) {}
  #else
    @usableFromInline let reference: NodeReference?

    /// The node that was added last to the chain of a subscription.
    @usableFromInline
    init(newestOf recording: SubscriptionRecording) {
      reference = recording.record?.top
    }
  #endif

  @inlinable
  var isRecorded: Bool { reference != nil }

  /// Notes that an attempt of the operator has failed; does nothing while the graph is off.
  ///
  /// - Parameter delay: The delay before the next attempt, if known.
  @inlinable
  func noteFailedAttempt(_ error: any Error, waiting delay: Duration?) {
    if isRecorded { recordFailedAttempt(error, waiting: delay) }
  }

  @usableFromInline
  func recordFailedAttempt(_ error: any Error, waiting delay: Duration?) {
    reference?.noteFailedAttempt(error, waiting: delay)
  }

  /// Notes that the source was sent a value after its end. Does nothing while the graph is off.
  @inlinable
  func noteSentAfterEnd() {
    if isRecorded { recordSentAfterEnd() }
  }

  @usableFromInline
  func recordSentAfterEnd() { reference?.noteSentAfterEnd() }

  /// Notes an attempt of the operator.
  @inlinable
  func noteAttempt() {
    if isRecorded { recordAttempt() }
  }

  @usableFromInline
  func recordAttempt() { reference?.noteAttempt() }

  /// Runs a closure in which the source queries another pipeline: a traced step of that is shown as an input of the
  /// source.
  @usableFromInline
  func ask<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let reference else { return try body() }
    return try AskingStep(reference).ask(body)
  }

  /// The asynchronous overload.
  @usableFromInline
  func ask<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let reference else { return try await body() }
    return try await AskingStep(reference).ask(isolation: isolation, body)
  }

  /// Attributes work that `body` schedules to the operator.
  func asAuthor<Result>(_ body: () -> Result) -> Result {
    guard let reference else { return body() }
    var result: Result?
    WorkAuthor.by(reference) { result = body() }
    // Safe: the body has run.
    return result.unsafelyUnwrapped
  }

  /// The same for timers. Requests of an unrecorded operator are not shown.
  func asAuthorOfTimer<Result>(_ body: () -> Result) -> Result {
    guard reference == nil, Recorder.isAnyOn else { return asAuthor(body) }
    var result: Result?
    WorkAuthor.byStranger { result = body() }
    // Safe: the body has run.
    return result.unsafelyUnwrapped
  }
}

extension InputRole {
  /// The kind of the connection in the graph.
  var edgeKind: Edge.Kind {
    switch self {
    case .values: .data
    case .trigger: .trigger
    case .sampled: .sampled
    case .inner: .inner
    case .hop: .hop
    }
  }
}
