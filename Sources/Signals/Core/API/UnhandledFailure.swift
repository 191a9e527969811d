import Synchronization

/// A failure that ended a subscription without a failure closure.
///
/// `subscribe { }`, `subscribe(with:)` and `subscribe(onValue:onFinish:)` take no failures. A failure that reaches
/// them, thrown by an operator's closure or sent by the source, goes to a handler:
/// - the one of the innermost ``withHandler(_:isolation:operation:)`` around the creation of the subscription, else
/// - ``handler``, else
/// - a line on standard error with the error and the location of the subscription, once for each location.
///
/// Failures after a subscription was disposed are ignored. Each subscriber of a shared signal is handled separately.
///
/// ```swift
/// UnhandledFailure.handler = { failure in
///   print("\(failure.site.fileID):\(failure.site.line) failed: \(failure.error)")
/// }
/// ```
public struct UnhandledFailure: Sendable {
  /// Called with a failure, on the thread where it occurred. No lock is held.
  public typealias Handler = @Sendable (UnhandledFailure) -> Void

  /// The error.
  public let error: any Error
  /// The location of the subscription.
  public let site: Site

  init(_ error: any Error, at site: Site) {
    self.error = error
    self.site = site
  }

  // MARK: Handlers

  // A structure of its own: each access to a closure that is itself the value of a mutex would wrap it in another
  // thunk.
  private struct Handlers {
    var ofProcess: Handler?
    /// Returns the handler of the test whose virtual time the current task is in, even if the task was started without
    /// inheriting task-local values.
    var ofTests: (@Sendable () -> Handler?)?
  }

  private static let handlers = Mutex(Handlers())
  @TaskLocal private static var taskHandler: Handler?
  /// Whether a handler was ever set for a task: before that, the lookup is skipped.
  private static let isTaskHandlerUsed = Atomic<Bool>(false)

  /// Called with the unhandled failures of this process. Nil, the initial value, writes the line on standard error.
  ///
  /// It is read for each failure, and may be set on any thread.
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

  /// Runs an operation whose subscriptions report unhandled failures to the handler, at any later time and on any
  /// thread.
  ///
  /// Subscriptions created in child tasks and in a `Task { }` of the operation are included; those created on other
  /// threads are not.
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
  ///   - handler: Called with each failure, on the thread where it occurred. No lock is held.
  ///   - operation: Creates subscriptions.
  /// - Returns: The result of the operation.
  /// - Throws: Rethrows the errors of the operation.
  public static func withHandler<Result>(
    _ handler: @escaping Handler, operation: () throws -> Result
  ) rethrows -> Result {
    isTaskHandlerUsed.store(true, ordering: .relaxed)
    return try $taskHandler.withValue(handler, operation: operation)
  }

  /// Runs an asynchronous operation; see the synchronous overload, ``withHandler(_:operation:)``.
  ///
  /// - Parameters:
  ///   - handler: Called with each failure, on the thread where it occurred. No lock is held.
  ///   - isolation: The isolation in which the operation runs: by default the caller's.
  ///   - operation: Creates subscriptions.
  /// - Returns: The result of the operation.
  /// - Throws: Rethrows the errors of the operation.
  public static func withHandler<Result>(
    _ handler: @escaping Handler, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
  ) async rethrows -> Result {
    isTaskHandlerUsed.store(true, ordering: .relaxed)
    return try await $taskHandler.withValue(handler, operation: operation)
  }

  private static var handlerOfTest: Handler? { handlers.withLock { $0.ofTests }?() }

  /// Lets virtual time decide which test handles the failures of the current task.
  package static func askingTests(_ handler: @escaping @Sendable () -> Handler?) {
    handlers.withLock { $0.ofTests = handler }
    isTaskHandlerUsed.store(true, ordering: .relaxed)
  }

  // MARK: Subscriptions

  /// The end handler of a subscription that is created here and has no failure closure.
  ///
  /// - Parameter recorder: The recorder of the signal. Its handler applies on threads without one for their task.
  @inlinable
  static func endHandler(at site: SubscriptionSite, _ recorder: Recorder) -> @Sendable (Completion) -> Void {
    if isAnyTaskHandlerSet, let handler = taskEndHandler(at: site, recorder) { return handler }
    // Qualified: otherwise the closure would capture the type too, and need memory.
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

  /// The sites that were printed on standard error. Their number is bounded by the source code.
  private static let namedSites = Mutex<Set<Site>>([])

  /// Passes the failure to the handler of the process, or else to that of the test in which it occurs.
  ///
  /// - Parameter asksTests: Whether the test may handle it.
  package func reportToProcess(asksTests: Bool = true) {
    if let handler = Self.handler ?? (asksTests ? Self.handlerOfTest : nil) { return handler(self) }
    guard isFirstAtItsSite() else { return }
    StandardError.append(line + "\n")
  }

  /// Whether this is the first call for this site.
  func isFirstAtItsSite() -> Bool { Self.namedSites.withLock { $0.insert(site).inserted } }

  /// The failure as one line.
  var line: String {
    "\(self) (shown once for this line; add onFailure: to the subscription, or set UnhandledFailure.handler)"
  }
}

extension UnhandledFailure: CustomStringConvertible {
  /// The location of the subscription and the error, on one line.
  public var description: String {
    let error = String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ")
    return "\(site.fileID):\(site.line): unhandled failure of this subscription: \(error)"
  }
}
