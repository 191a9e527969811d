extension Junction {
  /// Whether the operator's tasks are to be started with ``startNoted(on:isDetached:_:)``.
  @inlinable
  final var recordsTasks: Bool { node.isRecorded }

  /// Starts a task of the operator that a leak check can report.
  @usableFromInline
  final func startNoted(
    on executor: (any TaskExecutor)?, isDetached: Bool, _ operation: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    guard let recording = TaskRecording(of: node, on: executor) else {
      return isDetached
        ? Task.detached(executorPreference: executor, operation: operation)
        : Task(executorPreference: executor, operation: operation)
    }
    let recorder = node.reference?.recorder
    return recording.starting {
      isDetached
        ? Task.detached(executorPreference: executor) { await recording.run(in: recorder, operation) }
        : Task(executorPreference: executor) { await recording.run(operation) }
    }
  }
}
