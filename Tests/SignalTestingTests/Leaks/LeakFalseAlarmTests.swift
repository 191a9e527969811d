import SignalTesting
import Signals
import Testing

@Suite struct LeakFalseAlarmTests {
  @Test(arguments: OperatorCase.all, Usage.allCases)
  func operatorsThatAreUsedProperlyDoNotLeak(_ operatorCase: OperatorCase, _ usage: Usage) throws {
    let keeper = LeakKeeper()
    let check = LeakCheck(patience: .brief)
    try check.recorder.record { try usage.run(operatorCase, keeping: keeper) }
    #expect(check.leaks() == [])
    check.recorder.close()
  }

  @Test(arguments: OperatorCase.all.filter { !["prefix(0)", "sequence"].contains($0.testDescription) })
  func operatorsThatAreNotDisposedAreFoundWithTheirSource(_ operatorCase: OperatorCase) {
    let keeper = LeakKeeper()
    let check = LeakCheck(patience: .brief)
    let scheduler = VirtualTimeScheduler()
    check.recorder.record {
      let numbers = Emitter<Int>()
      keeper.keep(numbers)
      operatorCase.make(numbers.signal, scheduler).subscribe { _ in }.store(in: keeper.bag)
    }
    let cutOff = operatorCase.testDescription == "prepend, cut off"
    #expect(Set(check.leaks().map(\.kind)) == (cutOff ? [] : [.neverDisposed]))
    // A custom signal subscribes by itself, so its source hangs on a subscription of its own.
    #expect(
      cutOff
        || check.leaks().contains {
          $0.chain.contains("<- emitter LeakFalseAlarmTests.swift:")
            || $0.chain.contains("emitter LeakFalseAlarmTests.swift:")
        })
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
        try Usage.finished.run(OperatorCase.all[repetition % OperatorCase.all.count], keeping: keeper)
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
