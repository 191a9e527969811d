import Dispatch
import Signals

// The asynchronous steps, which wait for a sender.
extension SignalProbe {
  /// Waits for the next value.
  ///
  /// ```swift
  /// @Test func asksTheServer() async throws {
  ///   let answers = Signal<String>.async { "42" }
  ///   let probe = answers.probe()
  ///   #expect(try await probe.next() == "42")
  ///   try await probe.finish()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - timeout: The timeout: 10 seconds by default, or with a scheduler a day of virtual time.
  ///   - isolation: The caller's isolation.
  /// - Returns: The value.
  /// - Throws: ``ProbeError`` if none comes, or the end; `CancellationError` if the task is cancelled.
  public func next(
    timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> Value {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    return try value(await nextEvent(timeout, "a value", source), source)
  }

  /// Waits for the failure with which the signal ends.
  ///
  /// - Parameters:
  ///   - timeout: The timeout: 10 seconds by default, or with a scheduler a day of virtual time.
  ///   - isolation: The caller's isolation.
  /// - Returns: The error.
  /// - Throws: ``ProbeError`` if another event comes, or none; `CancellationError` if the task is cancelled.
  @discardableResult
  public func failure(
    timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> any Error {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    return try error(await nextEvent(timeout, "the failure", source), source)
  }

  /// Waits for the regular end of the signal.
  ///
  /// - Parameters:
  ///   - timeout: The timeout: 10 seconds by default, or with a scheduler a day of virtual time.
  ///   - isolation: The caller's isolation.
  /// - Throws: ``ProbeError`` if another event comes, or none; `CancellationError` if the task is cancelled.
  public func finish(
    timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    try checkFinished(await nextEvent(timeout, "the end", source), source)
  }

  /// Waits, and expects that no event arrives during that time and that none is unread.
  ///
  /// - Parameters:
  ///   - duration: The waiting time, at least a nanosecond: real time, or with a scheduler virtual time. None by
  ///     default; then a scheduler runs the work that is due now.
  ///   - isolation: The caller's isolation.
  /// - Throws: ``ProbeError`` if an event came; `CancellationError` if the task is cancelled.
  public func expectNoEvents(
    for duration: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    try checkIsSomeTime(duration, source)
    // Without a duration too, work that is due now runs.
    let time = duration ?? (scheduler == nil ? nil : Duration.zero)
    if let time, queue.isEmpty, try await wait(time, nil, source) == .cancelled { throw CancellationError() }
    try checkNothing(duration, source)
  }

  // MARK: Helpers

  private func nextEvent(
    _ timeout: Duration?, _ wanted: String, _ source: MarbleSource, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Event<Value> {
    let timeout = timeout ?? (scheduler == nil ? .seconds(10) : .seconds(86_400))
    if queue.isEmpty, try await wait(timeout, wanted, source) == .cancelled { throw CancellationError() }
    if let event = take() { return event }
    throw nothing(wanted, "the probe waited for \(ProbeText.spoken(timeout))", source)
  }

  /// Waits for an event. Advances virtual time itself unless another call is already advancing it.
  private func wait(
    _ timeout: Duration, _ wanted: String?, _ source: MarbleSource, isolation: isolated (any Actor)? = #isolation
  ) async throws -> ProbeWait.End {
    if let scheduler {
      let limit = scheduler.now.advanced(by: max(.zero, timeout))
      do {
        let patience = wanted == nil ? ProbePatience(scheduler, atMost: .max) : ProbePatience(scheduler)
        try scheduler.advance()
        while queue.isEmpty, let moment = scheduler.nextMoment, moment <= limit {
          if patience.isOver {
            guard let wanted else {
              throw failure("the probe did not wait for \(ProbeText.spoken(timeout)): \(patience.words)", source)
            }
            throw nothing(wanted, patience.words, source)
          }
          try scheduler.advance(to: max(moment, scheduler.now))
        }
        // Work that waited may have gone beyond it.
        if queue.isEmpty { try scheduler.advance(to: max(limit, scheduler.now)) }
        return queue.isEmpty ? .timeout : .event
      } catch VirtualTimeError.alreadyAdvancing {
        return await wait(timeout, timedBy: scheduler)
      } catch let error as ProbeError {
        throw error
      } catch {
        throw failure("\(error)", source)
      }
    }
    let inVirtualTime = VirtualWorld.ofCurrentTask?.scheduler
    return await wait(timeout, timedBy: inVirtualTime ?? DispatchQueueScheduler.qos(.default))
  }

  private func wait(
    _ timeout: Duration, timedBy scheduler: any Scheduler, isolation: isolated (any Actor)? = #isolation
  ) async -> ProbeWait.End {
    let wait = ProbeWait()
    let finish: @Sendable () -> Void = { wait.finish(.timeout) }
    // An event at the last instant counts.
    let alarm =
      (scheduler as? VirtualTimeScheduler)?.scheduleLast(after: timeout, finish)
      ?? scheduler.schedule(after: timeout, tolerance: nil, finish)
    let number = queue.wait { wait.finish(.event) }
    let end = await wait.value
    alarm.dispose()
    queue.stopWaiting(number)
    return end
  }
}
