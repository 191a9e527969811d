extension GraphRecorder {
  /// Traces what handlers do, from now on or not any more. What was traced is forgotten when it begins anew.
  package func traceHandlers(_ isOn: Bool) {
    traceHandlers(isOn) { MainScheduler.isHere }
  }
}
