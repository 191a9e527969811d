/// A source that a binding writes into, as a node of the graph.
protocol BoundSource: AnyObject {
  /// The node in the graph, created if there is none yet and recording is on.
  func makeGraphNode() -> SourceNode?
}

extension EmitterCore: BoundSource {
  func makeGraphNode() -> SourceNode? {
    // Subscribers from before the recording would be missing below it.
    if recording.graphNode == nil {
      guard subscriberCount == 0 else { return nil }
      noteConnection()
    }
    return recording.graphNode
  }
}
