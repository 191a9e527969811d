import Dispatch
import Synchronization

/// Thrown if a signal finishes without the awaited value, or its source ends the subscription without an event; see
/// ``Signal/firstValue(isolation:fileID:line:function:)``.
public struct NoValueError: Error, Equatable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  /// A description of the error.
  public var description: String { "the signal ended without a value" }
}

extension Signal {
  /// Waits for the next value; a property delivers its current one at once.
  ///
  /// ```swift
  /// func greeting(of names: Signal<String>) async throws -> String {
  ///   "Hello, \(try await names.firstValue())!"
  /// }
  /// ```
  ///
  /// The subscription ends with the value, and when the task is cancelled.
  ///
  /// - Parameter isolation: The caller's isolation, which is preserved.
  /// - Returns: The value.
  /// - Throws: The failure of the signal, ``NoValueError`` if it finishes without a value or is ended by
  ///   ``Emitter/disposeAllSubscriptions()`` (for several inputs, see
  ///   ``values(buffering:fileID:line:function:)``), or `CancellationError`.
  ///
  /// See also ``firstValue(timeout:on:isolation:fileID:line:function:)`` and ``values(buffering:fileID:line:function:)``.
  public func firstValue(
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) async throws -> Value {
    try Task.checkCancellation()
    var iterator = prefix(1, fileID: fileID, line: line, function: function)
      .values(fileID: fileID, line: line, function: function).makeAsyncIterator()
    if let value = try await iterator.next(isolation: isolation) { return value }
    try Task.checkCancellation()
    throw NoValueError()
  }

  /// Waits for the next value, up to a time limit.
  ///
  /// ```swift
  /// func handshake(_ answers: Signal<String>) async {
  ///   do {
  ///     print(try await answers.firstValue(timeout: .seconds(5), on: .main))
  ///   } catch is TimeoutError {
  ///     print("no answer in time")
  ///   } catch is NoValueError {
  ///     print("hung up")
  ///   } catch {
  ///     print("failed: \(error)")
  ///   }
  /// }
  /// ```
  ///
  /// Under a ``VirtualTimeScheduler`` the wait takes no time: start the task with
  /// ``VirtualTimeScheduler/task(fileID:line:function:_:)``.
  ///
  /// - Parameters:
  ///   - interval: How long to wait. A negative time counts as zero.
  ///   - scheduler: Measures the time.
  ///   - isolation: The caller's isolation, which is preserved.
  /// - Returns: The value.
  /// - Throws: ``TimeoutError`` if nothing came in time, or an error of
  ///   ``firstValue(isolation:fileID:line:function:)``.
  public func firstValue(
    timeout interval: Duration, on scheduler: any Scheduler, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) async throws -> Value {
    try await prefix(1, fileID: fileID, line: line, function: function)
      .timeout(after: interval, on: scheduler, fileID: fileID, line: line, function: function)
      .firstValue(isolation: isolation, fileID: fileID, line: line, function: function)
  }

  /// Blocks the thread until the next value: for command-line tools and dedicated threads.
  ///
  /// ```swift
  /// let answer = try Signal.just(42).waitForFirstValue(timeout: .seconds(10))
  /// print(answer)
  /// ```
  ///
  /// The sender must run on another thread during the call. On the main thread this freezes an app. On the main queue,
  /// a value that needs the main queue, such as one of a timer on ``Scheduler/main``, never comes. Inside a task, use
  /// ``firstValue(isolation:fileID:line:function:)``, which blocks nothing.
  ///
  /// - Parameter timeout: The time limit, in real time; none if `nil`. A negative time counts as zero.
  /// - Returns: The value.
  /// - Throws: ``TimeoutError`` if nothing came in time, the failure of the signal, or ``NoValueError`` as
  ///   ``firstValue(isolation:fileID:line:function:)``.
  @available(*, noasync, message: "it blocks the thread: write `try await firstValue()`")
  public func waitForFirstValue(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) throws -> Value {
    let result = FirstResult<Value>()
    let site = SubscriptionSite(fileID, line, function)
    let subscription = Subscription(at: site)
    subscription.tag = WaitTag(of: subscription, isTask: false) { result.set(.failure(NoValueError())) }
    defer { subscription.dispose() }
    prefix(1, fileID: fileID, line: line, function: function).start(
      site,
      Observer(
        receive: { result.set(.success($0)) },
        end: { completion in result.set(.failure(completion.failure ?? NoValueError())) }),
      subscription)
    return try result.wait(timeout).get()
  }
}

/// The first of several results, for a waiting thread.
private final class FirstResult<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func set(_ new: Result<Value, any Error>) {
    let isFirst = result.withLock { result in
      guard result == nil else { return false }
      result = new
      return true
    }
    if isFirst { isThere.signal() }
  }

  func wait(_ timeout: Duration?) -> Result<Value, any Error> {
    if let timeout {
      let nanoseconds = max(0, timeout.clampedNanoseconds)
      _ = isThere.wait(timeout: .now() + .nanoseconds(Int(clamping: nanoseconds)))
    } else {
      isThere.wait()
    }
    return result.withLock { $0 } ?? .failure(TimeoutError(interval: timeout ?? .zero))
  }
}
