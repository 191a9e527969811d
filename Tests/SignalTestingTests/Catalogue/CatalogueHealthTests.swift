import OperatorCatalogue
import SignalTesting
import Signals
import Testing

/// Every form of every operator, used as it should be and in each way left: nothing is found.
@Suite struct CatalogueHealthTests {
  @Test(arguments: LeakChain.all, Usage.allCases)
  func operatorsThatAreUsedProperlyAreHealthy(_ chain: LeakChain, _ usage: Usage) throws {
    let keeper = LeakKeeper()
    try assertHealthy { try usage.run(chain, keeping: keeper) }
  }

  @Test(arguments: LeakChain.all)
  func operatorsThatAreUsedAgainAndAgainAreHealthy(_ chain: LeakChain) throws {
    try assertHealthy(repeating: 3) { try Usage.finished.run(chain, keeping: LeakKeeper()) }
  }

  /// Values through minutes of virtual time, so that rates and durations are judged too.
  ///
  /// A join of one source with itself is what the rule `glitch` is about; and `backlog` is about a `zip` of which one side is ten times as fast.
  @Test(arguments: LeakChain.all)
  func operatorsThatWorkForMinutesAreHealthy(_ chain: LeakChain) throws {
    var faults: Set<String> = chain.description.hasSuffix("of the same source") ? ["glitch"] : []
    if chain.description.hasPrefix("zip") { faults.insert("backlog") }
    try assertHealthy(ignoring: faults) {
      let scheduler = VirtualTimeScheduler()
      let (source, other) = (Emitter<Int>(), Emitter<Int>())
      let inputs = OperatorInputs(scheduler: scheduler, rest: .milliseconds(100), other: other.signal)
      let subscription = chain.build(source.signal, inputs).subscribe(onValue: { _ in }, onFailure: { _ in })
      other.send(OperatorInputs.firstOfOther)
      for value in 0..<400 {
        source.send(value)
        if value % 10 == 0 { other.send(value) }
        try scheduler.advance(by: .milliseconds(250))
      }
      subscription.dispose()
      source.finish()
      try scheduler.advance(by: .seconds(5))
    }
  }
}
