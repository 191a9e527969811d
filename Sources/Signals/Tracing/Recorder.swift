/// Who records what is made of a signal or asked of a scheduler: nobody, while the graph is off.
@usableFromInline
struct Recorder: Sendable {
  @usableFromInline let recorder: GraphRecorder?

  @inlinable
  init(_ recorder: GraphRecorder?) {
    self.recorder = recorder
  }

  /// Nobody.
  @inlinable
  static var nobody: Recorder { Recorder(nil) }

  /// Whether anything is recorded anywhere in this process.
  @inlinable
  static var isAnyOn: Bool { Introspection.isOn }

  /// Whether anything that ends now may have been recorded when it was made.
  static var mayHaveRecorded: Bool { Introspection.mayHaveRecorded }

  /// Who records what is made here and now out of nothing, such as an emitter; of what a global variable holds, no scope does.
  @inlinable
  static var current: Recorder { Recorder(Introspection.isOn ? GraphRecorder.ofWhatIsMade : nil) }

  /// Another one, if this is nobody.
  @inlinable
  func or(_ other: Recorder) -> Recorder { recorder == nil ? other : self }

  /// Who records what is made of several signals: the first of theirs.
  @inlinable
  static func first<Value>(of signals: [Signal<Value>]) -> Recorder {
    for signal in signals where signal.recorder.recorder != nil { return signal.recorder }
    return .nobody
  }

  /// What is done with failures that nobody handles, when that depends on who records.
  var failureHandler: UnhandledFailure.Handler? {
    guard let handler = recorder?.failureHandler else { return nil }
    return { failure in handler(failure.error, failure.site) }
  }

  /// Notes a failure that reached a subscriber without a closure for failures.
  func noteUnhandled(_ error: any Error, at site: SubscriptionSite) {
    recorder?.noteUnhandled(error, at: Site(site))
  }

  /// What notes where a virtual time is, when somebody wants to know that.
  func timeNote(of scheduler: VirtualTimeScheduler) -> (() -> Void)? {
    guard Self.isAnyOn, let note = (GraphRecorder.ofTask ?? recorder)?.timeNote else { return nil }
    return { note(ObjectIdentifier(scheduler), scheduler.now.sinceOrigin) }
  }

  /// Work that is left behind for somebody else, who is to know what caused it, while that is traced.
  static func carrying(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    CauseTracing.carrying(work)
  }

  /// Lets a closure end what should not show before anything is read of what was recorded.
  static func beforeReading(_ prepare: @escaping @Sendable () -> Void) {
    GraphRecorder.beforeReading(prepare)
  }
}

extension GraphRecorder {
  /// Makes a recorder that keeps so many ended nodes.
  ///
  /// - Parameters:
  ///   - handler: What is done with failures that nobody handles, of subscriptions to signals that are made while this records.
  ///   - findsSubscriptions: Whether ``SignalRecording/ChainNode/subscription`` is known, and tasks are noted.
  ///   - captureCreation: Captures how the program came to where a subscription is made, or work asked for.
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
