extension VirtualTimeScheduler {
  /// The smallest difference between two moments: a nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until the virtual time has come.
  ///
  /// - Parameters:
  ///   - deadline: The moment to wait for. If it is in the past, the task goes on when time is advanced next.
  ///   - tolerance: Ignored: virtual time is exact.
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  public func sleep(until deadline: SchedulerInstant, tolerance: Duration?) async throws {
    // Where a loop ignores the cancellation, it may not keep this thread forever.
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

  /// Suspends the task until a work item of its own has run at the same moment.
  package func yield() async {
    await withUnsafeContinuation { continuation in
      _ = add({ continuation.resume() }, at: now, phase: .work)
    }
  }
}
