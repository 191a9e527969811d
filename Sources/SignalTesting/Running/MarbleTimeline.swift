public import Signals

/// The virtual time of a ``MarbleTest``, for its tasks.
///
/// A marble test itself belongs to the isolation of its declaration; a task may run anywhere, so it gets this, which is
/// `Sendable`.
public struct MarbleTimeline: Sendable {
  /// The test's scheduler, to pass to operators and as a `Clock`.
  public let scheduler: VirtualTimeScheduler

  /// The virtual time since the start of the test.
  public var now: Duration { scheduler.now.sinceOrigin }

  /// Suspends the task for a virtual duration.
  ///
  /// - Parameter duration: The duration; a negative one counts as zero.
  /// - Throws: `CancellationError` if the task is cancelled during the wait.
  public func sleep(for duration: Duration) async throws { try await scheduler.sleep(for: duration) }

  /// Suspends the task until an instant of the test.
  ///
  /// - Parameter time: The time since the start of the test. If it is past, the task continues at once.
  /// - Throws: `CancellationError` if the task is cancelled during the wait.
  public func sleep(until time: Duration) async throws {
    try await scheduler.sleep(until: SchedulerInstant(sinceOrigin: time), tolerance: nil)
  }
}

extension MarbleTest {
  /// Starts a task under virtual time when the test runs, and passes the time to it.
  ///
  /// ```swift
  /// @Test func sendsTwice() {
  ///   marbles { m in
  ///     let emitter = Emitter<String>()
  ///     m.expect(emitter.signal, "---a--b")
  ///     m.task { m in
  ///       try await m.sleep(for: .milliseconds(3))
  ///       emitter.send("a")
  ///       try await m.sleep(until: .milliseconds(6))
  ///       emitter.send("b")
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The test fails at this line if the task throws, or has not finished when no work is left.
  ///
  /// - Parameter operation: The task's operation.
  public func task(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ operation: @escaping @Sendable (_ m: MarbleTimeline) async throws -> Void
  ) {
    let timeline = MarbleTimeline(scheduler: scheduler)
    task(fileID: fileID, filePath: filePath, line: line, column: column) { try await operation(timeline) }
  }
}
