extension VirtualTimeScheduler {
  /// The smallest difference between two instants: a nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until a virtual instant.
  ///
  /// - Parameters:
  ///   - deadline: The instant to wait for. If it is in the past, the task continues when time is advanced next.
  ///   - tolerance: Ignored: virtual time is exact.
  /// - Throws: `CancellationError` if the task is cancelled during the wait.
  public func sleep(until deadline: SchedulerInstant, tolerance: Duration?) async throws {
    // A loop that ignores the cancellation must not block this thread for ever.
    if Task.isCancelled, watch?.mustYieldBeforeCancelledSleep() ?? false { await yield() }
    let sleeper = Sleeper()
    watch?.noteSleep(until: deadline)
    defer { watch?.noteWaking() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard sleeper.begin(continuation) else { return }
        sleeper.keep(add({ sleeper.finish(.success(())) }, at: deadline, phase: .work))
      }
    } onCancel: {
      sleeper.finish(.failure(CancellationError()))
    }
  }

  /// Suspends the task until its own work item has run at the same instant.
  package func yield() async {
    await withUnsafeContinuation { continuation in
      _ = add({ continuation.resume() }, at: now, phase: .work)
    }
  }
}
