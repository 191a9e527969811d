import Limits
import Measuring
import OpenCombine
import Signals

/// What a live chain of three operators keeps on the heap, by contender.
struct MemoryResult: Codable {
  var chains: Int
  var contenders: [String: LiveMemory]
  /// How many bytes more each of the chain's four nodes takes with the graph on.
  var graphBytesPerNode: Double
  var goalBytes = 350.0
  var goalBlocks = 6.0
  var stretchBytes = 200.0
  var goalGraphBytesPerNode = 32.0
  var missed: [String] = []

  /// Measures so many chains off one emitter, for each contender.
  static func measured(chains: Int) -> MemoryResult {
    let emitter = Emitter<Int>()
    let recorder = GraphRecorder(endedLimit: 0)
    let observed = recorder.record { Emitter<Int>() }
    let subject = PassthroughSubject<Int, Never>()
    let slots = SlotEmitter()
    let objects = ObjectEmitter()
    let sum = Sum()
    let contenders = [
      "signals": live(chains) { Chains.signals(emitter.signal).subscribe { sum.value &+= $0 } },
      "graph on": recorder.record {
        live(chains) { Chains.signals(observed.signal).subscribe { sum.value &+= $0 } }
      },
      "OpenCombine": live(chains) { Chains.openCombine(subject).sink { sum.value &+= $0 } },
      "limit, a closure per hop": live(chains) { Chains.closures(slots, sum) },
      "limit, an object per hop": live(chains) { Chains.hops(slots, sum) },
      "limit, one object": live(chains) { objects.subscribe { sum.value &+= $0 } },
    ]
    var result = MemoryResult(chains: chains, contenders: contenders, graphBytesPerNode: 0)
    if let off = contenders["signals"], let on = contenders["graph on"] {
      result.graphBytesPerNode = (on.bytes - off.bytes) / 4
      if off.bytes > result.goalBytes {
        result.missed.append("\(Figures.short(off.bytes)) bytes, goal \(Figures.short(result.goalBytes))")
      }
      if off.blocks > result.goalBlocks {
        result.missed.append("\(Figures.short(off.blocks)) blocks, goal \(Figures.short(result.goalBlocks))")
      }
    }
    if result.graphBytesPerNode > result.goalGraphBytesPerNode {
      result.missed.append(
        "\(Figures.short(result.graphBytesPerNode)) bytes per node with the graph on, goal "
          + Figures.short(result.goalGraphBytesPerNode))
    }
    return result
  }

  private static func live(_ chains: Int, _ subscribe: () -> AnyObject) -> LiveMemory {
    var kept: [AnyObject] = []
    kept.reserveCapacity(chains)
    return LiveMemory.left(per: chains) {
      for _ in 0..<chains { kept.append(subscribe()) }
      return kept
    }
  }
}
