import Measuring

/// What a live chain of three operators keeps on the heap, by contender.
package struct MemoryResult: Codable {
  package var chains: Int
  package var contenders: [String: LiveMemory]
  /// How many bytes more each of the chain's four nodes takes with the graph on, where all chains are subscriptions to one signal.
  package var graphBytesPerNode: Double
  /// The same where each chain is a signal of its own.
  package var graphBytesPerNodeOfOwnSignals: Double
  package var goalBytes = 350.0
  package var goalBlocks = 6.0
  package var stretchBytes = 200.0
  package var goalGraphBytesPerNode = 32.0
  package var missed: [String] = []

  package init(
    chains: Int, contenders: [String: LiveMemory], graphBytesPerNode: Double, graphBytesPerNodeOfOwnSignals: Double
  ) {
    self.chains = chains
    self.contenders = contenders
    self.graphBytesPerNode = graphBytesPerNode
    self.graphBytesPerNodeOfOwnSignals = graphBytesPerNodeOfOwnSignals
  }
}
