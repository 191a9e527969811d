import Signals

/// A live graph of so many nodes, and its recorder: chains of three operators and a subscriber below one emitter.
package final class RecordedGraph: Sendable {
  package let recorder: GraphRecorder
  private let emitter: Emitter<Int>
  private let kept: [Subscription]

  package init(nodes: Int, in recorder: GraphRecorder = GraphRecorder(endedLimit: 0)) {
    self.recorder = recorder
    (emitter, kept) = recorder.record {
      let emitter = Emitter<Int>()
      let chain = Chains.signals(emitter.signal)
      // One node is the emitter's, each chain has four, and subscribers of the emitter itself make up the rest.
      let chains = (nodes - 1) / 4
      let rest = nodes - 1 - chains * 4
      let kept =
        (0..<chains).map { _ in chain.subscribe { _ in } } + (0..<rest).map { _ in emitter.signal.subscribe { _ in } }
      return (emitter, kept)
    }
  }
}
