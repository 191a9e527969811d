/// The recorder of signals and of scheduled work; none while the graph is off.
@usableFromInline
struct Recorder: Sendable {
  @usableFromInline let recorder: GraphRecorder?

  @inlinable
  init(_ recorder: GraphRecorder?) {
    self.recorder = recorder
  }

  /// No recorder.
  @inlinable
  static var nobody: Recorder { Recorder(nil) }

  /// Whether anything is recorded anywhere in this process.
  @inlinable
  static var isAnyOn: Bool { Introspection.isOn }

  /// Whether something that ends now may have been recorded at its creation.
  static var mayHaveRecorded: Bool { Introspection.mayHaveRecorded }

  /// The recorder for a source that is created here and now, such as an emitter; for global variables, no scope's
  /// recorder.
  @inlinable
  static var current: Recorder { Recorder(Introspection.isOn ? GraphRecorder.ofWhatIsMade : nil) }

  /// Another one, if this is none.
  @inlinable
  func or(_ other: Recorder) -> Recorder { recorder == nil ? other : self }

  /// The recorder for a signal that is created from several: the first of theirs.
  @inlinable
  static func first<Value>(of signals: [Signal<Value>]) -> Recorder {
    for signal in signals where signal.recorder.recorder != nil { return signal.recorder }
    return .nobody
  }

  /// The handler of unhandled failures, if it depends on the recorder.
  var failureHandler: UnhandledFailure.Handler? {
    guard let handler = recorder?.failureHandler else { return nil }
    return { failure in handler(failure.error, failure.site) }
  }

  /// Notes a failure that reached a subscriber without a closure for failures.
  func noteUnhandled(_ error: any Error, at site: SubscriptionSite) {
    recorder?.noteUnhandled(error, at: Site(site))
  }

  /// Returns a closure that notes the progress of a virtual time, if it is needed.
  func timeNote(of scheduler: VirtualTimeScheduler) -> (() -> Void)? {
    guard Self.isAnyOn, let note = (GraphRecorder.ofTask ?? recorder)?.timeNote else { return nil }
    return { note(scheduler.number, scheduler.now.sinceOrigin) }
  }

  /// Wraps work that another thread will do, so that it is attributed to its cause, while causes are recorded.
  static func carrying(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    CauseTracing.carrying(work)
  }

  /// Sets a closure that runs before the recorded graph is read, to end entries that should not be shown.
  static func beforeReading(_ prepare: @escaping @Sendable () -> Void) {
    GraphRecorder.beforeReading(prepare)
  }
}

extension GraphRecorder {
  /// Creates a recorder that retains a number of ended nodes.
  ///
  /// - Parameters:
  ///   - handler: Handles unhandled failures of subscriptions to signals that are created while this records.
  ///   - findsSubscriptions: Whether ``SignalRecording/ChainNode/subscription`` is known, and tasks are noted.
  ///   - captureCreation: Captures a backtrace where a subscription is created, or work is requested.
  package convenience init(
    endedLimit: Int, unhandledFailures handler: UnhandledFailure.Handler?, findsSubscriptions: Bool = false,
    captureCreation: Capture? = nil
  ) {
    var failureHandler: FailureHandler?
    if let handler { failureHandler = { error, site in handler(UnhandledFailure(error, at: site)) } }
    self.init(
      endedLimit: endedLimit, failureHandler: failureHandler, findsSubscriptions: findsSubscriptions,
      captureCreation: captureCreation)
  }
}
