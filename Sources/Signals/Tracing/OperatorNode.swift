import SignalGraph

/// An operator's node in the graph, for what hangs on it: inputs, and work on a scheduler. There is none while the graph is off.
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

  /// Notes that an attempt of the operator has failed: nothing, while the graph is off.
  ///
  /// - Parameter delay: How long it waits before the next one, if that is known.
  @inlinable
  func noteFailedAttempt(_ error: any Error, waiting delay: Duration?) {
    if isRecorded { recordFailedAttempt(error, waiting: delay) }
  }

  @usableFromInline
  func recordFailedAttempt(_ error: any Error, waiting delay: Duration?) {
    reference?.noteFailedAttempt(error, waiting: delay)
  }

  /// Notes that the source was sent a value after its end: nothing, while the graph is off.
  @inlinable
  func noteSentAfterEnd() {
    if isRecorded { recordSentAfterEnd() }
  }

  @usableFromInline
  func recordSentAfterEnd() { reference?.noteSentAfterEnd() }

  /// Notes that the operator tries.
  @inlinable
  func noteAttempt() {
    if isRecorded { recordAttempt() }
  }

  @usableFromInline
  func recordAttempt() { reference?.noteAttempt() }

  /// Runs a closure in which the source asks another pipeline: a traced step of that shows as feeding the source.
  @usableFromInline
  func ask<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let reference else { return try body() }
    return try AskingStep(reference).ask(body)
  }

  /// The same, with a closure that waits.
  @usableFromInline
  func ask<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let reference else { return try await body() }
    return try await AskingStep(reference).ask(isolation: isolation, body)
  }

  /// Lets work that `body` schedules show as made by the operator.
  func asAuthor<Result>(_ body: () -> Result) -> Result {
    guard let reference else { return body() }
    var result: Result?
    WorkAuthor.by(reference) { result = body() }
    // Safe: the body has run.
    return result.unsafelyUnwrapped
  }

  /// The same, of work that waits for its time. What an operator asks for that is not recorded shows nowhere.
  func asAuthorOfTimer<Result>(_ body: () -> Result) -> Result {
    guard reference == nil, Recorder.isAnyOn else { return asAuthor(body) }
    var result: Result?
    WorkAuthor.byStranger { result = body() }
    // Safe: the body has run.
    return result.unsafelyUnwrapped
  }
}

extension InputRole {
  /// How the graph shows the connection.
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
