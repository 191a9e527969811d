/// A source that a binding writes into, as the graph knows it.
protocol BoundSource: AnyObject {
  /// The node in the graph, made if there is none yet and somebody records.
  func makeGraphNode() -> SourceNode?
}

extension EmitterCore: BoundSource {
  func makeGraphNode() -> SourceNode? {
    // Who subscribed while nobody recorded would be missing below it.
    if recording.graphNode == nil {
      guard subscriberCount == 0 else { return nil }
      noteConnection()
    }
    return recording.graphNode
  }
}
