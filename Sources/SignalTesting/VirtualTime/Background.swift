public import Signals

extension VirtualTimeScheduler {
  /// Allows the tasks that a closure starts, and their tasks, to be asleep at the end of the test.
  ///
  /// ```swift
  /// import SignalTesting
  /// import Signals
  /// import Testing
  ///
  /// actor Mailbox {
  ///   private(set) var pollCount = 0
  ///
  ///   func poll(on clock: any Clock<Duration>) {
  ///     Task {
  ///       while !Task.isCancelled {
  ///         pollCount += 1
  ///         try await clock.sleep(for: .seconds(10))
  ///       }
  ///     }
  ///   }
  /// }
  ///
  /// @Test func pollsEveryTenSeconds() throws {
  ///   try withVirtualTime { time in
  ///     let mailbox = Mailbox()
  ///     await time.background { await mailbox.poll(on: time) }
  ///     try await time.sleep(for: .seconds(25))
  ///     #expect(await mailbox.pollCount == 3)
  ///   }
  /// }
  /// ```
  ///
  /// For tasks without an end. Other tasks that are asleep at the end of a test fail it, because their remaining code
  /// never runs. Those in the background are cancelled as well, and have to finish then.
  ///
  /// - Parameter body: Starts the tasks.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure.
  @discardableResult
  public func background<Result>(_ body: () throws -> Result) rethrows -> Result {
    try VirtualWorld.$isBackground.withValue(true, operation: body)
  }

  /// Allows the tasks that an asynchronous closure starts, and their tasks, to be asleep at the end of the test.
  ///
  /// See the synchronous overload.
  ///
  /// - Parameters:
  ///   - isolation: The actor on which the closure runs.
  ///   - body: Starts the tasks.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure.
  @discardableResult
  public func background<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await VirtualWorld.$isBackground.withValue(true, operation: body)
  }
}

extension MarbleTest {
  /// Allows the tasks that a closure starts or declares to be unfinished at the end of the test.
  ///
  /// ```swift
  /// @Test func blinks() {
  ///   marbles { m in
  ///     let light = Emitter<Bool>()
  ///     m.background {
  ///       m.task { [scheduler = m.scheduler] in
  ///         while !Task.isCancelled {
  ///           try await scheduler.sleep(for: .milliseconds(2))
  ///           light.send(true)
  ///         }
  ///       }
  ///     }
  ///     m.expect(light.signal.map { _ in 1 }, "--1-1-", subscription: "^----!")
  ///   }
  /// }
  /// ```
  ///
  /// The test does not wait for tasks that sleep in the background. They are cancelled at its end, and have to finish then.
  ///
  /// - Parameter body: Starts tasks, or declares them with `task`.
  /// - Returns: The result of the closure.
  /// - Throws: Rethrows the errors of the closure.
  @discardableResult
  public func background<Result>(_ body: () throws -> Result) rethrows -> Result { try scheduler.background(body) }
}
