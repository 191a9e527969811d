import Measuring
package import Results
import Signals

extension ProgramMemory {
  /// Measures what the graph keeps for each node of a program's chains, beside what the chains keep without it.
  package static func measured(chains: Int = 10_000) -> [ProgramMemory] {
    [
      measured("10 operators", chains, nodes: ProgramChains.nodeCount, ProgramChains.chain),
      measured("3 operators that are joined", chains, nodes: 4, Chains.signals),
      measured("one operator that is not", chains, nodes: 2) { $0.removeDuplicates() },
      measured("10 operators that are not", chains, nodes: 11) { source in
        (0..<10).reduce(source) { signal, _ in signal.removeDuplicates() }
      },
    ]
  }

  private static func measured(
    _ name: String, _ chains: Int, nodes: Int, _ chain: (Signal<Int>) -> Signal<Int>
  ) -> ProgramMemory {
    func live() -> LiveMemory {
      let emitter = Emitter<Int>()
      let signal = chain(emitter.signal)
      // What is remembered of the first lets the others have the room that they need.
      let first = signal.subscribe { _ in }
      var kept: [AnyObject] = []
      kept.reserveCapacity(chains)
      let memory = LiveMemory.left(per: chains) {
        for _ in 0..<chains { kept.append(signal.subscribe { _ in }) }
        return kept
      }
      return withExtendedLifetime((emitter, first)) { memory }
    }
    let off = live()
    let on = GraphRatios.withGraph(live)
    return ProgramMemory(name: name, bytesPerNode: (on.bytes - off.bytes) / Double(nodes))
  }
}
