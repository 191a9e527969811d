import SignalTesting
import Signals
import Testing

@Suite struct ExploringFailures {
  @Test func anOrderFailsAnExpectation() {
    exploreInterleavings { scheduler in
      let balance = Property(10)
      scheduler.schedule { balance.update { $0 += 5 } }
      scheduler.schedule { balance.update { $0 *= 2 } }
      try scheduler.run()
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
}

struct OutOfOrder: Error {}
