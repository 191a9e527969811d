import Dispatch

/// Runs a closure in real time, inside virtual time, which stands still meanwhile.
///
/// For code that really has to wait, such as for a process or a socket. Outside virtual time it merely calls the closure.
///
/// ```swift
/// import Foundation
///
/// @Test func readsTheConfiguration() throws {
///   try withVirtualTime(systemTime: .virtual) { _ in
///     let began = Date()
///     let text = withRealTime { (try? String(contentsOfFile: "/etc/hostname", encoding: .utf8)) ?? "" }
///     try await Task.sleep(for: .seconds(60))
///     #expect(Date().timeIntervalSince(began) == 60)
///     print(text)
///   }
/// }
/// ```
///
/// - Parameter body: Runs on this thread. The clocks of the system show real time in it, and what it starts is not in
///   virtual time.
/// - Returns: The result of the closure.
/// - Throws: Rethrows the errors of the closure.
public func withRealTime<Result>(_ body: () throws -> Result) rethrows -> Result {
  try VirtualWorld.outside(body)
}

/// Runs an asynchronous closure in real time, inside virtual time, which stands still meanwhile.
///
/// It returns once the closure has returned, and needs no `await` itself: this thread is blocked until then.
///
/// - Parameter body: Runs on another thread. It must not use the main actor if the test runs there, nor an actor that the
///   caller is isolated to.
/// - Returns: The result of the closure.
/// - Throws: Rethrows the errors of the closure.
public func withRealTime<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
  try VirtualWorld.outside { try RealTimeExecutor.shared.result(of: body) }
}

/// Runs tasks on threads of its own, because the threads of the system's executor may all be in virtual time.
private final class RealTimeExecutor: TaskExecutor {
  static let shared = RealTimeExecutor()

  private let queue = DispatchQueue(label: "signals.real-time", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Blocks the thread until a closure has returned.
  func result<Result: Sendable>(of body: @escaping @Sendable () async throws -> Result) throws -> Result {
    let outcome = Outcome<Result>()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached(executorPreference: self) {
      do { outcome.result = .success(try await body()) } catch { outcome.result = .failure(error) }
      isDone.signal()
    }
    isDone.wait()
    guard let result = outcome.result else { throw CancellationError() }
    return try result.get()
  }
}
