extension Signal {
  /// Runs an asynchronous closure for each subscription, delivers its result, and finishes.
  ///
  /// ![async, as a marble diagram](async-executor)
  ///
  /// ```text
  ///          Signal.async(executor: scheduler) { try await load() }
  /// result   ---(a|)
  /// ```
  ///
  /// ```swift
  /// func loadName() async throws -> String { "Ann" }
  /// let bag = DisposeBag()
  /// Signal.async { try await loadName() }
  ///   .subscribe(onValue: { print("Hello, \($0)") }, onFailure: { print($0) })
  ///   .store(in: bag)
  /// ```
  ///
  /// The closure runs in its own task, which is cancelled when the subscription ends. Nothing runs without a
  /// subscriber.
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** together with the value.
  /// - **Order and threads:** everything is delivered in the task, never inside subscribe. Add
  ///   ``receive(on:overflow:fileID:line:function:)`` below it to choose the scheduler.
  /// - **Allocations:** a task for each subscription.
  /// - Parameters:
  ///   - executor: The executor of the task while it is on no actor; a ``VirtualTimeScheduler`` in tests. `nil` is the
  ///     global one.
  ///   - operation: Computes the value of one subscription.
  ///
  /// See also ``asyncSequence(_:executor:fileID:line:function:)`` and
  /// ``mapAsync(maxConcurrent:keepsOrder:overflow:executor:fileID:line:function:_:)``.
  public static func async(
    executor: (any TaskExecutor)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ operation: @escaping @Sendable () async throws -> Value
  ) -> Signal<Value> {
    Signal(named: "async", behavior: [.startsWork, .runsTasks], fileID: fileID, line: line, function: function) {
      producer in
      producer.runTask(on: executor) {
        producer.send(try await operation())
      }
    }
  }
}

extension Producer {
  /// Runs an operation in a task that is cancelled with the subscription; then the signal finishes, or fails with the
  /// error that the operation throws.
  package func runTask(on executor: (any TaskExecutor)?, _ operation: @escaping @Sendable () async throws -> Void) {
    let task =
      junction.recordsTasks
      ? junction.startNoted(on: executor, isDetached: false) { await deliver(operation) }
      : Task(executorPreference: executor) { await deliver(operation) }
    onDisposal { task.cancel() }
  }

  private func deliver(_ operation: @Sendable () async throws -> Void) async {
    do {
      try await operation()
      finish()
    } catch {
      fail(error)
    }
  }
}
