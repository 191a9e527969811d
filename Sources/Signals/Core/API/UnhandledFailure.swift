import Synchronization

/// A failure that ended a subscription which has no closure for failures.
///
/// `subscribe { }`, `subscribe(with:)` and `subscribe(onValue:onFinish:)` take no failures. One that reaches them, thrown by an operator's closure or
/// sent by the source, goes to a handler:
/// - the one of the innermost ``withHandler(_:isolation:operation:)`` around the place where the subscription was made, else
/// - ``handler``, else
/// - a line on standard error that names the error and the place of the subscription, once for each place.
///
/// Failures that come after a subscription was disposed are ignored. Each subscriber of a shared signal is looked at separately.
///
/// ```swift
/// UnhandledFailure.handler = { failure in
///   print("\(failure.site.fileID):\(failure.site.line) failed: \(failure.error)")
/// }
/// ```
public struct UnhandledFailure: Sendable {
  /// What is called with a failure, on the thread where it happened. No lock is held.
  public typealias Handler = @Sendable (UnhandledFailure) -> Void

  /// The error.
  public let error: any Error
  /// Where the subscription is made.
  public let site: Site

  init(_ error: any Error, at site: Site) {
    self.error = error
    self.site = site
  }

  // MARK: Handlers

  // A structure of its own: each look at a closure that is itself what a mutex holds would put another thunk around it.
  private struct Handlers {
    var ofProcess: Handler?
    /// Tells the handler of the test whose virtual time the present task is in, also where that was started without what is local to other tasks.
    var ofTests: (@Sendable () -> Handler?)?
  }

  private static let handlers = Mutex(Handlers())
  @TaskLocal private static var taskHandler: Handler?
  /// Whether a handler was ever set for a task: before that, nobody need look for one.
  private static let isTaskHandlerUsed = Atomic<Bool>(false)

  /// What is called with the unhandled failures of this process. Nil, the initial value, writes the line on standard error.
  ///
  /// It is read whenever a failure comes, and may be set on any thread.
  public static var handler: Handler? {
    get { handlers.withLock { $0.ofProcess } }
    set {
      let old = handlers.withLock { stored in
        defer { stored.ofProcess = newValue }
        return stored.ofProcess
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Runs an operation. Unhandled failures of the subscriptions that are made in it go to the handler, whenever and on whichever thread they
  /// come.
  ///
  /// Subscriptions that are made in child tasks and in a `Task { }` of the operation are included; those made on other threads are not.
  ///
  /// ```swift
  /// struct Broken: Error {}
  /// let bag = DisposeBag()
  /// UnhandledFailure.withHandler { failure in
  ///   print("expected: \(failure.error)")
  /// } operation: {
  ///   Signal<Int>.fail(Broken()).subscribe { print($0) }.store(in: bag)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - handler: Called with each failure, on the thread where it happened. No lock is held.
  ///   - operation: Makes subscriptions.
  /// - Returns: What the operation returned.
  /// - Throws: What the operation throws.
  public static func withHandler<Result>(
    _ handler: @escaping Handler, operation: () throws -> Result
  ) rethrows -> Result {
    isTaskHandlerUsed.store(true, ordering: .relaxed)
    return try $taskHandler.withValue(handler, operation: operation)
  }

  /// Runs an asynchronous operation; see the synchronous form, ``withHandler(_:operation:)``.
  ///
  /// - Parameters:
  ///   - handler: Called with each failure, on the thread where it happened. No lock is held.
  ///   - isolation: Where the operation runs: by default where it is called.
  ///   - operation: Makes subscriptions.
  /// - Returns: What the operation returned.
  /// - Throws: What the operation throws.
  public static func withHandler<Result>(
    _ handler: @escaping Handler, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
  ) async rethrows -> Result {
    isTaskHandlerUsed.store(true, ordering: .relaxed)
    return try await $taskHandler.withValue(handler, operation: operation)
  }

  private static var handlerOfTest: Handler? { handlers.withLock { $0.ofTests }?() }

  /// Lets virtual time say which test takes the failures of the present task.
  package static func askingTests(_ handler: @escaping @Sendable () -> Handler?) {
    handlers.withLock { $0.ofTests = handler }
    isTaskHandlerUsed.store(true, ordering: .relaxed)
  }

  // MARK: Subscriptions

  /// What takes the end of a subscription that is made here and now, and that has no closure for failures.
  ///
  /// - Parameter recorder: That of the signal. Its handler counts on threads that have none for their task.
  @inlinable
  static func endHandler(at site: SubscriptionSite, _ recorder: Recorder) -> @Sendable (Completion) -> Void {
    if isAnyTaskHandlerSet, let handler = taskEndHandler(at: site, recorder) { return handler }
    // Named in full: otherwise the closure would capture the type too, and need memory.
    return { completion in UnhandledFailure.handle(completion, at: site) }
  }

  @usableFromInline
  static var isAnyTaskHandlerSet: Bool { isTaskHandlerUsed.load(ordering: .relaxed) }

  @usableFromInline
  static func taskEndHandler(
    at site: SubscriptionSite, _ recorder: Recorder
  ) -> (@Sendable (Completion) -> Void)? {
    guard let handler = taskHandler ?? handlerOfTest ?? recorder.failureHandler else { return nil }
    return { completion in
      guard case .failed(let error) = completion else { return }
      recorder.noteUnhandled(error, at: site)
      handler(UnhandledFailure(error, at: Site(site)))
    }
  }

  @usableFromInline
  static func handle(_ completion: Completion, at site: SubscriptionSite) {
    guard case .failed(let error) = completion else { return }
    Recorder.current.noteUnhandled(error, at: site)
    UnhandledFailure(error, at: Site(site)).reportToProcess()
  }

  // MARK: Reporting

  /// The sites that were named on standard error. Their number is a matter of the program's text.
  private static let namedSites = Mutex<Set<Site>>([])

  /// Hands the failure to the handler of the process, or else to that of the test in which it happens.
  ///
  /// - Parameter asksTests: Whether the test may take it.
  package func reportToProcess(asksTests: Bool = true) {
    if let handler = Self.handler ?? (asksTests ? Self.handlerOfTest : nil) { return handler(self) }
    guard isFirstAtItsSite() else { return }
    StandardError.append(line + "\n")
  }

  /// Whether this was not asked before for the same site.
  func isFirstAtItsSite() -> Bool { Self.namedSites.withLock { $0.insert(site).inserted } }

  /// The failure as one line.
  var line: String {
    "\(self) (shown once for this line; add onFailure: to the subscription, or set UnhandledFailure.handler)"
  }
}

extension UnhandledFailure: CustomStringConvertible {
  /// The place of the subscription and the error, on one line.
  public var description: String {
    let error = String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ")
    return "\(site.fileID):\(site.line): unhandled failure of this subscription: \(error)"
  }
}
