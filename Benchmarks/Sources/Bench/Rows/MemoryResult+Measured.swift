import Limits
import Measuring
import OpenCombine
import Results
import Signals

extension MemoryResult {
  /// Measures so many chains off one emitter, for each contender.
  static func measured(chains: Int) -> MemoryResult {
    let subject = PassthroughSubject<Int, Never>()
    let slots = SlotEmitter()
    let objects = ObjectEmitter()
    let sum = Sum()
    let contenders = [
      "signals": ofOwnSignals(chains, sum),
      "signals, of one signal": ofOneSignal(chains, sum),
      "graph on": withGraph { ofOwnSignals(chains, sum) },
      "graph on, of one signal": withGraph { ofOneSignal(chains, sum) },
      "OpenCombine": live(chains) { Chains.openCombine(subject).sink { sum.value &+= $0 } },
      "limit, a closure per hop": live(chains) { Chains.closures(slots, sum) },
      "limit, an object per hop": live(chains) { Chains.hops(slots, sum) },
      "limit, one object": live(chains) { objects.subscribe { sum.value &+= $0 } },
    ]
    func graphBytesPerNode(_ form: String) -> Double {
      ((contenders["graph on" + form]?.bytes ?? 0) - (contenders["signals" + form]?.bytes ?? 0)) / 4
    }
    var result = MemoryResult(
      chains: chains, contenders: contenders, graphBytesPerNode: graphBytesPerNode(", of one signal"),
      graphBytesPerNodeOfOwnSignals: graphBytesPerNode(""))
    if let off = contenders["signals"] {
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

  // A source that goes away finishes its signals, so it is kept until all is measured.

  private static func ofOwnSignals(_ chains: Int, _ sum: Sum) -> LiveMemory {
    let source = Emitter<Int>()
    return withExtendedLifetime(source) {
      live(chains) { Chains.signals(source.signal).subscribe { sum.value &+= $0 } }
    }
  }

  private static func ofOneSignal(_ chains: Int, _ sum: Sum) -> LiveMemory {
    let source = Emitter<Int>()
    let signal = Chains.signals(source.signal)
    return withExtendedLifetime(source) { live(chains) { signal.subscribe { sum.value &+= $0 } } }
  }

  /// Runs with the graph on, as a program that is inspected does.
  private static func withGraph<Result>(_ body: () -> Result) -> Result {
    Introspection.enable()
    defer { Introspection.disable() }
    return body()
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
