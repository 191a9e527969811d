import OperatorCatalogue
import SignalTesting
import Signals
import Testing

@Suite struct LeakFalseAlarmTests {
  @Test(arguments: LeakChain.all, Usage.allCases)
  func operatorsThatAreUsedProperlyDoNotLeak(_ chain: LeakChain, _ usage: Usage) throws {
    let keeper = LeakKeeper()
    let check = LeakCheck(patience: .brief)
    try check.recorder.record { try usage.run(chain, keeping: keeper) }
    #expect(check.leaks() == [])
    check.recorder.close()
  }

  @Test(arguments: LeakChain.all)
  func operatorsThatAreNotDisposedAreFoundWithTheirSource(_ chain: LeakChain) {
    let keeper = LeakKeeper()
    let check = LeakCheck(patience: .brief)
    let scheduler = VirtualTimeScheduler()
    check.recorder.record {
      let numbers = Emitter<Int>()
      keeper.keep(numbers)
      chain.signal(on: numbers.signal, scheduler).subscribe { _ in }.store(in: keeper.bag)
    }
    #expect(Set(check.leaks().map(\.kind)) == (chain.endsAtOnce ? [] : [.neverDisposed]))
    // The source may have a name of its own, and a custom signal has a subscription of its own to it.
    let source = /emitter ("[^"]*" )?LeakFalseAlarmTests\.swift:/
    #expect(chain.endsAtOnce || check.leaks().contains { $0.chain.contains(source) })
    keeper.bag.disposeAll()
    #expect(check.leaks() == [])
    check.recorder.close()
  }

  @Test func aThousandRepetitionsAgree() throws {
    for repetition in 0..<1_000 {
      let keeper = LeakKeeper()
      let sample = LeakSample.allCases[repetition % LeakSample.allCases.count]
      let check = LeakCheck(patience: .brief)
      check.recorder.record { sample.run(keeping: keeper) }
      try #require(check.leaks().map(\.kind) == [sample.kind])
      check.recorder.close()
      let clean = LeakCheck(patience: .brief)
      try clean.recorder.record {
        try Usage.finished.run(LeakChain.all[repetition % LeakChain.all.count], keeping: keeper)
      }
      try #require(clean.leaks() == [])
      clean.recorder.close()
    }
  }

  @Test func aCheckThatIsOverKeepsNothing() {
    weak var recorder: GraphRecorder?
    let keeper = LeakKeeper()
    do {
      let check = LeakCheck(patience: .brief)
      recorder = check.recorder
      check.recorder.record {
        let numbers = Emitter<Int>()
        numbers.signal.subscribe { _ in }.dispose()
      }
      #expect(check.leaks() == [])
      check.recorder.close()
    }
    #expect(recorder == nil)
    withExtendedLifetime(keeper) {}
  }
}
