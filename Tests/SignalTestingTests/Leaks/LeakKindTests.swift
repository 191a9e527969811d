import Foundation
import SignalTesting
import Signals
import Testing

@Suite struct LeakKindTests {
  private let keeper = LeakKeeper()

  private func leaks(ignoring ignored: Set<String> = [], _ body: () -> Void) -> [Leak] {
    let check = LeakCheck(ignoring: ignored, patience: .brief)
    check.recorder.record(body)
    defer { check.recorder.close() }
    return check.leaks()
  }

  @Test(arguments: LeakSample.allCases) func eachSampleIsFoundAsWhatItIs(_ sample: LeakSample) {
    let leaks = leaks { sample.run(keeping: keeper) }
    #expect(leaks.map(\.kind) == [sample.kind])
  }

  @Test func aSubscriptionThatWasNeverDisposedIsNamedWithItsChain() {
    let scheduler = VirtualTimeScheduler()
    let leaks = leaks {
      let keys = Emitter<String>()
      let signal = keys.signal.debounce(for: .seconds(1), on: scheduler).named("search text")
        .map { $0.count }
      signal.subscribe { _ in }.retained()
      keeper.keep(keys)
    }
    let line = #line - 6
    #expect(leaks.count == 1)
    #expect(
      leaks.first?.chain == """
        subscribe LeakKindTests.swift:\(line + 3) <- map LeakKindTests.swift:\(line + 2) \
        <- debounce "search text" LeakKindTests.swift:\(line + 1) <- emitter LeakKindTests.swift:\(line)
        """)
    #expect(leaks.first?.site?.line == line + 3)
    #expect(leaks.first?.message.contains("aSubscriptionThatWasNeverDisposedIsNamedWithItsChain()") == true)
  }

  @Test func theOneWhoseObserverIsHeldIsNamed() {
    let leaks = leaks { LeakSample.stillRetained.run(keeping: keeper) }
    #expect(leaks.first?.chain.contains("<- filter LeakSamples.swift:") == true)
    #expect(leaks.first?.chain.contains("<- observerKept LeakSamples.swift:") == true)
    #expect(leaks.first?.chain.contains("<- emitter LeakSamples.swift:") == true)
    #expect(
      leaks.first?.details.contains { $0.hasPrefix("something still retains the observer of observerKept") } == true)
  }

  @Test func theOneThatEndedEarlyIsNamed() {
    let leaks = leaks { LeakSample.upstreamStillSubscribed.run(keeping: keeper) }
    #expect(leaks.first?.chain.contains("<- map LeakSamples.swift:") == true)
    #expect(leaks.first?.details.contains { $0.hasPrefix("firstWithoutStopping LeakSamples.swift:") } == true)
    #expect(leaks.first?.details.contains { $0.hasSuffix("has delivered its end") } == true)
  }

  @Test func anOperatorThatEndsEarlyProperlyIsNoLeak() {
    let leaks = leaks {
      let keys = Emitter<Int>()
      let first: Signal<Int> = keys.signal.map { $0 + 1 }
        .lift(Site("first", fileID: #fileID, line: #line, function: #function), state: ()) { _, value, downstream in
          try downstream.send(value)
          downstream.finish()
        }
      first.subscribe { _ in }.store(in: keeper.bag)
      keys.send(1)
      keeper.keep(keys)
    }
    #expect(leaks == [])
  }

  @Test func workNamesTheLineThatAskedForIt() {
    let scheduler = VirtualTimeScheduler()
    let leaks = leaks { keeper.keep(scheduler.schedule(after: .seconds(1)) {}) }
    #expect(leaks.map(\.chain) == ["schedule(after:) LeakKindTests.swift:\(#line - 1)"])
  }

  @Test func workThatRanOrWasCancelledIsNoLeak() throws {
    let scheduler = VirtualTimeScheduler()
    let leaks = leaks {
      keeper.keep(scheduler.schedule(after: .seconds(1)) {})
      scheduler.schedule(after: .seconds(3)) {}.dispose()
      #expect(throws: Never.self) { try scheduler.advance(by: .seconds(2)) }
    }
    #expect(leaks == [])
  }

  @Test func workThatACustomSignalDoesNotOwnIsPending() {
    let scheduler = VirtualTimeScheduler()
    let leaks = leaks {
      let late = Signal<Int> { producer in
        _ = scheduler.schedule(after: .seconds(1)) { producer.send(1) }
      }
      late.subscribe { _ in }.dispose()
    }
    #expect(leaks.map(\.kind) == [.workStillPending])
    #expect(leaks.first?.site?.line == #line - 5)
  }

  @Test func timersOfALivingSubscriptionAreToldWithIt() {
    let scheduler = VirtualTimeScheduler()
    let leaks = leaks {
      Signal.interval(every: .seconds(1), on: scheduler).subscribe { _ in }.store(in: keeper.bag)
    }
    #expect(leaks.map(\.kind) == [.neverDisposed])
    #expect(
      leaks.first?.details.contains("work of interval LeakKindTests.swift:\(#line - 3) waits in a scheduler") == true)
  }

  @Test func anOwnerThatIsAliveIsNamed() {
    let leaks = leaks {
      let keys = Emitter<Int>()
      keys.signal.subscribe(with: keeper) { _, _ in }
      keeper.keep(keys)
    }
    #expect(leaks.first?.details.first?.hasSuffix("belongs to LeakKeeper") == true)
  }

  @Test func equalLeaksAreCounted() {
    let leaks = leaks {
      let keys = Emitter<Int>()
      for _ in 0..<1_000 { keys.signal.map { $0 }.subscribe { _ in }.store(in: keeper.bag) }
      keeper.keep(keys)
    }
    #expect(leaks.map(\.count) == [1_000])
    #expect(leaks.first?.message.contains("never disposed (1000 times)") == true)
  }

  @Test func branchesAreShown() {
    let leaks = leaks {
      let left = Emitter<Int>()
      let right = Emitter<Int>()
      left.signal.map { $0 }.merge(with: right.signal).subscribe { _ in }.store(in: keeper.bag)
      keeper.keep([left, right])
    }
    let line = #line - 3
    let file = "LeakKindTests.swift"
    #expect(
      leaks.map(\.chain) == [
        """
        subscribe \(file):\(line) <- merge \(file):\(line) <- (map \(file):\(line) <- emitter \(file):\(line - 2) + \
        emitter \(file):\(line - 1))
        """
      ])
  }

  @Test func aSharedChainIsShownUpToItsSource() {
    let leaks = leaks {
      let keys = Emitter<Int>()
      keys.signal.map { $0 }.share().subscribe { _ in }.store(in: keeper.bag)
      keeper.keep(keys)
    }
    let line = #line - 3
    let file = "LeakKindTests.swift"
    #expect(
      leaks.map(\.chain) == [
        """
        subscribe \(file):\(line) <- share \(file):\(line) <- map \(file):\(line) <- emitter \(file):\(line - 1)
        """
      ])
  }

  @Test func ignoredNamesMayStayAlive() {
    let keys = Emitter<Int>()
    let leaks = leaks(ignoring: ["status"]) {
      keys.signal.map { $0 }.named("status").filter { _ in true }.subscribe { _ in }.store(in: keeper.bag)
      keys.signal.map { $0 }.named("other").subscribe { _ in }.store(in: keeper.bag)
    }
    #expect(leaks.count == 1)
    #expect(leaks.first?.chain.contains("\"other\"") == true)
  }

  @Test func whatWasThereBeforeIsNotReported() {
    let keys = Emitter<Int>()
    keys.signal.subscribe { _ in }.store(in: keeper.bag)
    let leaks = leaks { keys.send(1) }
    #expect(leaks == [])
  }

  @Test func whatIsMadeInsideAndKeptByASourceOutsideIsReported() {
    let keys = Emitter<Int>()
    let leaks = leaks { keys.signal.subscribe { _ in }.retained() }
    #expect(leaks.map(\.kind) == [.neverDisposed])
  }

  @Test func theInnerScopeAnswersForWhatIsMadeInIt() {
    var inner: [Leak] = []
    let outer = leaks {
      let keys = Emitter<Int>()
      inner = leaks { keys.signal.subscribe { _ in }.store(in: keeper.bag) }
      keeper.keep(keys)
    }
    #expect(inner.map(\.kind) == [.neverDisposed])
    #expect(inner.first?.chain.contains("<- emitter LeakKindTests.swift:") == true)
    #expect(outer == [])
  }
}

extension LeakCheck.Patience {
  /// For checks that are expected to find something: nothing else is going on.
  static var brief: LeakCheck.Patience {
    var patience = LeakCheck.Patience()
    patience.forRelease = .zero
    return patience
  }
}
