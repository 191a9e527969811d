#if os(Linux)
  import Dispatch
  import SignalTesting
  import Signals
  import Testing

  @Suite("System time: orders", .enabled(if: replacesSystemTime)) struct SystemTimeExplorationTests {
    @Test("tasks that sleep on the system's clock, and queues, run in every order") func sleeps() {
      let orders = Property<Set<String>>([])
      let result = exploreInterleavings(
        systemTime: .virtual,
        ofTask: { _ in
          let order = Property("")
          async let first: Void = {
            try await Task.sleep(for: .seconds(1))
            order.update { $0 += "a" }
          }()
          async let second: Void = {
            try await Task.sleep(for: .seconds(1))
            order.update { $0 += "b" }
          }()
          DispatchQueue.global().asyncAfter(deadline: .now() + 1) { order.update { $0 += "c" } }
          _ = try await (first, second)
          try await Task.sleep(for: .seconds(1))
          orders.update { $0.insert(order.value) }
        })
      #expect(result.isExhaustive)
      #expect(orders.value == ["abc", "acb", "bac", "bca", "cab", "cba"])
    }

    @Test("and in diagrams") func diagrams() {
      let result = marblesInEveryOrder(systemTime: .virtual) { m in
        let ticks = Signal.timer(after: .milliseconds(2), on: .qos(.default)).map { _ in "t" }
        m.expect(m.hot("--a--").signal.merge(with: ticks), "--(a & t)--")
      }
      #expect(result.runCount > 1 && result.isExhaustive)
    }
  }
#endif
