import SignalTesting
import Signals
import Testing

// XCTest: final class ExploringFailuresXCTest: ExploringTestCase {
@Suite struct ExploringFailures {
  @Test func anOrderFailsAnExpectation() {
    exploreInterleavings { scheduler in
      let balance = Property(10)
      scheduler.schedule { balance.update { $0 += 5 } }
      scheduler.schedule { balance.update { $0 *= 2 } }
      try scheduler.run()
      // XCTest: XCTAssertEqual(balance.value, 30)  // must fail with carets: 1 swap from scheduling order
      #expect(balance.value == 30)  // must fail with carets: 1 swap from scheduling order
    }
  }

  @Test func anOrderThrows() {
    exploreInterleavings { scheduler in  // must fail with carets: The scenario threw OutOfOrder()
      let balance = Property(10)
      scheduler.schedule { balance.update { $0 += 5 } }
      scheduler.schedule { balance.update { $0 *= 2 } }
      try scheduler.run()
      if balance.value != 30 { throw OutOfOrder() }
    }
  }

  @Test func anOrderGivesAnotherResult() {
    expectSameInEveryOrder { scheduler in  // must fail with carets: Scheduling order gives 30, another order 25.
      let balance = Property(10)
      scheduler.schedule { balance.update { $0 += 5 } }
      scheduler.schedule { balance.update { $0 *= 2 } }
      try scheduler.run()
      return balance.value
    }
  }

  @Test func anOrderFailsMarbles() {
    marblesInEveryOrder { m in
      let left = m.hot("-a-|")
      let right = m.hot("-b-|")
      m.expect(Signal.merge(left.signal, right.signal), "-(ab)-|")  // must fail with carets: 1 swap from
    }
  }

  @Test func everyOrderPasses() {
    exploreInterleavings { scheduler in
      let total = Property(0)
      for price in [5, 7, 9] { scheduler.schedule { total.update { $0 += price } } }
      try scheduler.run()
      // XCTest: XCTAssertEqual(total.value, 21)
      #expect(total.value == 21)
    }
  }

  @Test func workOutlivesADisposal() {
    cancelEverywhere { m in  // must fail: timer or other scheduled work still pending
      let source = m.hot("-a-----b-|")
      let scheduler = m.scheduler
      let late = Signal<String> { producer in
        producer.own(
          source.signal.subscribe { value in
            _ = scheduler.schedule(after: .milliseconds(3)) { producer.send(value) }
          })
      }
      m.expect(late, "----a-----b")
    }
  }

  @Test func mutationsAreNotNoticed() {
    expectMutationsNoticed { m in  // must fail: 8 of 9 mutations noticed
      let source = m.hot("-a-b-|")
      m.expect(source.signal, "-?-?-|")
    }
  }

  @Test func aDiamondGlitches() {
    expectNoGlitches { m in  // must fail with carets: 4 mixes a new input with an old one of the same cause
      let price = m.hot("-1--2--|", of: Int.self)
      m.expect(price.signal.combineLatest(price.signal.map { $0 * 2 }).map { $0 + $1 }, "-3--(46)--|")
    }
  }

  @Test func noOtherOrderIsTried() {
    exploreInterleavings(orders: 1) { scheduler in  // must fail: orders: 1 explores nothing
      let balance = Property(10)
      scheduler.schedule { balance.update { $0 += 5 } }
      scheduler.schedule { balance.update { $0 *= 2 } }
      try scheduler.run()
    }
  }

  @Test func anOrderOfTasksFails() {
    exploreInterleavings(ofTask: { time in  // must fail with carets: The scenario threw OutOfOrder()
      let order = Property<[Int]>([])
      await withTaskGroup { group in
        for number in 1...2 { group.addTask { order.update { $0.append(number) } } }
      }
      if order.value != [1, 2] { throw OutOfOrder() }
    })
  }

  @Test func aRealSchedulerInEveryOrder() {
    marblesInEveryOrder { m in
      let bag = DisposeBag()
      let late = Signal.just(1).delay(for: .seconds(1), on: .qos(.default))  // must fail: delay
      late.subscribe { _ in }.store(in: bag)
      m.expect(Signal.merge(m.hot("-a-|").signal, m.hot("-b-|").signal), "-(a & b)-|")
    }
  }

  @Test func workWithoutAPlaceOutlivesADisposal() {
    cancelEverywhere { m in  // must fail: timer or other scheduled work still pending
      let scheduler = m.scheduler
      let late = Signal<Int> { producer in
        _ = scheduler.schedule(after: .milliseconds(5), tolerance: nil) {
          producer.send(1)
          producer.finish()
        }
      }
      m.expect(late, "-----(1|)")
    }
  }

  @Test func noRoundIsMade() {
    searchRaces(rounds: 0) { race in  // must fail: rounds: 0 runs no round
      for _ in 1...2 { race.thread { _ in } }
    }
  }

  @Test func nothingIsDisposed() {
    cancelEverywhere { m in  // must fail: There is nothing to dispose
      m.at(.milliseconds(1)) {}
    }
  }
}

struct OutOfOrder: Error {}
