extension GraphRecorder {
  /// Starts or stops profiling of handlers. Starting discards earlier results.
  package func traceHandlers(_ isOn: Bool) {
    traceHandlers(isOn) { MainScheduler.isHere }
  }
}
