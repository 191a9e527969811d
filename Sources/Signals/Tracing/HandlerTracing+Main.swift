extension GraphRecorder {
  /// Starts or stops profiling of handlers for a client. The first start discards earlier results.
  package func traceHandlers(_ isOn: Bool, for client: ObjectIdentifier? = nil) {
    traceHandlers(isOn, for: client) { MainScheduler.isHere }
  }
}
